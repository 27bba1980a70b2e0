import { clsx } from 'clsx';

/** The outline of a shield, 24 by 24. */
export const OUTLINE =
  'M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z';

const LEFT_HALF =
  'M12 22c-.1 0-.2 0-.33-.06C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72.2-.18.5-.25.76-.25z';

/** What is drawn inside of each: a check, the hands of a clock, or nothing. */
const INSIDE = { full: 'm8.5 12 2.5 2.5 4.5-5', half: null, waiting: 'M12 8.5v4l2.5 1.5', empty: null };

export type ShieldState = keyof typeof INSIDE;

type ShieldsProps = {
  states: readonly ShieldState[];
  /** Drawn on them in place of the symbols, where they are known. */
  initials?: readonly (string | null)[];
  /** Says the same in words; null where a text beside them does. */
  label: string | null;
  className?: string;
};

/** A row of shields: filled with a check, half filled, dashed with a clock, or dashed. */
export function Shields({ states, initials, label, className }: ShieldsProps) {
  return (
    <span
      {...(label === null ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      className={clsx('flex flex-wrap gap-2', className)}
    >
      {states.map((state, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places have no other key
        <Shield key={place} state={state} initials={initials?.[place] ?? null} />
      ))}
    </span>
  );
}

/** The confirmations of a recovery; a text beside them says the same. */
export function Confirmations({ given, needed }: { given: number; needed: number }) {
  return (
    <Shields states={Array.from({ length: needed }, (_, place) => (place < given ? 'full' : 'empty'))} label={null} />
  );
}

function Shield({ state, initials }: { state: ShieldState; initials: string | null }) {
  const isFilled = state === 'full' || state === 'half';
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={clsx(
        'size-12 shrink-0 stroke-current forced-colors:text-current',
        isFilled ? 'text-accent' : 'text-edge',
      )}
    >
      <path d={OUTLINE} strokeDasharray={isFilled ? undefined : '2.5 2.5'} />
      {isFilled && <path d={state === 'half' ? LEFT_HALF : OUTLINE} fill="currentColor" />}
      {initials !== null && (
        <text
          x="12"
          y="15"
          textAnchor="middle"
          fontSize="7.5"
          fontWeight="700"
          strokeWidth={state === 'half' ? 3 : 0}
          paintOrder="stroke"
          className={clsx(
            'stroke-surface',
            state === 'full' ? 'fill-on-accent forced-colors:fill-[Canvas]' : 'fill-ink',
          )}
        >
          {initials}
        </text>
      )}
      {initials === null && INSIDE[state] && (
        <path
          d={INSIDE[state]}
          strokeWidth="2"
          className={isFilled ? 'stroke-on-accent forced-colors:stroke-[Canvas]' : undefined}
        />
      )}
    </svg>
  );
}

const MAX_INITIALS = 2;

/** “MS” for “Maria Silva”; null for a name without letters. */
export function initialsOf(name: string, locale: string): string | null {
  const letters = name.match(/\p{L}+/gu)?.map(([first = '']) => first.toLocaleUpperCase(locale)) ?? [];
  return letters.slice(0, MAX_INITIALS).join('') || null;
}
