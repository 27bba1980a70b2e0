/** What a verifying mirror keeps besides the ledger and its state. Empty in the database of a service. */
export const mirror = `
CREATE TABLE mirror (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- What the mirror trusted when it began, or was given: the ledger's first key, its log, its wallet and its gateway.
  trust jsonb NOT NULL,
  -- What the replay keeps besides the entities.
  point jsonb NOT NULL,
  -- The latest head that the service signed over an entry which the mirror has verified.
  head jsonb,
  -- The first breach, with the name of its evidence file.
  breach jsonb
);
`;
