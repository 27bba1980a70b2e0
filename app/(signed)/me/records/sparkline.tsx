const WIDTH = 100;
const HEIGHT = 28;
const MARGIN = 3;

/** The course of the last values, for the eye only: the numbers stand beside it. */
export function Sparkline({ course }: { course: readonly number[] }) {
  if (course.length < 2) return null;
  const [low, high] = [Math.min(...course), Math.max(...course)];
  const places = course.map((value, index) => {
    const x = MARGIN + (index / (course.length - 1)) * (WIDTH - 2 * MARGIN);
    const share = high === low ? 0.5 : (value - low) / (high - low);
    return [x, HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)] as const;
  });
  const [x, y] = places.at(-1) ?? [0, 0];
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-7 w-25 shrink-0 text-accent forced-colors:text-current"
    >
      <polyline
        points={places.map((place) => place.map((part) => part.toFixed(1)).join(',')).join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <circle cx={x} cy={y} r="2.5" fill="currentColor" />
    </svg>
  );
}
