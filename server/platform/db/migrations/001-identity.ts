/** Ledger, names, BEOs, nonces, bundles, vault, invitations. */
export const identity = `
CREATE TABLE ledger_head (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  ledger_id text NOT NULL,
  relayer_public_key text NOT NULL,
  epoch integer NOT NULL,
  epoch_began_at timestamptz,
  seq bigint NOT NULL,
  id text,
  accepted_at timestamptz,
  budget_day date NOT NULL,
  budget_bytes bigint NOT NULL
);

CREATE TABLE ledger_entries (
  seq bigint PRIMARY KEY,
  epoch integer NOT NULL,
  id text NOT NULL UNIQUE,
  function text NOT NULL,
  entity_id text NOT NULL,
  accepted_at timestamptz NOT NULL,
  item bytea NOT NULL
);
ALTER TABLE ledger_entries ALTER COLUMN item SET STORAGE EXTERNAL;

CREATE TABLE bundles (
  first_seq bigint PRIMARY KEY,
  last_seq bigint NOT NULL,
  bytes integer NOT NULL,
  l1_tx text NOT NULL UNIQUE,
  transaction json NOT NULL,
  data_sha256 text NOT NULL,
  reward_winston numeric NOT NULL,
  anchor_height bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('PREPARED', 'POSTED', 'CONFIRMED', 'FINAL')),
  block_height bigint,
  confirmations integer NOT NULL DEFAULT 0,
  prepared_at timestamptz NOT NULL DEFAULT now(),
  posted_at timestamptz,
  checked_at timestamptz,
  superseded_tx text[] NOT NULL DEFAULT '{}',
  CHECK (first_seq <= last_seq)
);
CREATE INDEX bundles_unfinished ON bundles (first_seq) WHERE status <> 'FINAL';
CREATE INDEX bundles_prepared_at ON bundles (prepared_at);

CREATE TABLE nonces (
  hash bytea PRIMARY KEY,
  transaction_id text,
  seen_at timestamptz NOT NULL
);
CREATE INDEX nonces_seen_at ON nonces (seen_at);

CREATE TABLE names (
  id text PRIMARY KEY,
  holder_kind text,
  holder_id uuid,
  available_at timestamptz,
  transaction_id text NOT NULL,
  seq bigint NOT NULL
);
CREATE INDEX names_resting ON names (available_at) WHERE available_at IS NOT NULL;

CREATE TABLE beos (
  id uuid PRIMARY KEY,
  domain text,
  public_key text,
  key_version integer NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  locked_at timestamptz,
  recovery jsonb,
  transaction_id text NOT NULL,
  seq bigint NOT NULL
);

CREATE TABLE vault_keys (
  beo_id uuid PRIMARY KEY,
  wrapped bytea NOT NULL
);

CREATE TABLE vault_rows (
  id text PRIMARY KEY,
  beo_id uuid NOT NULL REFERENCES vault_keys ON DELETE CASCADE,
  ciphertext bytea NOT NULL
);
CREATE INDEX vault_rows_beo ON vault_rows (beo_id);

CREATE TABLE invitations (
  token_hash bytea PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  beo_id uuid NOT NULL,
  guardian_id uuid NOT NULL,
  role text NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX invitations_beo ON invitations (beo_id);
`;
