import type uPlot from 'uplot';
import { assessRecord, type RangePosition } from '../../../../../protocol/clinical/assess.ts';
import type { BioRecord } from '../../../../../protocol/records/record.ts';
import type { Mark } from './series.ts';

/** In px of CSS. */
const SIZE = 7;
const SMALL_SIZE = 4;

type Paint = { colour: (name: string) => string; small: boolean };

/** What the shape of a value shows; null for a circle. */
export const worstDeviation = (record: BioRecord): RangePosition | null =>
  (record.status === 'ACTIVE' ? assessRecord(record).deviations[0] : null) ?? null;

/** Marks the values outside of a range stated with them by shape and colour: triangles, and diamonds for deficient and toxic ones. Critical ones have the colour of danger. A value without a number is a bar on the time axis. */
export function drawMarks(
  plot: uPlot,
  points: readonly (Mark & { readonly value: number | null })[],
  { colour, small }: Paint,
): void {
  const { ctx, bbox } = plot;
  const size = (small ? SMALL_SIZE : SIZE) * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left - size, bbox.top - size, bbox.width + 2 * size, bbox.height + 2 * size);
  ctx.clip();
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.strokeStyle = colour('--surface');
  for (const { at, value, record } of points) {
    const worst = worstDeviation(record);
    const x = plot.valToPos(at / 1_000, 'x', true);
    if (value === null) {
      ctx.fillStyle = colour(worst ? '--danger-edge' : '--accent');
      ctx.fillRect(x - size / 3, bbox.top + bbox.height - 3 * size, (2 * size) / 3, 3 * size);
      continue;
    }
    if (!worst) continue;
    const y = plot.valToPos(value, 'y', true);
    ctx.fillStyle = colour(worst.side === 'within' || worst.name === 'critical' ? '--danger-edge' : '--caution-edge');
    ctx.beginPath();
    for (const [dx, dy] of CORNERS[worst.side]) ctx.lineTo(x + dx * size, y + dy * size);
    ctx.closePath();
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}

const CORNERS: Record<RangePosition['side'], readonly (readonly [x: number, y: number])[]> = {
  above: [
    [0, -1.1],
    [1, 0.8],
    [-1, 0.8],
  ],
  below: [
    [0, 1.1],
    [1, -0.8],
    [-1, -0.8],
  ],
  within: [
    [0, -1.15],
    [1.15, 0],
    [0, 1.15],
    [-1.15, 0],
  ],
};
