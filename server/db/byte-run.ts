/**
 * Many values of bytes as one parameter, cut up again where they are kept: `substring($1::bytea FROM start FOR length)`, with
 * `unnest($2::int[], $3::int[]) AS r (start, length)`. In an array they would be written in hex, twice as long, and read again.
 */
export interface ByteRun {
  readonly bytes: Buffer;
  /** Of each value, counted from 1. */
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
