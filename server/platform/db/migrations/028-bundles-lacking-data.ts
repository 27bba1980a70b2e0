/** When a mined bundle was first found without its data: see server/ledger/confirm.ts. */
export const bundlesLackingData = `
ALTER TABLE bundles ADD COLUMN lacks_data_since timestamptz;
`;
