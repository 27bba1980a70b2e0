import { Drawing, type PictureProps, Seal } from './drawing.tsx';

const LEFT = 'M120 16c-14 12-30 18-44 18v38c0 34 20 52 44 62z';
const RIGHT = 'M120 16c14 12 30 18 44 18v38c0 34-20 52-44 62z';

/** The two halves of a shield close over a seal. */
export function ShieldClosing({ className = '' }: PictureProps) {
  return (
    <Drawing className={className}>
      <path d={LEFT} className="animate-close-left fill-accent" />
      <path d={RIGHT} className="animate-close-right fill-accent-strong" />
      <Seal x={120} y={70} scale={1.5} />
    </Drawing>
  );
}
