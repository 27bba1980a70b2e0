import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type Band, boundsText, type RangeName } from '../../../../../protocol/clinical/ranges.ts';
import { dateFormat, numberFormat } from '../../../../_i18n/formats.ts';
import { downsample } from '../downsample.ts';
import { followFinger, snapped } from './crosshair.ts';
import { drawMarks } from './draw-marks.ts';
import { freeLeft } from './label-place.ts';
import type { Mark, Point, Series } from './series.ts';
import { valueAxis } from './value-axis.ts';

export interface ChartOptions {
  readonly series: Series;
  readonly bands: readonly Band[];
  /** The label of a band. */
  readonly nameOf: (band: RangeName) => string;
  /** BCP 47. */
  readonly region: string;
  /** Receives the point under the cursor. */
  readonly onPoint: (point: Mark | null) => void;
}

const HEIGHT = 300;
const FEW_POINTS = 150;
/** The order in which bands are drawn: the optimal range covers the others. */
const DRAW_ORDER: readonly RangeName[] = ['functional', 'deficiency', 'toxicity', 'critical', 'optimal'];
const LABEL_HEIGHT = 18;
/** Of the largest mark of a value. */
const MARK_RADIUS = 9;

/** Draws a chart as wide as `host` in the current colours of the page. @returns a function that removes it */
export function drawChart(host: HTMLElement, { series, bands, nameOf, region, onPoint }: ChartOptions): () => void {
  const colour = coloursOf(host);
  const font = `13px ${getComputedStyle(host).fontFamily}`;
  const width = Math.max(host.clientWidth, 1);
  const { points, data } = aligned(series, width);
  const axisSpan = valueAxis(series, bands);
  const showsPoints = points.length <= FEW_POINTS;
  const number = numberFormat(region, { maximumSignificantDigits: 6 });
  const axis = {
    stroke: colour('--muted'),
    font,
    ticks: { stroke: colour('--line'), width: 1 },
    grid: { stroke: colour('--line'), width: 1 },
  };
  // An arrow where a bound is beyond the axis, which fits the values.
  const labelOf = ({ name, low, high }: Band): string => {
    const [first, last] = [finite(low), finite(high)];
    // The band of what is critically low ends at the lower bound.
    const bounds = name === 'critical' ? { low: last, high: first } : { low: first, high: last };
    const beyond = [last !== null && last > axisSpan.high && '↑', first !== null && first < axisSpan.low && '↓'];
    return [nameOf(name), boundsText(name, bounds), ...beyond].filter(Boolean).join(' ');
  };
  let shown: Mark | null = null;

  const chart = new uPlot(
    {
      width,
      height: HEIGHT,
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: false, y: false },
        move: snapped,
        points: { size: 11, fill: colour('--surface'), stroke: colour('--accent'), width: 3 },
      },
      scales: {
        x: { range: (_, from, to) => padded(from, to, 0.02, 86_400) },
        y: { range: [axisSpan.low, axisSpan.high] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 90,
          values: (_, at, __, ___, step) => at.map(timeLabels(region, step)),
        },
        { ...axis, size: axisWidth, values: (_, at) => at.map((value) => number.format(value)) },
      ],
      series: [
        {},
        {
          stroke: colour('--accent'),
          width: 2,
          spanGaps: true,
          points: { show: showsPoints, size: 8, fill: colour('--accent'), stroke: colour('--accent') },
        },
        {
          stroke: colour('--muted'),
          width: 0,
          paths: () => null,
          points: { show: true, size: 8, width: 2, fill: colour('--surface'), stroke: colour('--muted') },
        },
      ],
      hooks: {
        drawClear: [(plot) => drawBands(plot, bands, points, { colour, font, labelOf })],
        draw: [(plot) => drawMarks(plot, points, { colour, small: !showsPoints })],
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
  const release = followFinger(chart);
  return () => {
    release();
    chart.destroy();
    onPoint(null);
  };
}

/** Current and superseded points on one time axis, downsampled to the width, and the records without a number. */
function aligned({ current, superseded, undrawn }: Series, width: number) {
  const reduce = (all: readonly Point[]): Point[] => {
    const indices = downsample(
      all.map(({ at }) => at),
      all.map(({ value }) => value),
      width,
    );
    return indices.flatMap((index) => all[index] ?? []);
  };
  const [shown, replaced] = [reduce(current), reduce(superseded)];
  const marks = undrawn.map((mark) => ({ ...mark, value: null }));
  const points = [...shown, ...replaced, ...marks].sort((one, other) => one.at - other.at);
  const isReplaced = new Set<Mark>(replaced);
  const data: uPlot.AlignedData = [
    points.map(({ at }) => at / 1_000),
    points.map((point) => (isReplaced.has(point) ? null : point.value)),
    points.map((point) => (isReplaced.has(point) ? point.value : null)),
  ];
  return { points, data };
}

/** The current values of the colours in tokens.css: a canvas does not resolve CSS variables. */
function coloursOf(host: HTMLElement): (name: string) => string {
  const probe = document.createElement('span');
  host.append(probe);
  const names = [
    'muted',
    'line',
    'surface',
    'accent',
    'accent-soft',
    'caution-soft',
    'caution-edge',
    'danger-soft',
    'danger-edge',
  ];
  const values = new Map(
    names.map((name) => {
      probe.style.color = `var(--${name})`;
      return [`--${name}`, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return (name) => values.get(name) ?? 'currentColor';
}

function padded(from: number, to: number, share: number, least: number): [number, number] {
  const margin = to > from ? (to - from) * share : least;
  return [from - margin, to + margin];
}

const finite = (end: number): number | null => (Number.isFinite(end) ? end : null);

type Paint = { colour: (name: string) => string; font: string; labelOf: (band: Band) => string };

function drawBands(
  plot: uPlot,
  bands: readonly Band[],
  points: readonly (Mark & { readonly value: number | null })[],
  { colour, font, labelOf }: Paint,
): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const clampedTop = (value: number): number =>
    Math.min(Math.max(plot.valToPos(value, 'y', true), bbox.top), bbox.top + bbox.height);
  const fills: Record<RangeName, string> = {
    functional: colour('--line'),
    optimal: colour('--accent-soft'),
    deficiency: colour('--caution-soft'),
    toxicity: colour('--danger-soft'),
    critical: colour('--danger-soft'),
  };
  ctx.save();
  const inOrder = bands.toSorted((one, other) => DRAW_ORDER.indexOf(one.name) - DRAW_ORDER.indexOf(other.name));
  for (const { name, low, high } of inOrder) {
    const [top, bottom] = [clampedTop(high), clampedTop(low)];
    ctx.globalAlpha = name === 'functional' ? 0.45 : 1;
    ctx.fillStyle = fills[name];
    ctx.fillRect(bbox.left, top, bbox.width, bottom - top);
  }
  const places = points.map(
    ({ at, value }) =>
      [
        plot.valToPos(at / 1_000, 'x', true),
        value === null ? bbox.top + bbox.height : plot.valToPos(value, 'y', true),
      ] as const,
  );
  const inset = 6 * scale;
  const inside = { left: bbox.left + inset, width: bbox.width - 2 * inset };
  ctx.globalAlpha = 1;
  ctx.fillStyle = colour('--muted');
  ctx.font = font.replace('13px', `${12 * scale}px`);
  ctx.textBaseline = 'top';
  let labelEnd = Number.NEGATIVE_INFINITY;
  const fromAbove = inOrder.toSorted((one, other) => clampedTop(one.high) - clampedTop(other.high));
  for (const band of fromAbove) {
    const top = clampedTop(band.high);
    if (clampedTop(band.low) - top < LABEL_HEIGHT * scale || top < labelEnd) continue;
    const text = labelOf(band);
    const label = { top, width: ctx.measureText(text).width, height: LABEL_HEIGHT * scale };
    ctx.fillText(text, freeLeft(label, inside, places, MARK_RADIUS * scale), top + 4 * scale);
    labelEnd = top + LABEL_HEIGHT * scale;
  }
  ctx.restore();
}

/** As wide as the longest label. */
function axisWidth(plot: uPlot, values: string[] | null): number {
  const longest = Math.max(0, ...(values ?? []).map((text) => text.length));
  return Math.max(44, 18 + longest * 8) + (plot.axes[1]?.gap ?? 0);
}

const DAY_SECONDS = 86_400;

/** Formats the labels of the time axis; `step` in seconds. */
function timeLabels(region: string, step: number): (at: number) => string {
  const form: Intl.DateTimeFormatOptions =
    step >= 28 * DAY_SECONDS
      ? { month: 'short', year: 'numeric' }
      : step >= DAY_SECONDS
        ? { day: 'numeric', month: 'short' }
        : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  const { format } = dateFormat(region, form);
  return (at) => format(at * 1_000);
}
