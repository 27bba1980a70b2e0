export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where a label begins so that no mark of `radius` around a point covers it: at the left of the plot, else at the right or in the middle. */
export function freeLeft(
  label: Pick<Box, 'top' | 'width' | 'height'>,
  plot: Pick<Box, 'left' | 'width'>,
  points: readonly (readonly [x: number, y: number])[],
  radius: number,
): number {
  const [left, right] = [plot.left, plot.left + plot.width - label.width];
  const isFree = (start: number): boolean =>
    !points.some(
      ([x, y]) =>
        x > start - radius &&
        x < start + label.width + radius &&
        y > label.top - radius &&
        y < label.top + label.height + radius,
    );
  return [left, right, (left + right) / 2].find(isFree) ?? left;
}
