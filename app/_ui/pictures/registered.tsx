import { Drawing, House, type PictureProps, Seal } from './drawing.tsx';

/** An institution with its seal. */
export function Registered({ className = '' }: PictureProps) {
  return (
    <Drawing className={className}>
      <House x={76} y={30} scale={1.27} />
      <Seal x={166} y={46} scale={1.4} />
    </Drawing>
  );
}
