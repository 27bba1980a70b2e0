export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The value may still grow, such as that of today. */
  readonly open?: boolean;
}

type BarChartProps = {
  /** What the chart shows, in a sentence. */
  label: string;
  bars: readonly Bar[];
  className?: string;
};

const HEIGHT = 100;
const STEP = 20;
const WIDTH = 15;
/** The lowest bar of a value above zero, so that it can be seen. */
const LOWEST = 3;

/** Bars over time, drawn on the server. A table beside it has the values. */
export function BarChart({ label, bars, className }: BarChartProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const heightOf = (value: number) => (value === 0 ? 1 : Math.max(LOWEST, (value / most) * HEIGHT));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={className}
    >
      {bars.map(({ name, value, open }, index) => (
        <rect
          key={name}
          x={index * STEP + (STEP - WIDTH) / 2}
          y={HEIGHT - heightOf(value)}
          width={WIDTH}
          height={heightOf(value)}
          className={value === 0 ? 'fill-edge' : open ? 'fill-accent/60' : 'fill-accent'}
        >
          <title>{`${name}: ${value}`}</title>
        </rect>
      ))}
    </svg>
  );
}
