/** Keeps the previous version, which ignores cancellations, from letting guardians confirm a cancelled recovery. Protocol §3. */
export const cancelledRecoveries = `
CREATE FUNCTION keep_cancellations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A recovery ends the cancellations before it. The previous version keeps them.
  IF EXISTS (SELECT FROM jsonb_array_elements(NEW.recovery -> 'cancelled') AS one
    WHERE NEW.recovery -> 'requests' @> jsonb_build_array(jsonb_build_object('requestId', one -> 'requestId'))
      OR one ->> 'at' < NEW.recovery ->> 'recoveredAt') THEN
    RAISE EXCEPTION 'A recovery of the identity % was cancelled by another process.', NEW.id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER beos_stay_cancelled BEFORE UPDATE ON beos FOR EACH ROW
  WHEN (NEW.recovery ? 'cancelled') EXECUTE FUNCTION keep_cancellations();
`;
