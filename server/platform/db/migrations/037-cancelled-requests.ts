/**
 * Requests that the holder closed before a guardian confirmed them; they are not on the ledger. The trigger keeps the previous version,
 * which does not know them, from storing a confirmation: it locks the request, as the cancellation does. Protocol §3.
 */
export const cancelledRequests = `
ALTER TABLE recovery_requests ADD COLUMN cancelled_at timestamptz;
CREATE INDEX recovery_requests_cancelled ON recovery_requests (beo_id, cancelled_at) WHERE cancelled_at IS NOT NULL;

CREATE FUNCTION keep_cancelled_requests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM recovery_requests WHERE id IN
    (SELECT (one ->> 'requestId')::uuid FROM jsonb_array_elements(NEW.recovery -> 'requests') AS one) FOR SHARE;
  IF EXISTS (SELECT FROM recovery_requests WHERE cancelled_at IS NOT NULL AND id IN
    (SELECT (one ->> 'requestId')::uuid FROM jsonb_array_elements(NEW.recovery -> 'requests') AS one)) THEN
    RAISE EXCEPTION 'A recovery of the identity % was cancelled by another process.', NEW.id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER beos_keep_cancelled_requests BEFORE UPDATE ON beos FOR EACH ROW
  WHEN (NEW.recovery -> 'requests' <> OLD.recovery -> 'requests' AND NEW.recovery -> 'requests' <> '[]')
  EXECUTE FUNCTION keep_cancelled_requests();
`;
