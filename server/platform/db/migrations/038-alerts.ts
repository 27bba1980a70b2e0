/**
 * Alerts of holders: where they go (the addresses are in the vault), what is queued, and how far the ledger was searched. In tables of
 * their own, because the outbox of the previous version drops what it does not know. Protocol §11.
 */
export const alerts = `
CREATE TABLE alert_settings (
  owner_id uuid PRIMARY KEY REFERENCES vault_keys ON DELETE CASCADE,
  kinds text[] NOT NULL,
  language text NOT NULL,
  -- Uses and ends of consents are reported up to this time.
  watched_until timestamptz NOT NULL
);
CREATE INDEX alert_settings_watched ON alert_settings (watched_until);

CREATE TABLE alert_addresses (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES alert_settings ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  added_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  leaves_at timestamptz
);
CREATE INDEX alert_addresses_owner ON alert_addresses (owner_id);

CREATE TABLE alert_mails (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  owner_id uuid NOT NULL,
  address_id uuid NOT NULL,
  about_id text NOT NULL,
  happened_at timestamptz NOT NULL,
  language text NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  source bytea,
  UNIQUE (kind, address_id, about_id)
);
CREATE INDEX alert_mails_due ON alert_mails (due_at);
CREATE INDEX alert_mails_owner ON alert_mails (owner_id);

CREATE TABLE alert_search (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  seq bigint NOT NULL
);
INSERT INTO alert_search (seq) SELECT coalesce(max(seq), 0) FROM ledger_entries;

-- Null for requests that were not searched yet, also those of the previous version.
ALTER TABLE recovery_requests ADD COLUMN alerted boolean;
UPDATE recovery_requests SET alerted = true;
CREATE INDEX recovery_requests_unalerted ON recovery_requests (opened_at) WHERE alerted IS NULL;
`;
