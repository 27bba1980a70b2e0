import { Drawing, type PictureProps } from './drawing.tsx';

/** An outline where a card was; the layers below stay. */
export function Destroyed({ className = '' }: PictureProps) {
  return (
    <Drawing className={className}>
      <rect
        x="56"
        y="36"
        width="128"
        height="80"
        rx="9"
        fill="none"
        strokeWidth="3"
        strokeDasharray="6 8"
        className="stroke-accent"
      />
      <g className="fill-accent" opacity="0.55">
        <rect x="74" y="56" width="14" height="14" rx="2" />
        <rect x="150" y="30" width="10" height="10" rx="2" transform="rotate(20 155 35)" />
        <rect x="170" y="62" width="8" height="8" rx="2" transform="rotate(-15 174 66)" />
        <rect x="104" y="88" width="9" height="9" rx="2" transform="rotate(12 108 92)" />
        <rect x="132" y="62" width="12" height="12" rx="2" transform="rotate(-10 138 68)" />
      </g>
      <rect x="112" y="12" width="11" height="11" rx="2" transform="rotate(-18 117 17)" className="fill-warm" />
    </Drawing>
  );
}
