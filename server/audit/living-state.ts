import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../protocol/canonical-json.ts';
import type { Beo, Entities, Entity, EntityKind, EntityOf, Name } from '../../protocol/entities.ts';

/** The state that follows from the ledger: the living entities, and of the destroyed ones only a running hash. */
export interface LivingState extends Entities {
  put(entity: Entity): void;
  /** Drops names whose rest is over at `at` (ms): they mean nothing any more. */
  prune(at: number): void;
  readonly beos: ReadonlyMap<string, Beo>;
  readonly names: ReadonlyMap<string, Name>;
  readonly tombstones: Tombstones;
  /** The destroyed identities seen last, to ask a service about. */
  readonly lastDestroyed: readonly Beo[];
}

const KEPT_DESTROYED = 20;

/** @param onDestroyed is handed what is left of an identity, which is then forgotten. */
export function createLivingState(onDestroyed?: (destroyed: Beo) => void): LivingState {
  const beos = new Map<string, Beo>();
  const names = new Map<string, Name>();
  const tombstones = createTombstones();
  const lastDestroyed: Beo[] = [];
  let resting: { id: string; until: number }[] = [];
  let rested = 0;

  function putBeo(beo: Beo): void {
    if (beo.status !== 'DESTROYED') {
      beos.set(beo.id, beo);
      return;
    }
    beos.delete(beo.id);
    tombstones.add(beo);
    onDestroyed?.(beo);
    lastDestroyed.push(beo);
    if (lastDestroyed.length > KEPT_DESTROYED) lastDestroyed.shift();
  }

  return {
    get: <Kind extends EntityKind>(kind: Kind, id: string) =>
      (kind === 'BEO' ? beos.get(id) : names.get(id)) as EntityOf<Kind> | undefined,
    put(entity) {
      if (entity.kind === 'BEO') return putBeo(entity);
      names.set(entity.id, entity);
      if (entity.availableAt) resting.push({ id: entity.id, until: Date.parse(entity.availableAt) });
    },
    prune(at) {
      for (; (resting[rested]?.until ?? Number.POSITIVE_INFINITY) <= at; rested += 1) {
        const { id, until } = resting[rested] as { id: string; until: number };
        const name = names.get(id);
        if (name?.holder === null && name.availableAt && Date.parse(name.availableAt) === until) names.delete(id);
      }
      if (rested > 1_024 && rested * 2 > resting.length) {
        resting = resting.slice(rested);
        rested = 0;
      }
    },
    beos,
    names,
    tombstones,
    lastDestroyed,
  };
}

/** A hash of a set that can be built in any order: the sum of the members' SHA-512, modulo 2^512. */
export interface Tombstones {
  add(destroyed: Beo): void;
  readonly count: number;
  readonly digest: string;
}

const MODULUS = 1n << 512n;

export function createTombstones(): Tombstones {
  let count = 0;
  let sum = 0n;
  return {
    add(destroyed) {
      const text = canonicalJson(destroyed as unknown as Json);
      count += 1;
      sum = (sum + BigInt(`0x${createHash('sha512').update(text).digest('hex')}`)) % MODULUS;
    },
    get count() {
      return count;
    },
    get digest() {
      return sum.toString(16);
    },
  };
}
