/** Indexes for the explorer and the dashboard: an entity's history, an institution's consents, the search for institutions. */
export const dashboard = `
CREATE INDEX ledger_entries_of_entity ON ledger_entries (entity_id, seq DESC);
CREATE INDEX tokens_to_institution ON tokens (grantee_id, created_seq DESC) WHERE grantee_kind = 'IEO';
CREATE INDEX ieos_words ON ieos USING gin (
  to_tsvector('simple', coalesce(display_name, '') || ' ' || translate(domain, '.-', '  '))
) WHERE status = 'ACTIVE';
`;
