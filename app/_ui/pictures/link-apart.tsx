import { Drawing, type PictureProps } from './drawing.tsx';

/** An envelope beside a link whose halves have come apart. */
export function LinkApart({ className = '' }: PictureProps) {
  return (
    <Drawing className={className}>
      <rect x="46" y="56" width="88" height="62" rx="6" strokeWidth="3" className="fill-surface stroke-accent" />
      <path d="m48 62 42 30 42-30" fill="none" strokeWidth="4.5" strokeLinejoin="round" className="stroke-accent" />
      <g fill="none" strokeWidth="8" strokeLinecap="round">
        <path d="M166 66h-8a14 14 0 0 0 0 28h8" className="stroke-accent" />
        <path d="M184 58h8a14 14 0 0 1 0 28h-8" className="stroke-warm" />
      </g>
    </Drawing>
  );
}
