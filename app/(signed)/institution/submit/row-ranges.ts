/** The most ranges that a sentence names. */
const MAX_RANGES = 4;

/** Rows in ascending order as ranges, “2” or “4–8”, and the number of rows beyond the first few ranges. */
export function rowRanges(rows: readonly number[]): { readonly ranges: readonly string[]; readonly more: number } {
  const ranges: { first: number; last: number }[] = [];
  for (const row of rows) {
    const range = ranges.at(-1);
    if (range && row === range.last + 1) range.last = row;
    else ranges.push({ first: row, last: row });
  }
  return {
    ranges: ranges.slice(0, MAX_RANGES).map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`)),
    more: ranges.slice(MAX_RANGES).reduce((sum, { first, last }) => sum + last - first + 1, 0),
  };
}
