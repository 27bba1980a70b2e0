import { Drawing, type PictureProps } from './drawing.tsx';

const KEY =
  'M20 0a20 20 0 0 1 19 14h49a5 5 0 0 1 5 5v15a4 4 0 0 1-8 0v-8h-8v5a4 4 0 0 1-8 0v-5H39A20 20 0 1 1 20 0zm0 12a8 8 0 1 0 0 16a8 8 0 0 0 0-16z';

/** A new key above the outline of the one before. */
export function KeyReplaced({ className = '' }: PictureProps) {
  return (
    <Drawing className={className}>
      <path
        d={KEY}
        transform="translate(100 78)"
        fill="none"
        strokeWidth="3"
        strokeDasharray="6 7"
        className="stroke-accent"
      />
      <path d={KEY} fillRule="evenodd" transform="translate(60 26) scale(1.15)" className="fill-warm" />
    </Drawing>
  );
}
