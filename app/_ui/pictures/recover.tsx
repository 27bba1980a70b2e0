import { Drawing, Figure, type PictureProps } from './drawing.tsx';

/** Two people hold up a new key. */
export function Recover({ className = '' }: PictureProps) {
  return (
    <Drawing className={className}>
      <Figure x={52} y={50} foot={86} />
      <Figure x={188} y={50} foot={86} />
      <path
        d="M66 100q22-6 26-32M174 100q-22-6-26-32"
        fill="none"
        strokeWidth="10"
        strokeLinecap="round"
        className="stroke-accent"
      />
      <path
        fillRule="evenodd"
        d="M94 28a19 19 0 0 1 18 13h49a5 5 0 0 1 5 5v15a4 4 0 0 1-8 0v-8h-8v5a4 4 0 0 1-8 0v-5h-30a19 19 0 1 1-18-25zm0 11a8 8 0 1 0 0 16a8 8 0 0 0 0-16z"
        className="fill-warm"
      />
    </Drawing>
  );
}
