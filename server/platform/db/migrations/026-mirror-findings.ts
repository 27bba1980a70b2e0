/** What a verifying mirror found about postings, which does not end its following. Empty in the database of a service. */
export const mirrorFindings = `
CREATE TABLE mirror_findings (
  kind text NOT NULL,
  seq bigint NOT NULL,
  sentence text NOT NULL,
  found_at timestamptz NOT NULL,
  PRIMARY KEY (kind, seq)
);
`;
