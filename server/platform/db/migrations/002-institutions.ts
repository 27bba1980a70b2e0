/** Institutions with their counters, consent tokens, proposals of the institute; vault keys for institutions too. */
export const institutions = `
CREATE TABLE ieos (
  id uuid PRIMARY KEY,
  domain text NOT NULL,
  display_name text,
  ieo_type text NOT NULL,
  country text,
  jurisdiction text,
  legal_id text,
  public_key text,
  key_version integer NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  locked_at timestamptz,
  cert_level text NOT NULL,
  certification jsonb NOT NULL,
  contacts jsonb NOT NULL,
  recovery jsonb NOT NULL,
  transaction_id text NOT NULL,
  seq bigint NOT NULL,
  created_seq bigint NOT NULL
);
-- One for every combination of filters, so that a page costs the same for all of them.
CREATE INDEX ieos_all ON ieos (created_seq DESC);
CREATE INDEX ieos_status ON ieos (status, created_seq DESC);
CREATE INDEX ieos_type ON ieos (ieo_type, created_seq DESC);
CREATE INDEX ieos_level ON ieos (cert_level, created_seq DESC);
CREATE INDEX ieos_status_type ON ieos (status, ieo_type, created_seq DESC);
CREATE INDEX ieos_status_level ON ieos (status, cert_level, created_seq DESC);
CREATE INDEX ieos_type_level ON ieos (ieo_type, cert_level, created_seq DESC);
CREATE INDEX ieos_status_type_level ON ieos (status, ieo_type, cert_level, created_seq DESC);

CREATE TABLE ieo_counts (
  status text NOT NULL,
  ieo_type text NOT NULL,
  cert_level text NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (status, ieo_type, cert_level)
);

-- Maintained by triggers, so that they are also correct after a restore or a manual change.
CREATE FUNCTION count_ieos() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO ieo_counts AS kept (status, ieo_type, cert_level, count)
      SELECT status, ieo_type, cert_level, count(*) FROM after_it GROUP BY 1, 2, 3
      ON CONFLICT (status, ieo_type, cert_level) DO UPDATE SET count = kept.count + EXCLUDED.count;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    UPDATE ieo_counts kept SET count = kept.count - gone.count
      FROM (SELECT status, ieo_type, cert_level, count(*) FROM before_it GROUP BY 1, 2, 3) gone
      WHERE (kept.status, kept.ieo_type, kept.cert_level) = (gone.status, gone.ieo_type, gone.cert_level);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ieos_inserted AFTER INSERT ON ieos
  REFERENCING NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION count_ieos();
CREATE TRIGGER ieos_updated AFTER UPDATE ON ieos
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION count_ieos();
CREATE TRIGGER ieos_deleted AFTER DELETE ON ieos
  REFERENCING OLD TABLE AS before_it FOR EACH STATEMENT EXECUTE FUNCTION count_ieos();

CREATE TABLE tokens (
  id text PRIMARY KEY,
  beo_id uuid NOT NULL,
  grantee_kind text NOT NULL,
  grantee_id uuid NOT NULL,
  granted_at timestamptz NOT NULL,
  expires_at timestamptz,
  scope jsonb NOT NULL,
  scope_key text NOT NULL,
  revoked_at timestamptz,
  owner_signature text NOT NULL,
  token_hash text NOT NULL,
  transaction_id text NOT NULL,
  seq bigint NOT NULL,
  created_seq bigint NOT NULL
);
CREATE INDEX tokens_of_beo ON tokens (beo_id, created_seq DESC);
CREATE INDEX tokens_granted ON tokens (scope_key) WHERE revoked_at IS NULL;

CREATE TABLE proposals (
  id uuid PRIMARY KEY,
  decision jsonb NOT NULL,
  ieo_id uuid NOT NULL,
  justification text NOT NULL,
  approvals jsonb NOT NULL,
  opened_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  executed_at timestamptz,
  transaction_id text NOT NULL,
  seq bigint NOT NULL
);

ALTER TABLE vault_keys RENAME COLUMN beo_id TO owner_id;
ALTER TABLE vault_rows RENAME COLUMN beo_id TO owner_id;
ALTER INDEX vault_rows_beo RENAME TO vault_rows_owner;
`;
