/** Many values of bytes as one, and where each of them lies in it, counted from 1. */
export function runOf(values: readonly Buffer[]): { bytes: Buffer; starts: number[]; lengths: number[] } {
  let end = 1;
  const starts = values.map(({ length }) => {
    end += length;
    return end - length;
  });
  return { bytes: Buffer.concat(values), starts, lengths: values.map(({ length }) => length) };
}
