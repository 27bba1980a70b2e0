/**
 * Changes of the relayer's key. The trigger keeps a process that still has a replaced key, also one of an earlier version, from
 * signing entries. Of a batch it reads the last entry: one key signs all of them. Keys in service_keys are wrapped by VAULT_KEY.
 */
export const relayerKeys = `
CREATE FUNCTION require_relayer_signature() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner text := (SELECT encode(substring(item FROM 67 FOR 32), 'hex') FROM ledger_entries WHERE seq = NEW.seq);
BEGIN
  IF owner <> OLD.relayer_public_key THEN
    RAISE EXCEPTION 'entry % is not signed by the current key of the relayer', NEW.seq;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER ledger_head_signed BEFORE UPDATE OF seq ON ledger_head
  FOR EACH ROW WHEN (NEW.seq > OLD.seq) EXECUTE FUNCTION require_relayer_signature();

CREATE TABLE service_keys (
  name text PRIMARY KEY,
  wrapped bytea NOT NULL,
  key_id text NOT NULL
);
`;
