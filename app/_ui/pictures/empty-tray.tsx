import { Drawing, type PictureProps } from './drawing.tsx';

/** A tray with room for a sheet that is not there yet. */
export function EmptyTray({ className = '' }: PictureProps) {
  return (
    <Drawing className={className}>
      <rect
        x="94"
        y="22"
        width="52"
        height="64"
        rx="5"
        fill="none"
        strokeWidth="3"
        strokeDasharray="6 7"
        className="stroke-accent"
      />
      <path d="M60 84h34l8 14h36l8-14h34v44a8 8 0 0 1-8 8H68a8 8 0 0 1-8-8z" className="fill-accent" />
      <circle cx="120" cy="54" r="9" className="fill-warm" />
    </Drawing>
  );
}
