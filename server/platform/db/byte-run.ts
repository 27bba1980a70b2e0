/**
 * Many byte values as one parameter, split again by `substring($1::bytea FROM start FOR length)` with
 * `unnest($2::int[], $3::int[]) AS r (start, length)`. An array would be sent in hex, twice as long.
 */
export interface ByteRun {
  readonly bytes: Buffer;
  /** The position of each value, from 1. */
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
}

export function byteRun(values: readonly Uint8Array[]): ByteRun {
  const lengths = values.map(({ length }) => length);
  let end = 1;
  const starts = lengths.map((length) => {
    end += length;
    return end - length;
  });
  return { bytes: Buffer.concat(values), starts, lengths };
}
