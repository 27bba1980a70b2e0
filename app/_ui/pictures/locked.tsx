import { Drawing, type PictureProps, Sheet } from './drawing.tsx';

/** Sheets behind a closed padlock. */
export function Locked({ className = '' }: PictureProps) {
  return (
    <Drawing className={className}>
      <g transform="rotate(-9 86 80)">
        <Sheet x={58} y={34} scale={1.15} />
      </g>
      <g transform="rotate(9 154 80)">
        <Sheet x={122} y={34} scale={1.15} />
      </g>
      <path d="M101 84V66a19 19 0 0 1 38 0v18" fill="none" strokeWidth="9" className="stroke-accent" />
      <rect x="86" y="80" width="68" height="56" rx="9" className="fill-accent" />
      <path d="M120 96a8 8 0 0 1 4 15l2 11h-12l2-11a8 8 0 0 1 4-15z" className="fill-warm" />
    </Drawing>
  );
}
