/** Health records with counters, access events, and the id of the VAULT_KEY that wraps a data key. */
export const records = `
-- Null for data keys wrapped before this migration.
ALTER TABLE vault_keys ADD COLUMN key_id text;
CREATE INDEX vault_keys_key_id ON vault_keys (key_id);

ALTER TABLE tokens ADD COLUMN submitted bigint NOT NULL DEFAULT 0;
ALTER TABLE tokens ALTER COLUMN submitted DROP DEFAULT;

-- Columns that filters use are in plain text; measured values are only in the ciphertext.
CREATE TABLE records (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES vault_keys ON DELETE CASCADE,
  ieo_id uuid NOT NULL,
  token_id text NOT NULL,
  biomarker text NOT NULL,
  category text NOT NULL,
  collected_at timestamptz NOT NULL,
  submitted_at timestamptz NOT NULL,
  status text NOT NULL CHECK (status IN ('ACTIVE', 'SUPERSEDED')),
  -- The seq of the entry that corrected it.
  superseded_seq bigint,
  transaction_id text NOT NULL,
  seq bigint NOT NULL,
  position integer NOT NULL,
  ciphertext bytea NOT NULL
);
ALTER TABLE records ALTER COLUMN ciphertext SET STORAGE EXTERNAL;
CREATE INDEX records_newest ON records (owner_id, status, collected_at DESC, seq DESC, position DESC) INCLUDE (biomarker, category);
CREATE INDEX records_all ON records (owner_id, collected_at DESC, seq DESC, position DESC) INCLUDE (category);

CREATE TABLE record_counts (
  owner_id uuid NOT NULL REFERENCES vault_keys ON DELETE CASCADE,
  biomarker text NOT NULL,
  category text NOT NULL,
  status text NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (owner_id, biomarker, status)
);

CREATE FUNCTION count_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_counts AS kept (owner_id, biomarker, category, status, count)
    SELECT owner_id, biomarker, category, status, count(*) FROM after_it GROUP BY 1, 2, 3, 4
    ON CONFLICT (owner_id, biomarker, status) DO UPDATE SET count = kept.count + EXCLUDED.count;
  IF TG_OP = 'UPDATE' THEN
    UPDATE record_counts kept SET count = kept.count - gone.count
      FROM (SELECT owner_id, biomarker, status, count(*) FROM before_it GROUP BY 1, 2, 3) gone
      WHERE (kept.owner_id, kept.biomarker, kept.status) = (gone.owner_id, gone.biomarker, gone.status);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER records_inserted AFTER INSERT ON records
  REFERENCING NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER records_updated AFTER UPDATE ON records
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION count_records();

CREATE TABLE access_events (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES vault_keys ON DELETE CASCADE,
  at timestamptz NOT NULL,
  ciphertext bytea NOT NULL
);
CREATE INDEX access_events_of_owner ON access_events (owner_id, at DESC, id DESC);
`;
