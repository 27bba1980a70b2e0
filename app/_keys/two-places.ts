/** Two different indices below `count`, at random, the smaller first. */
export function twoPlaces(count: number): [number, number] {
  const [first = 0, second = 0] = crypto.getRandomValues(new Uint32Array(2));
  const one = first % count;
  const other = (one + 1 + (second % (count - 1))) % count;
  return one < other ? [one, other] : [other, one];
}
