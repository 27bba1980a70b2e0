import { clsx } from 'clsx';
import { Logo } from '../logo.tsx';
import type { PictureProps } from './drawing.tsx';
import { Seal } from './drawing.tsx';

type IdentityCardProps = PictureProps & { name: string; note: string };

/** A card with the name of an identity, and a seal. */
export function IdentityCard({ name, note, className }: IdentityCardProps) {
  return (
    <div
      className={clsx(
        'relative flex aspect-8/5 w-full max-w-96 flex-col justify-between overflow-hidden rounded-lg bg-bedrock p-5 text-on-bedrock',
        className,
      )}
    >
      <svg aria-hidden viewBox="0 0 160 100" className="absolute inset-0 size-full forced-color-adjust-none">
        <circle cx="140" cy="14" r="62" className="fill-on-bedrock" opacity="0.07" />
        <circle cx="140" cy="14" r="40" className="fill-on-bedrock" opacity="0.07" />
        <Seal x={136} y={22} scale={0.8} />
      </svg>
      <Logo className="size-9" />
      <div className="relative min-w-0">
        <p className="text-xl leading-snug font-bold break-words">{name}</p>
        <p className="text-sm text-on-bedrock-muted">{note}</p>
      </div>
    </div>
  );
}
