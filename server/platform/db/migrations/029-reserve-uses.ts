/**
 * Operations that an identity, a guardian of it (`by` is the key), or the institute ordered on a day (UTC) beyond the operator's
 * budget: see server/write/spend-budget.ts.
 */
export const reserveUses = `
CREATE TABLE reserve_uses (
  day date NOT NULL,
  entity_id uuid NOT NULL,
  by text NOT NULL,
  uses integer NOT NULL,
  PRIMARY KEY (day, entity_id, by)
);
`;
