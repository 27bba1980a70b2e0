/** A row while an operator has paused posting. The previous version does not read it, and posts. */
export const postingPause = `
CREATE TABLE posting_pause (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  since timestamptz NOT NULL
);
`;
