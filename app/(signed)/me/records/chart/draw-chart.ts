import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { dateFormat, numberFormat } from '../../../../_i18n/formats.ts';
import type { Band, RangeName } from '../../../../_ui/reference-range.ts';
import { downsample } from '../downsample.ts';
import type { Point, Series } from './series.ts';

export interface ChartGiven {
  readonly series: Series;
  readonly bands: readonly Band[];
  /** What is written into a band. */
  readonly nameOf: (band: RangeName) => string;
  /** BCP 47. */
  readonly region: string;
  /** The point under the cursor. */
  readonly onPoint: (point: Point | null) => void;
}

const HEIGHT = 300;
const FEW_POINTS = 150;
/** The usual range lies on top of what is around it. */
const ORDER: readonly RangeName[] = ['functional', 'deficiency', 'toxicity', 'optimal'];
const ROOM_FOR_NAME = 18;

/** Draws a chart as wide as `host` in the colours of the page as they are now. @returns what takes it away again */
export function drawChart(host: HTMLElement, { series, bands, nameOf, region, onPoint }: ChartGiven): () => void {
  const colour = coloursOf(host);
  const font = `13px ${getComputedStyle(host).fontFamily}`;
  const width = Math.max(host.clientWidth, 1);
  const { points, data } = aligned(series, width);
  const few = points.length <= FEW_POINTS;
  const number = numberFormat(region, { maximumSignificantDigits: 6 });
  const axis = {
    stroke: colour('--muted'),
    font,
    ticks: { stroke: colour('--line'), width: 1 },
    grid: { stroke: colour('--line'), width: 1 },
  };
  let shown: Point | null = null;

  const chart = new uPlot(
    {
      width,
      height: HEIGHT,
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: false, y: false },
        points: { size: 11, fill: colour('--surface'), stroke: colour('--accent'), width: 3 },
      },
      scales: {
        x: { range: (_, from, to) => padded(from, to, 0.02, 86_400) },
        y: { range: () => heights(series, bands) },
      },
      axes: [
        { ...axis, grid: { show: false }, space: 90, values: (_, at, __, ___, step) => at.map(dates(region, step)) },
        { ...axis, size: axisWidth, values: (_, at) => at.map((value) => number.format(value)) },
      ],
      series: [
        {},
        {
          stroke: colour('--accent'),
          width: 2,
          spanGaps: true,
          points: { show: few, size: 8, fill: colour('--accent'), stroke: colour('--accent') },
        },
        {
          stroke: colour('--muted'),
          width: 0,
          paths: () => null,
          points: { show: true, size: 8, width: 2, fill: colour('--surface'), stroke: colour('--muted') },
        },
      ],
      hooks: {
        drawClear: [(plot) => drawBands(plot, bands, { colour, font, nameOf })],
        setCursor: [
          ({ cursor: { idx } }) => {
            const point = (idx === null || idx === undefined ? null : points[idx]) ?? null;
            if (point === shown) return;
            shown = point;
            onPoint(point);
          },
        ],
      },
    },
    data,
    host,
  );
  return () => {
    chart.destroy();
    onPoint(null);
  };
}

/** Both kinds of points along one axis of time, no more of them than the width can show. */
function aligned({ guardiansStatus, superseded }: Series, width: number) {
  const few = (all: readonly Point[]): Point[] => {
    const indices = downsample(
      all.map(({ at }) => at),
      all.map(({ value }) => value),
      width,
    );
    return indices.flatMap((index) => all[index] ?? []);
  };
  const [shown, replaced] = [few(guardiansStatus), few(superseded)];
  const points = [...shown, ...replaced].sort((one, other) => one.at - other.at);
  const isReplaced = new Set(replaced);
  const data: uPlot.AlignedData = [
    points.map(({ at }) => at / 1_000),
    points.map((point) => (isReplaced.has(point) ? null : point.value)),
    points.map((point) => (isReplaced.has(point) ? point.value : null)),
  ];
  return { points, data };
}

/** What a colour of tokens.css is here and now: canvas does not know variables. */
function coloursOf(host: HTMLElement): (name: string) => string {
  const probe = document.createElement('span');
  host.append(probe);
  const names = ['ink', 'muted', 'line', 'surface', 'accent', 'accent-soft', 'caution-soft', 'danger-soft'];
  const found = new Map(
    names.map((name) => {
      probe.style.color = `var(--${name})`;
      return [`--${name}`, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return (name) => found.get(name) ?? 'currentColor';
}

function padded(from: number, to: number, share: number, least: number): [number, number] {
  const margin = to > from ? (to - from) * share : least;
  return [from - margin, to + margin];
}

/** A value that was replaced may be a slip by a power of ten: so many times the height of the others, and it is left out. */
const FAR = 1;

/** From the lowest to the highest value, and to where the usual range ends. */
function heights({ guardiansStatus, superseded }: Series, bands: readonly Band[]): [number, number] {
  const ends = bands.flatMap(({ name, low, high }) =>
    name === 'optimal' || name === 'functional' ? [low, high].filter(Number.isFinite) : [],
  );
  const replaced = superseded.map(({ value }) => value);
  const values = guardiansStatus.map(({ value }) => value);
  const [near, far] = [spanOf([...(values.length > 0 ? values : replaced), ...ends]), spanOf(replaced)];
  const reach = (near.high - near.low) * FAR;
  const lowest = far.low >= near.low - reach ? Math.min(near.low, far.low) : near.low;
  const highest = far.high <= near.high + reach ? Math.max(near.high, far.high) : near.high;
  const [low, high] = padded(lowest, highest, 0.1, Math.abs(lowest) * 0.1 || 1);
  return [lowest >= 0 ? Math.max(low, 0) : low, high];
}

function spanOf(values: readonly number[]): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return { low, high };
}

type Paint = { colour: (name: string) => string; font: string; nameOf: (band: RangeName) => string };

function drawBands(plot: uPlot, bands: readonly Band[], { colour, font, nameOf }: Paint): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const inside = (value: number): number =>
    Math.min(Math.max(plot.valToPos(value, 'y', true), bbox.top), bbox.top + bbox.height);
  const fills: Record<RangeName, string> = {
    functional: colour('--line'),
    optimal: colour('--accent-soft'),
    deficiency: colour('--caution-soft'),
    toxicity: colour('--danger-soft'),
  };
  ctx.save();
  const inOrder = bands.toSorted((one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name));
  for (const { name, low, high } of inOrder) {
    const [top, bottom] = [inside(high), inside(low)];
    ctx.globalAlpha = name === 'functional' ? 0.45 : 1;
    ctx.fillStyle = fills[name];
    ctx.fillRect(bbox.left, top, bbox.width, bottom - top);
  }
  ctx.globalAlpha = 1;
  ctx.fillStyle = colour('--muted');
  ctx.font = font.replace('13px', `${12 * scale}px`);
  ctx.textBaseline = 'top';
  let taken = Number.NEGATIVE_INFINITY;
  const fromAbove = inOrder.toSorted((one, other) => inside(one.high) - inside(other.high));
  for (const { name, low, high } of fromAbove) {
    const top = inside(high);
    if (inside(low) - top < ROOM_FOR_NAME * scale || top < taken) continue;
    ctx.fillText(nameOf(name), bbox.left + 6 * scale, top + 4 * scale);
    taken = top + ROOM_FOR_NAME * scale;
  }
  ctx.restore();
}

/** As wide as the longest number on it. */
function axisWidth(plot: uPlot, values: string[] | null): number {
  const longest = Math.max(0, ...(values ?? []).map((text) => text.length));
  return Math.max(44, 18 + longest * 8) + (plot.axes[1]?.gap ?? 0);
}

const DAY_SECONDS = 86_400;

/** How a time is written on an axis whose steps are so many seconds. */
function dates(region: string, step: number): (at: number) => string {
  const form: Intl.DateTimeFormatOptions =
    step >= 365 * DAY_SECONDS
      ? { year: 'numeric' }
      : step >= 28 * DAY_SECONDS
        ? { month: 'short', year: 'numeric' }
        : step >= DAY_SECONDS
          ? { day: 'numeric', month: 'short' }
          : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  const { format } = dateFormat(region, form);
  return (at) => format(at * 1_000);
}
