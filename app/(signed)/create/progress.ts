import type { Begun } from './begun.ts';

/** The screens that are counted, in their order. */
export const STEPS = ['name', 'public', 'key', 'here', 'send'] as const;
export type Step = (typeof STEPS)[number];

export interface Progress {
  readonly begun: Begun;
  /** The key under the passphrase of this browser is there. */
  readonly sealed: boolean;
}

/** Whether the person has a copy that is right for the name: words are, a file bears the name that it was made for. */
export const hasCopy = ({ domain, copy }: Begun): boolean =>
  copy !== null && (copy.as === 'words' || copy.domain === domain);

/** The screen that is shown: the one asked for, unless something before it is missing. */
export function stepFor(asked: string | null, { begun, sealed }: Progress): Step {
  const names: readonly (string | null)[] = STEPS;
  const wanted = names.indexOf(asked);
  const reached = begun.domain === null ? 0 : !hasCopy(begun) ? 2 : !sealed ? 3 : 4;
  return STEPS[Math.min(Math.max(wanted, 0), reached)] ?? 'name';
}
