/**
 * The bytes of `stored_by`, by the day (UTC) on which the identity or institution that stored them was created, so that the share
 * of new ones is read from 30 rows.
 */
export const storedByAge = `
CREATE TABLE stored_by_age (
  created_on date PRIMARY KEY,
  bytes bigint NOT NULL
);

CREATE FUNCTION sum_stored_by_age() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  created timestamptz := coalesce((SELECT created_at FROM ieos WHERE id = NEW.by_id), (SELECT created_at FROM beos WHERE id = NEW.by_id));
BEGIN
  INSERT INTO stored_by_age AS kept (created_on, bytes)
    VALUES ((coalesce(created, now()) AT TIME ZONE 'UTC')::date, NEW.bytes - CASE WHEN TG_OP = 'INSERT' THEN 0 ELSE OLD.bytes END)
    ON CONFLICT (created_on) DO UPDATE SET bytes = kept.bytes + EXCLUDED.bytes;
  RETURN NULL;
END $$;
CREATE TRIGGER stored_by_changed AFTER INSERT OR UPDATE ON stored_by
  FOR EACH ROW WHEN (NEW.by_id <> '00000000-0000-0000-0000-000000000000') EXECUTE FUNCTION sum_stored_by_age();

INSERT INTO stored_by_age (created_on, bytes)
  SELECT (created_at AT TIME ZONE 'UTC')::date, sum(bytes)
  FROM stored_by JOIN (SELECT id, created_at FROM beos UNION ALL SELECT id, created_at FROM ieos) e ON e.id = by_id
  GROUP BY 1;

CREATE INDEX ieos_certified_created ON ieos (created_at) WHERE cert_level <> 'UNCERTIFIED';
CREATE INDEX stored_by_largest ON stored_by (bytes DESC);
`;
