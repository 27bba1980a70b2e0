import { Drawing, House, type PictureProps, Seal, Sheet } from './drawing.tsx';

/** A person holds their records; one institution has their consent, another has not. */
export function YouDecide({ className = '' }: PictureProps) {
  return (
    <Drawing width={360} height={320} className={className}>
      <House x={18} y={212} />
      <House x={274} y={212} />
      <g fill="none" strokeWidth="4" strokeLinecap="round" className="stroke-accent">
        <path d="M214 178q60-26 92 22" />
        <path d="M146 178q-60-26-92 22" strokeDasharray="1 11" opacity="0.6" />
      </g>
      <path d="M180 48a32 32 0 1 1 0 64a32 32 0 0 1 0-64zM116 296V178a64 56 0 0 1 128 0v118z" className="fill-accent" />
      <Sheet x={138} y={158} scale={1.6} />
      <Seal x={218} y={252} scale={1.7} />
    </Drawing>
  );
}
