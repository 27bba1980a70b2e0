import { Drawing, Figure, House, type PictureProps, Seal, Sheet } from './drawing.tsx';

/** A person hands a sealed consent to an institution. */
export function GiveConsent({ className = '' }: PictureProps) {
  return (
    <Drawing className={className}>
      <Figure x={50} y={40} foot={96} />
      <House x={156} y={52} />
      <path d="M64 102q22 0 30-16" fill="none" strokeWidth="10" strokeLinecap="round" className="stroke-accent" />
      <Sheet x={84} y={28} />
      <Seal x={132} y={88} />
    </Drawing>
  );
}
