/**
 * Signed and unsigned recovery requests have separate limits. Each stores keyed hashes of the client's address:
 * `requester` of its /24 or /48, `network` of its /16 or /32. Mailings are counted per requester.
 */
export const recoveryRooms = `
ALTER TABLE recovery_requests
  ADD COLUMN is_signed boolean NOT NULL DEFAULT false,
  ADD COLUMN requester bytea,
  ADD COLUMN network bytea;

ALTER TABLE recovery_mailings
  ADD COLUMN requester bytea NOT NULL DEFAULT '',
  DROP CONSTRAINT recovery_mailings_pkey,
  ADD PRIMARY KEY (beo_id, requester);
CREATE INDEX recovery_mailings_mailed ON recovery_mailings (mailed_at);
`;
