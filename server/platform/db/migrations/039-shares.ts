/**
 * Encrypted files that holders share by links. Their labels, passcodes and openings are encrypted under the holder's data key, whose
 * deletion deletes them. Protocol §11.
 */
export const shares = `
CREATE TABLE shares (
  hash bytea PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES vault_keys (owner_id) ON DELETE CASCADE,
  -- The digest of its first file.
  digest bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  stopped_at timestamptz,
  bytes integer NOT NULL,
  -- The day (UTC) on which the owner was created: those of the last 30 days have a part of the space.
  owner_created_on date NOT NULL,
  max_openings integer NOT NULL,
  openings integer NOT NULL DEFAULT 0,
  passcode bytea,
  wrong_passcodes integer NOT NULL DEFAULT 0,
  details bytea NOT NULL,
  UNIQUE (owner_id, digest)
);
-- With what the sum of all live shares reads.
CREATE INDEX shares_expiry ON shares (expires_at) INCLUDE (stopped_at, owner_created_on, bytes);
CREATE TABLE share_files (
  hash bytea NOT NULL REFERENCES shares (hash) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  place integer NOT NULL,
  content_type text NOT NULL,
  jwe text NOT NULL,
  PRIMARY KEY (hash, place)
);
ALTER TABLE share_files ALTER COLUMN jwe SET STORAGE EXTERNAL;
CREATE TABLE share_openings (
  id uuid PRIMARY KEY,
  hash bytea NOT NULL REFERENCES shares (hash) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  recipient bytea NOT NULL
);
CREATE INDEX share_openings_of ON share_openings (hash, at);
`;
