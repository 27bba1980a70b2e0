import type { EntityOf } from '../../protocol/entities/entities.ts';
import type { LivingState } from './living-state.ts';

/** What a service can be asked for by anybody. */
export const ASKED_KINDS = ['BEO', 'IEO', 'TOKEN'] as const;
export type AskedKind = (typeof ASKED_KINDS)[number];
export type Asked = EntityOf<AskedKind>;

/** Of each kind its share: half of it the newest, a tenth what has ended last, the rest at random. */
export function chooseSample(state: LivingState, size: number): Asked[] {
  const { living, lastEnded } = state;
  const shares = shared(
    size,
    ASKED_KINDS.map((kind) => living[kind].size + lastEnded[kind].length),
  );
  return ASKED_KINDS.flatMap((kind, index) => chooseOf(state, kind, shares[index] ?? 0));
}

/** Divides a number as evenly as what there is allows. */
export function shared(size: number, available: readonly number[]): number[] {
  const shares = available.map(() => 0);
  const fewestFirst = [...available.keys()].sort((one, other) => (available[one] ?? 0) - (available[other] ?? 0));
  let left = size;
  fewestFirst.forEach((place, done) => {
    const share = Math.min(available[place] ?? 0, Math.ceil(left / (available.length - done)));
    shares[place] = share;
    left -= share;
  });
  return shares;
}

function chooseOf(state: LivingState, kind: AskedKind, size: number): Asked[] {
  const living: ReadonlyMap<string, Asked> = state.living[kind];
  const newest = newestFirst(living.values()).slice(0, Math.ceil(size / 2));
  const ended = newestFirst(state.lastEnded[kind]).slice(0, Math.max(Math.ceil(size / 10), size - living.size));
  const rest = size - newest.length - ended.length;
  return [...newest, ...ended, ...randomOf(living, new Set(newest), rest)].slice(0, size);
}

const newestFirst = (entities: Iterable<Asked>): Asked[] => [...entities].sort((one, other) => other.seq - one.seq);

/** Reservoir sampling: every other entity has the same chance. */
function randomOf(living: ReadonlyMap<string, Asked>, taken: ReadonlySet<Asked>, count: number): Asked[] {
  const chosen: Asked[] = [];
  let passed = 0;
  for (const entity of living.values()) {
    if (taken.has(entity)) continue;
    passed += 1;
    const place = chosen.length < count ? chosen.length : Math.floor(Math.random() * passed);
    if (place < count) chosen[place] = entity;
  }
  return chosen;
}
