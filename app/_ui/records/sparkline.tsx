const WIDTH = 100;
const HEIGHT = 28;
const MARGIN = 3;

/** A line of the last values, hidden from screen readers: the numbers are beside it. */
export function Sparkline({ course }: { course: readonly number[] }) {
  if (course.length < 2) return null;
  const [low, high] = [Math.min(...course), Math.max(...course)];
  const points = course.map((value, index) => {
    const x = MARGIN + (index / (course.length - 1)) * (WIDTH - 2 * MARGIN);
    const share = high === low ? 0.5 : (value - low) / (high - low);
    return [x, HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)] as const;
  });
  const [x, y] = points.at(-1) ?? [0, 0];
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-7 w-25 shrink-0 text-accent forced-colors:text-current"
    >
      <polyline
        points={points.map((point) => point.map((coordinate) => coordinate.toFixed(1)).join(',')).join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <circle cx={x} cy={y} r="2.5" fill="currentColor" />
    </svg>
  );
}
