/** Digests of the domains of destroyed identities, which are never given again: of the names themselves nothing is kept. */
export const retiredNames = `
CREATE TABLE retired_names (
  digest bytea PRIMARY KEY
);

CREATE FUNCTION retire_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO retired_names (digest) VALUES (sha256(convert_to(NEW.id, 'UTF8'))) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER names_released AFTER INSERT OR UPDATE ON names FOR EACH ROW
  WHEN (NEW.holder_id IS NULL) EXECUTE FUNCTION retire_name();

-- Names released earlier are not stored any more, but in the entry that created their identity, at the end of the item.
INSERT INTO retired_names (digest)
  SELECT sha256(convert_to(lower(coalesce(entry -> 'message', entry -> 'public') ->> 'domain'), 'UTF8')) FROM (
    SELECT convert_from(substring(item FROM position('{"accepted_at":'::bytea IN item)), 'UTF8')::jsonb AS entry
    FROM ledger_entries JOIN beos ON beos.id::text = entity_id
    WHERE function = 'createBEO' AND status = 'DESTROYED') created
  ON CONFLICT DO NOTHING;
`;
