/** MACs over the plain-text columns of records, and over their totals per category and status. */
export const boundRecords = `
-- Null for records written before this migration, until a service starts (server/features/records/bind-records.ts).
ALTER TABLE records ADD COLUMN binding bytea;
CREATE INDEX records_unbound ON records (owner_id) WHERE binding IS NULL;

ALTER TABLE vault_keys ADD COLUMN record_totals bytea;

-- Records and counters are deleted with their data key. Deleting a single row changes the counters, which then differ from the totals.
CREATE FUNCTION count_removed_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE record_counts SET count = count - 1
    WHERE (owner_id, biomarker, status) = (OLD.owner_id, OLD.biomarker, OLD.status);
  RETURN NULL;
END $$;
CREATE TRIGGER records_removed AFTER DELETE ON records
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION count_removed_record();
`;
