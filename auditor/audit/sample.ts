import type { EntityOf } from '../../protocol/entities/entities.ts';
import type { ReplayedState } from './replayed-state.ts';

/** The kinds of entities that the public API serves. */
export const SAMPLED_KINDS = ['BEO', 'IEO', 'TOKEN'] as const;
export type SampledKind = (typeof SAMPLED_KINDS)[number];
export type SampledEntity = EntityOf<SampledKind>;

/** Of each kind: half of its share are the newest entities, a tenth the last that ended, the rest random. */
export function chooseSample(state: ReplayedState, size: number): SampledEntity[] {
  const { live, lastEnded } = state;
  const shares = divide(
    size,
    SAMPLED_KINDS.map((kind) => live[kind].size + lastEnded[kind].length),
  );
  return SAMPLED_KINDS.flatMap((kind, index) => chooseOf(state, kind, shares[index] ?? 0));
}

/** Divides `size` as evenly as the available numbers allow. */
export function divide(size: number, available: readonly number[]): number[] {
  const shares = available.map(() => 0);
  const fewestFirst = [...available.keys()].sort((a, b) => (available[a] ?? 0) - (available[b] ?? 0));
  let remaining = size;
  fewestFirst.forEach((place, done) => {
    const share = Math.min(available[place] ?? 0, Math.ceil(remaining / (available.length - done)));
    shares[place] = share;
    remaining -= share;
  });
  return shares;
}

function chooseOf(state: ReplayedState, kind: SampledKind, size: number): SampledEntity[] {
  const { live, lastEnded } = state;
  const newest: readonly SampledEntity[] = live[kind].newest(Math.ceil(size / 2));
  const ended = newestFirst(lastEnded[kind]).slice(0, Math.max(Math.ceil(size / 10), size - live[kind].size));
  const rest = size - newest.length - ended.length;
  // Enough that those that are not among the newest suffice.
  const random: readonly SampledEntity[] = live[kind].random(rest + newest.length);
  const others = random.filter(({ id }) => newest.every((one) => one.id !== id)).slice(0, rest);
  return [...newest, ...ended, ...others].slice(0, size);
}

const newestFirst = (entities: Iterable<SampledEntity>): SampledEntity[] => [...entities].sort((a, b) => b.seq - a.seq);
