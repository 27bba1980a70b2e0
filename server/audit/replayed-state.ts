import type { Beo } from '../../protocol/entities/beo.ts';
import type { Entities, Entity, EntityKind, EntityOf, Name } from '../../protocol/entities/entities.ts';
import { hasEnded, type Ieo } from '../../protocol/entities/ieo.ts';
import type { Proposal } from '../../protocol/entities/proposal.ts';
import type { Token } from '../../protocol/entities/token.ts';
import type { SubjectKind } from '../../protocol/operation.ts';
import { createDeadlines } from './deadlines.ts';
import { createMultimap } from './multimap.ts';
import { createSetDigest, type SetDigest } from './set-digest.ts';

/** An entity that nothing changes any more: its row stays as it is for ever. */
export type Ended = EntityOf<SubjectKind>;

/**
 * The state that follows from the ledger: everything that can still change, and of what has ended only a running hash. A token
 * ends by its own revocation, or with its holder or grantee; its row then still says that it was not revoked.
 */
export interface ReplayedState extends Entities {
  put(entity: Entity): void;
  /** Drops what has ended by time at `at` (ms): proposals, and names whose rest is over, which mean nothing any more. */
  prune(at: number): void;
  /** Whether an id stands for something, or once did, as far as that is remembered. */
  isTaken(kind: SubjectKind, id: string): boolean;
  readonly live: LiveEntities;
  readonly endedDigests: { readonly [Kind in SubjectKind]: SetDigest };
  /** What has ended last, to ask a service about. */
  readonly lastEnded: { readonly [Kind in SubjectKind]: readonly EntityOf<Kind>[] };
}

export type LiveEntities = { readonly [Kind in EntityKind]: ReadonlyMap<string, EntityOf<Kind>> };

const KEPT_ENDED = 20;

/** @param onEnded is handed what has ended as it will stand from then on; it is then forgotten. */
export function createReplayedState(onEnded?: (ended: Ended) => void): ReplayedState {
  const live: { readonly [Kind in EntityKind]: Map<string, EntityOf<Kind>> } = {
    BEO: new Map(),
    IEO: new Map(),
    TOKEN: new Map(),
    PROPOSAL: new Map(),
    NAME: new Map(),
  };
  // Consent can be withdrawn from institutions that have ended. Their names stay theirs for ever, so this costs nothing more.
  const endedIeos = new Map<string, Ieo>();
  const proposalIds = new Set<string>();
  const byScope = createMultimap();
  const byHolder = createMultimap();
  const byGrantee = createMultimap();
  const resting = createDeadlines();
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

  function bury(ended: Ended): void {
    live[ended.kind].delete(ended.id);
    endedDigests[ended.kind].add(ended);
    const last = lastEnded[ended.kind] as Ended[];
    last.push(ended);
    if (last.length > KEPT_ENDED) last.shift();
    onEnded?.(ended);
  }

  function buryToken(token: Token): void {
    byScope.remove(token.scopeKey, token.id);
    byHolder.remove(token.beoId, token.id);
    byGrantee.remove(token.grantee.id, token.id);
    bury(token);
  }

  function putBeo(beo: Beo): void {
    if (beo.status === 'DESTROYED') {
      bury(beo);
      for (const token of tokensIn(byHolder.of(beo.id))) buryToken(token);
    } else live.BEO.set(beo.id, beo);
  }

  function putIeo(ieo: Ieo): void {
    if (hasEnded(ieo)) {
      bury(ieo);
      endedIeos.set(ieo.id, ieo);
      for (const token of tokensIn(byGrantee.of(ieo.id))) buryToken(token);
    } else live.IEO.set(ieo.id, ieo);
  }

  function putToken(token: Token): void {
    if (token.revokedAt !== null) {
      buryToken(token);
      return;
    }
    live.TOKEN.set(token.id, token);
    byScope.add(token.scopeKey, token.id);
    byHolder.add(token.beoId, token.id);
    byGrantee.add(token.grantee.id, token.id);
  }

  function putProposal(proposal: Proposal): void {
    if (proposal.executedAt !== null) {
      bury(proposal);
      return;
    }
    live.PROPOSAL.set(proposal.id, proposal);
    if (!proposalIds.has(proposal.id)) expiring.add({ id: proposal.id, until: Date.parse(proposal.expiresAt) });
    proposalIds.add(proposal.id);
  }

  function putName(name: Name): void {
    live.NAME.set(name.id, name);
    if (name.availableAt) resting.add({ id: name.id, until: Date.parse(name.availableAt) });
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
      for (const { id, until } of resting.passed(at)) {
        const name = live.NAME.get(id);
        if (name?.holder === null && name.availableAt && Date.parse(name.availableAt) === until) live.NAME.delete(id);
      }
      for (const { id } of expiring.passed(at)) {
        const proposal = live.PROPOSAL.get(id);
        if (proposal) bury(proposal);
      }
    },
    isTaken: (kind, id) => get(kind, id) !== undefined || (kind === 'PROPOSAL' && proposalIds.has(id)),
    live,
    endedDigests,
    lastEnded,
  };
}
