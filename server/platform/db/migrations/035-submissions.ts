/** The submissions of an institution by their seq, with the number of records: a page of them reads no item and no other page. */
export const submissions = `
CREATE TABLE submissions (
  grantee_id uuid NOT NULL,
  seq bigint NOT NULL,
  token_id text NOT NULL,
  records integer NOT NULL,
  PRIMARY KEY (grantee_id, seq)
);

-- The commitments of an entry are SHA-256 in hex: each has 67 bytes with its quotes and what follows it. Protocol §10.
CREATE FUNCTION count_commitments(item bytea) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT position(']'::bytea IN list) / 67
  FROM (SELECT substring(item FROM position('"commitments":['::bytea IN item) + 15) AS list) AS found
$$;

CREATE FUNCTION list_submission() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO submissions (grantee_id, seq, token_id, records)
    SELECT grantee_id, NEW.seq, id, count_commitments(NEW.item) FROM tokens WHERE id = NEW.entity_id;
  RETURN NULL;
END $$;
-- Deferred: a mirror and a restore store entries before the consents that they name.
CREATE CONSTRAINT TRIGGER entries_submitted AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.function = 'submitRecords') EXECUTE FUNCTION list_submission();

-- In the order of the index: without statistics, or planned for the average institution, the planner would sort all of a large one.
CREATE FUNCTION submissions_before(ieo uuid, before bigint, most integer) RETURNS SETOF submissions
LANGUAGE sql STABLE ROWS 200 SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
  SELECT * FROM submissions WHERE grantee_id = ieo AND seq < before ORDER BY seq DESC LIMIT most
$$;
`;
