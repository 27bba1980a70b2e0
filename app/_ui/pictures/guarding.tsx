import { OUTLINE } from '../shields.tsx';
import { Drawing, Figure, type PictureProps } from './drawing.tsx';

/** A person holds a shield over someone else's card. */
export function Guarding({ className = '' }: PictureProps) {
  return (
    <Drawing className={className}>
      <Figure x={66} y={40} foot={96} />
      <rect x="126" y="84" width="76" height="48" rx="6" strokeWidth="3" className="fill-surface stroke-accent" />
      <path
        d="M138 100h34M138 112h22"
        strokeWidth="4.5"
        strokeLinecap="round"
        opacity="0.55"
        className="stroke-accent"
      />
      <path d="M88 92q26 2 34-16" fill="none" strokeWidth="10" strokeLinecap="round" className="stroke-accent" />
      <path d={OUTLINE} transform="translate(112 14) scale(3.4)" className="fill-warm" />
      <path
        d="m140 54 9 9 17-18"
        fill="none"
        strokeWidth="6"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-warm"
      />
    </Drawing>
  );
}
