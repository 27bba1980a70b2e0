/** The submitter's id of a record, as a keyed digest: see server/features/records/client-record-ids.ts. */
export const clientRecordIds = `
ALTER TABLE records ADD COLUMN client_ref bytea;
CREATE INDEX records_client_ref ON records (owner_id, client_ref, biomarker, seq DESC, position DESC) WHERE client_ref IS NOT NULL;
`;
