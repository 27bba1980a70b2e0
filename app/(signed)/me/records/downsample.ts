/** The first, lowest, highest and last point of a pixel column draw the same line as all of its points. */
const POINTS_PER_COLUMN = 4;

/**
 * The ascending indices of the points that a chart `columns` pixels wide must draw: all if they are few, otherwise the first,
 * lowest, highest and last of each column. `xs` is ascending.
 */
export function downsample(xs: ArrayLike<number>, ys: ArrayLike<number>, columns: number): number[] {
  const count = xs.length;
  const [first = 0, last = 0] = [xs[0], xs[count - 1]];
  if (count <= columns * POINTS_PER_COLUMN || columns < 1 || last <= first)
    return Array.from({ length: count }, (_, index) => index);
  const columnOf = (index: number): number =>
    Math.min(columns - 1, Math.floor((((xs[index] ?? first) - first) / (last - first)) * columns));
  const at = (index: number): number => ys[index] ?? 0;
  const kept: number[] = [];
  for (let start = 0; start < count; ) {
    const column = columnOf(start);
    let [end, low, high] = [start, start, start];
    while (end + 1 < count && columnOf(end + 1) === column) {
      end++;
      if (at(end) < at(low)) low = end;
      if (at(end) > at(high)) high = end;
    }
    kept.push(...[...new Set([start, low, high, end])].sort((one, other) => one - other));
    start = end + 1;
  }
  return kept;
}
