import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export type PictureProps = { className?: string };

type DrawingProps = PictureProps & { width?: number; height?: number; children: ReactNode };

/**
 * The style of every picture: flat shapes in two tones of the theme, which stand on the layers of the logo. The warm colour marks the
 * one thing that the picture is about. A text beside it says the same, so screen readers skip it.
 */
export function Drawing({ className, width = 240, height = 160, children }: DrawingProps) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      className={clsx('h-auto max-w-full forced-color-adjust-none', className)}
    >
      <circle cx={width / 2} cy={height * 0.45} r={height * 0.42} className="fill-accent-soft" />
      {children}
      <g transform={`translate(16 ${height - GROUND})`} className="fill-accent">
        <g opacity="0.45">
          <rect width={width * 0.15} height="5" rx="2.5" />
          <rect x={width * 0.15 + 7} width={width * 0.42} height="5" rx="2.5" />
          <rect x={width * 0.57 + 14} width={width * 0.43 - 46} height="5" rx="2.5" />
        </g>
        <rect y="10" width={width - 32} height="8" rx="2.5" />
      </g>
    </svg>
  );
}

/** The height of the ground, on which figures and buildings stand. */
const GROUND = 24;

/** A person from the head, at the origin, to `foot`. */
export const Figure = ({ x, y, foot }: { x: number; y: number; foot: number }) => (
  <g transform={`translate(${x} ${y})`} className="fill-accent">
    <circle cy="14" r="14" />
    <path d={`M-24 ${foot}V54a24 22 0 0 1 48 0V${foot}z`} />
  </g>
);

type PlacedProps = { x: number; y: number; scale?: number };

/** An institution, 84 high. */
export const House = ({ x, y, scale = 1 }: PlacedProps) => (
  <g transform={`translate(${x} ${y}) scale(${scale})`}>
    <path
      d="M6 13h56v71H6zM4 0h60a4 4 0 0 1 4 4v5a4 4 0 0 1-4 4H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z"
      className="fill-accent"
    />
    <path d="M30 22h8v8h8v8h-8v8h-8v-8h-8v-8h8zM26 84V66a8 8 0 0 1 16 0v18z" className="fill-accent-soft" />
  </g>
);

/** A sheet of paper with lines, 52 by 64. */
export const Sheet = ({ x, y, scale = 1 }: PlacedProps) => (
  <g transform={`translate(${x} ${y}) scale(${scale})`}>
    <rect width="52" height="64" rx="5" className="fill-surface stroke-accent" strokeWidth="3" />
    <path
      d="M12 16h28M12 26h20M12 36h25"
      strokeWidth="4.5"
      strokeLinecap="round"
      opacity="0.55"
      className="stroke-accent"
    />
  </g>
);

/** A seal with a check, around its centre. */
export const Seal = ({ x, y, scale = 1 }: PlacedProps) => (
  <g transform={`translate(${x} ${y}) scale(${scale})`}>
    <circle r="14" className="fill-warm" />
    <path
      d="m-6 0 4.5 4.5L6-4.5"
      fill="none"
      strokeWidth="4"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="stroke-on-warm"
    />
  </g>
);
