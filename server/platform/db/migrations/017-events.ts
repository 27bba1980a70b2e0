/**
 * Indexes from which events are derived: the consents of an institution that were revoked or expire, and corrected
 * records. None has a column that a submission of records changes (tokens.seq): its update of the token stays heap-only.
 */
export const events = `
CREATE INDEX tokens_revoked ON tokens (grantee_id, revoked_at) WHERE grantee_kind = 'IEO' AND revoked_at IS NOT NULL;
CREATE INDEX tokens_expiring ON tokens (grantee_id, expires_at) WHERE grantee_kind = 'IEO' AND expires_at IS NOT NULL;
CREATE INDEX records_superseded ON records (superseded_seq, id) WHERE superseded_seq IS NOT NULL;
CREATE INDEX ieos_with_webhook ON ieos (id) WHERE contacts ->> 'webhookUrl' IS NOT NULL;
`;
