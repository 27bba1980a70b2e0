import { Drawing, Figure, type PictureProps, Seal, Sheet } from './drawing.tsx';

/** Sheets with results, the last one sealed, beside the person they are about. */
export function Submitted({ className = '' }: PictureProps) {
  return (
    <Drawing className={className}>
      <Sheet x={52} y={36} />
      <Sheet x={66} y={48} />
      <Sheet x={80} y={60} />
      <Seal x={130} y={118} />
      <Figure x={182} y={40} foot={96} />
    </Drawing>
  );
}
