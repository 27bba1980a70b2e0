import type { Beo } from '../../protocol/entities/beo.ts';
import type { Entity, EntityKind, EntityOf, Name } from '../../protocol/entities/entities.ts';
import { hasEnded, type Ieo } from '../../protocol/entities/ieo.ts';
import type { Proposal } from '../../protocol/entities/proposal.ts';
import type { Token } from '../../protocol/entities/token.ts';
import type { SubjectKind } from '../../protocol/operation.ts';
import { createDeadlines } from './deadlines.ts';
import type { LedgerState } from './ledger-state.ts';
import { createMultimap } from './multimap.ts';
import { createNonceMemory } from './nonce-memory.ts';
import { createSetDigest, type SetDigest } from './set-digest.ts';

/** An entity that no operation can change any more. */
export type Ended = EntityOf<SubjectKind>;

/**
 * The state that follows from the ledger: the live entities, and a digest of the ended ones. A token ends by revocation, or
 * with its holder or grantee; in the latter case its row still shows no revocation.
 */
export interface ReplayedState extends LedgerState {
  readonly live: LiveEntities;
  readonly endedDigests: { readonly [Kind in SubjectKind]: SetDigest };
  /** The entities that ended last, for the sample of a service. */
  readonly lastEnded: { readonly [Kind in SubjectKind]: readonly EntityOf<Kind>[] };
}

export type LiveEntities = { readonly [Kind in EntityKind]: ReadonlyMap<string, EntityOf<Kind>> };

const KEPT_ENDED = 20;

/** @param onEnded receives each ended entity in its final state, which is not kept. */
export function createReplayedState(onEnded?: (ended: Ended) => void): ReplayedState {
  const live: { readonly [Kind in EntityKind]: Map<string, EntityOf<Kind>> } = {
    BEO: new Map(),
    IEO: new Map(),
    TOKEN: new Map(),
    PROPOSAL: new Map(),
    NAME: new Map(),
  };
  // Holders can withdraw consent from ended institutions, which keep their names.
  const endedIeos = new Map<string, Ieo>();
  const proposalIds = new Set<string>();
  const byScope = createMultimap();
  const byHolder = createMultimap();
  const byGrantee = createMultimap();
  const nonces = createNonceMemory();
  const reserved = createDeadlines();
  const expiring = createDeadlines();
  const endedDigests = {
    BEO: createSetDigest(),
    IEO: createSetDigest(),
    TOKEN: createSetDigest(),
    PROPOSAL: createSetDigest(),
  };
  const lastEnded: { readonly [Kind in SubjectKind]: EntityOf<Kind>[] } = { BEO: [], IEO: [], TOKEN: [], PROPOSAL: [] };

  const get = <Kind extends EntityKind>(kind: Kind, id: string): EntityOf<Kind> | undefined =>
    live[kind].get(id) ?? (kind === 'IEO' ? (endedIeos.get(id) as EntityOf<Kind> | undefined) : undefined);
  const tokensIn = (ids: readonly string[]): Token[] => ids.flatMap((id) => live.TOKEN.get(id) ?? []);

  function end(ended: Ended): void {
    live[ended.kind].delete(ended.id);
    endedDigests[ended.kind].add(ended);
    const last = lastEnded[ended.kind] as Ended[];
    last.push(ended);
    if (last.length > KEPT_ENDED) last.shift();
    onEnded?.(ended);
  }

  function endToken(token: Token): void {
    byScope.remove(token.scopeKey, token.id);
    byHolder.remove(token.beoId, token.id);
    byGrantee.remove(token.grantee.id, token.id);
    end(token);
  }

  function putBeo(beo: Beo): void {
    if (beo.status === 'DESTROYED') {
      end(beo);
      for (const token of tokensIn(byHolder.of(beo.id))) endToken(token);
    } else live.BEO.set(beo.id, beo);
  }

  function putIeo(ieo: Ieo): void {
    if (hasEnded(ieo)) {
      end(ieo);
      endedIeos.set(ieo.id, ieo);
      for (const token of tokensIn(byGrantee.of(ieo.id))) endToken(token);
    } else live.IEO.set(ieo.id, ieo);
  }

  function putToken(token: Token): void {
    if (token.revokedAt !== null) {
      endToken(token);
      return;
    }
    live.TOKEN.set(token.id, token);
    byScope.add(token.scopeKey, token.id);
    byHolder.add(token.beoId, token.id);
    byGrantee.add(token.grantee.id, token.id);
  }

  function putProposal(proposal: Proposal): void {
    if (proposal.executedAt !== null) {
      end(proposal);
      return;
    }
    live.PROPOSAL.set(proposal.id, proposal);
    if (!proposalIds.has(proposal.id)) expiring.add({ id: proposal.id, until: Date.parse(proposal.expiresAt) });
    proposalIds.add(proposal.id);
  }

  function putName(name: Name): void {
    live.NAME.set(name.id, name);
    if (name.availableAt) reserved.add({ id: name.id, until: Date.parse(name.availableAt) });
  }

  function put(entity: Entity): void {
    if (entity.kind === 'BEO') putBeo(entity);
    else if (entity.kind === 'IEO') putIeo(entity);
    else if (entity.kind === 'TOKEN') putToken(entity);
    else if (entity.kind === 'PROPOSAL') putProposal(entity);
    else putName(entity);
  }

  return {
    get,
    granted: (scopeKey) => tokensIn(byScope.of(scopeKey)),
    tokensOf: (beoId) => tokensIn(byHolder.of(beoId)),
    put,
    prune(at) {
      for (const { id, until } of reserved.passed(at)) {
        const name = live.NAME.get(id);
        if (name?.holder === null && name.availableAt && Date.parse(name.availableAt) === until) live.NAME.delete(id);
      }
      for (const { id } of expiring.passed(at)) {
        const proposal = live.PROPOSAL.get(id);
        if (proposal) end(proposal);
      }
    },
    isTaken: (kind, id) => get(kind, id) !== undefined || (kind === 'PROPOSAL' && proposalIds.has(id)),
    isNonceUsed: nonces.usedBefore,
    withOpenRecovery: () => live.BEO.values(),
    live,
    endedDigests,
    lastEnded,
  };
}
