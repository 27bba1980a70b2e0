/**
 * Transactions that were posted but not mined when `restore --abandon-pending` left them out. They are no evidence that this
 * database lost entries.
 */
export const abandonedTransactions = `
ALTER TABLE ledger_head ADD COLUMN abandoned_tx text[] NOT NULL DEFAULT '{}';
`;
