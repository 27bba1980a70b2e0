import { Drawing, type PictureProps } from './drawing.tsx';

/** Someone's card, with the name that is being written on it. */
export function ChooseName({ className = '' }: PictureProps) {
  return (
    <Drawing className={className}>
      <rect
        x="66"
        y="22"
        width="126"
        height="78"
        rx="9"
        transform="rotate(5 129 61)"
        opacity="0.45"
        className="fill-accent"
      />
      <rect x="52" y="34" width="136" height="84" rx="9" strokeWidth="3" className="fill-surface stroke-accent" />
      <circle cx="80" cy="66" r="16" className="fill-accent-soft" />
      <path d="M80 55a6 6 0 1 1 0 12a6 6 0 0 1 0-12zM70 79a10 9 0 0 1 20 0z" className="fill-accent" />
      <path d="M110 77h38M70 98h78" strokeWidth="4.5" strokeLinecap="round" opacity="0.55" className="stroke-accent" />
      <rect x="108" y="53" width="58" height="12" rx="3" className="fill-warm" />
      <rect x="171" y="49" width="3" height="20" rx="1.5" className="fill-accent" />
    </Drawing>
  );
}
