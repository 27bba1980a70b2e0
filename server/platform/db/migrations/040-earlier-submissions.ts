/** Fills the table of 035 with what its trigger did not see: a large ledger has many submissions, and each item is read. */
export const earlierSubmissions = `
INSERT INTO submissions (grantee_id, seq, token_id, records)
  SELECT t.grantee_id, e.seq, t.id, count_commitments(e.item)
  FROM ledger_entries e JOIN tokens t ON t.id = e.entity_id WHERE e.function = 'submitRecords'
  ON CONFLICT DO NOTHING;
`;
