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
  const live: ReadonlyMap<string, SampledEntity> = state.live[kind];
  const newest = newestFirst(live.values()).slice(0, Math.ceil(size / 2));
  const ended = newestFirst(state.lastEnded[kind]).slice(0, Math.max(Math.ceil(size / 10), size - live.size));
  const rest = size - newest.length - ended.length;
  return [...newest, ...ended, ...randomOf(live, new Set(newest), rest)].slice(0, size);
}

const newestFirst = (entities: Iterable<SampledEntity>): SampledEntity[] => [...entities].sort((a, b) => b.seq - a.seq);

/** Reservoir sampling among the live entities that are not in `excluded`. */
function randomOf(
  live: ReadonlyMap<string, SampledEntity>,
  excluded: ReadonlySet<SampledEntity>,
  count: number,
): SampledEntity[] {
  const chosen: SampledEntity[] = [];
  let passed = 0;
  for (const entity of live.values()) {
    if (excluded.has(entity)) continue;
    passed += 1;
    const place = chosen.length < count ? chosen.length : Math.floor(Math.random() * passed);
    if (place < count) chosen[place] = entity;
  }
  return chosen;
}
