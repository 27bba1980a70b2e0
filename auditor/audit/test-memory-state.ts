import type { Entity, EntityKind, EntityOf } from '../../protocol/entities/entities.ts';
import { hasEnded, type Ieo } from '../../protocol/entities/ieo.ts';
import { afterRevocation } from '../../protocol/entities/revocation.ts';
import type { Token } from '../../protocol/entities/token.ts';
import type { LedgerState } from './ledger-state.ts';

/** The state in memory, in the fewest words: the model for the state in a file, and a snapshot for the events. */
export interface MemoryState extends LedgerState {
  readonly live: { readonly [Kind in EntityKind]: ReadonlyMap<string, EntityOf<Kind>> };
  /** Every entity that ended, in its final state. */
  readonly ended: readonly Entity[];
}

const TEN_MINUTES_S = 600;

export function createMemoryState(): MemoryState {
  const live: { readonly [Kind in EntityKind]: Map<string, EntityOf<Kind>> } = {
    BEO: new Map(),
    IEO: new Map(),
    TOKEN: new Map(),
    PROPOSAL: new Map(),
    NAME: new Map(),
  };
  const ended: Entity[] = [];
  const endedIeos = new Map<string, Ieo>();
  const proposalIds = new Set<string>();
  const nonces = new Map<string, number>();

  const get = <Kind extends EntityKind>(kind: Kind, id: string): EntityOf<Kind> | undefined =>
    live[kind].get(id) ?? (kind === 'IEO' ? (endedIeos.get(id) as EntityOf<Kind> | undefined) : undefined);
  const tokens = (matches: (token: Token) => boolean): Token[] => [...live.TOKEN.values()].filter(matches);

  function end(entity: Entity): void {
    live[entity.kind].delete(entity.id);
    ended.push(entity);
  }

  function put(entity: Entity): void {
    if (entity.kind === 'PROPOSAL') proposalIds.add(entity.id);
    if (entity.kind === 'BEO' && entity.status === 'DESTROYED') {
      end(entity);
      for (const token of tokens(({ beoId }) => beoId === entity.id)) end(token);
    } else if (entity.kind === 'IEO' && hasEnded(entity)) {
      end(entity);
      endedIeos.set(entity.id, entity);
      for (const token of tokens(({ grantee }) => grantee.id === entity.id)) end(token);
    } else if (entity.kind === 'TOKEN' && entity.revokedAt !== null) end(entity);
    else if (entity.kind === 'PROPOSAL' && entity.executedAt !== null) end(entity);
    else (live[entity.kind] as Map<string, Entity>).set(entity.id, entity);
  }

  return {
    get,
    granted: (key) => tokens(({ scopeKey }) => scopeKey === key),
    put,
    revoke(revocation) {
      for (const token of live.TOKEN.values()) {
        const after = afterRevocation(token, revocation, endedIeos.get(token.grantee.id));
        if (after !== token) end(after);
      }
    },
    prune(at) {
      for (const { id, holder, availableAt } of live.NAME.values()) {
        if (holder === null && availableAt !== null && Date.parse(availableAt) <= at) live.NAME.delete(id);
      }
      for (const proposal of live.PROPOSAL.values()) if (Date.parse(proposal.expiresAt) <= at) end(proposal);
    },
    isTaken: (kind, id) => get(kind, id) !== undefined || (kind === 'PROPOSAL' && proposalIds.has(id)),
    isNonceUsed(nonce, at) {
      const second = Math.floor(at / 1000);
      const last = nonces.get(nonce);
      nonces.set(nonce, second);
      return last !== undefined && second - last < TEN_MINUTES_S;
    },
    withOpenRecovery: () => live.BEO.values(),
    live,
    ended,
  };
}
