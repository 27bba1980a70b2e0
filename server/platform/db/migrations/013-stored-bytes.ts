/**
 * The bytes of records and sealed messages in the vault, per owner and per institution that stored them. Maintained by
 * triggers, so that a destruction releases them.
 */
export const storedBytes = `
-- by_id: the institution that stored it, or the owner.
CREATE TABLE stored_bytes (
  owner_id uuid NOT NULL REFERENCES vault_keys ON DELETE CASCADE,
  by_id uuid NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (owner_id, by_id)
);

-- The sum for each by_id, and for all under the nil id.
CREATE TABLE stored_by (
  by_id uuid PRIMARY KEY,
  bytes bigint NOT NULL
);

CREATE FUNCTION sum_stored_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  stored_id uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.by_id ELSE NEW.by_id END;
  added bigint := CASE WHEN TG_OP = 'DELETE' THEN 0 ELSE NEW.bytes END - CASE WHEN TG_OP = 'INSERT' THEN 0 ELSE OLD.bytes END;
BEGIN
  INSERT INTO stored_by AS kept (by_id, bytes)
    VALUES (stored_id, added), ('00000000-0000-0000-0000-000000000000', added)
    ON CONFLICT (by_id) DO UPDATE SET bytes = kept.bytes + EXCLUDED.bytes;
  RETURN NULL;
END $$;
CREATE TRIGGER stored_bytes_changed AFTER INSERT OR UPDATE OR DELETE ON stored_bytes
  FOR EACH ROW EXECUTE FUNCTION sum_stored_bytes();

-- The rows do not show who stored a sealed message: those of an owner with records are attributed to the latest institution.
INSERT INTO stored_bytes (owner_id, by_id, bytes)
  SELECT owner_id, by_id, sum(bytes) FROM (
    SELECT owner_id, ieo_id AS by_id, octet_length(ciphertext) AS bytes FROM records
    UNION ALL
    SELECT owner_id, coalesce((SELECT ieo_id FROM records r WHERE r.owner_id = v.owner_id ORDER BY collected_at DESC LIMIT 1), owner_id),
      octet_length(ciphertext)
    FROM vault_rows v WHERE id LIKE 'sealed:%'
  ) kept GROUP BY 1, 2;
`;
