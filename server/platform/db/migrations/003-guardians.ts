/** Recovery requests with their links, mails to guardians, and the recovery state of identities. */
export const guardians = `
ALTER TABLE invitations DROP COLUMN used_at;
CREATE INDEX invitations_expire ON invitations (expires_at);

CREATE TABLE recovery_requests (
  id uuid PRIMARY KEY,
  beo_id uuid NOT NULL,
  new_public_key text NOT NULL,
  opened_at timestamptz NOT NULL
);
CREATE INDEX recovery_requests_of_beo ON recovery_requests (beo_id, opened_at);
CREATE INDEX recovery_requests_opened ON recovery_requests (opened_at);

CREATE TABLE recovery_links (
  token_hash bytea PRIMARY KEY,
  request_id uuid NOT NULL REFERENCES recovery_requests ON DELETE CASCADE,
  guardian_id uuid NOT NULL,
  guardian_key text NOT NULL,
  role text NOT NULL
);
CREATE INDEX recovery_links_of_request ON recovery_links (request_id);

CREATE TABLE recovery_mailings (
  beo_id uuid PRIMARY KEY,
  mailed_at timestamptz NOT NULL
);

CREATE TABLE vault_lapses (
  row_id text NOT NULL,
  owner_id uuid NOT NULL REFERENCES vault_keys ON DELETE CASCADE,
  at timestamptz NOT NULL,
  PRIMARY KEY (row_id, at)
);
CREATE INDEX vault_lapses_at ON vault_lapses (at);
CREATE INDEX vault_lapses_owner ON vault_lapses (owner_id);

CREATE TABLE mails (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  owner_id uuid NOT NULL,
  guardian_id uuid NOT NULL,
  about_id uuid NOT NULL,
  language text NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  UNIQUE (kind, guardian_id, about_id)
);
CREATE INDEX mails_due ON mails (due_at);
CREATE INDEX mails_owner ON mails (owner_id);

UPDATE beos SET recovery = recovery || '{"confirmedSince": null, "requests": [], "recoveredAt": null}';
UPDATE beos SET recovery = jsonb_set(recovery, '{guardians}',
  (SELECT jsonb_agg(guardian || '{"removedAt": null, "countsUntil": null}') FROM jsonb_array_elements(recovery -> 'guardians') AS guardian))
  WHERE jsonb_array_length(recovery -> 'guardians') > 0;
UPDATE ieos SET recovery = jsonb_set(recovery, '{guardians}',
  (SELECT jsonb_agg(guardian || '{"removedAt": null, "countsUntil": null}') FROM jsonb_array_elements(recovery -> 'guardians') AS guardian))
  WHERE jsonb_array_length(recovery -> 'guardians') > 0;
`;
