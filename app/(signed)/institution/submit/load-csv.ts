/** Reading files needs a parser and the rules of records, which the form does without. */
export const loadCsv = () => import('./read-csv.ts');

export type Csv = Awaited<ReturnType<typeof loadCsv>>;
