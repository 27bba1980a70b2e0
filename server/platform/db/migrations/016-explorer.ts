/** Indexes for the explorer: the entries of a function, and the search for institutions that are not active. */
export const explorer = `
CREATE INDEX ledger_entries_of_function ON ledger_entries (function, seq);
-- Its condition matches no other index, like those of 015-institution-lists.
CREATE INDEX ieos_words_inactive ON ieos USING gin (ieo_words(display_name, domain)) WHERE status || '' <> 'ACTIVE';
`;
