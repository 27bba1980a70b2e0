import type { Beo } from '../../protocol/entities/beo.ts';
import type { Entity, EntityKind, EntityOf, Name } from '../../protocol/entities/entities.ts';
import { hasEnded, type Ieo } from '../../protocol/entities/ieo.ts';
import type { Proposal } from '../../protocol/entities/proposal.ts';
import { afterRevocation } from '../../protocol/entities/revocation.ts';
import type { Token } from '../../protocol/entities/token.ts';
import type { SubjectKind } from '../../protocol/operation.ts';
import { type AssertedRecoveries, createAssertedRecoveries } from './asserted-recoveries.ts';
import type { StateFile } from './audit-state-file.ts';
import { type Columns, createEntityTable, type EntityTable, type LiveEntities, shortKey } from './entity-table.ts';
import { createKeyFilter } from './key-filter.ts';
import type { LedgerState } from './ledger-state.ts';
import { createNonceMemory } from './nonce-memory.ts';
import { createSetDigest, type SetDigest } from './set-digest.ts';

/** An entity that no operation can change any more. */
export type Ended = EntityOf<SubjectKind>;

/**
 * The state that follows from the ledger: the live entities, and a digest of the ended ones. A token ends by revocation, or
 * with its holder or grantee; in the latter case its row still shows no revocation.
 */
export interface ReplayedState extends LedgerState {
  readonly live: { readonly [Kind in EntityKind]: LiveEntities<EntityOf<Kind>> };
  readonly endedDigests: { readonly [Kind in SubjectKind]: SetDigest };
  /** The entities that ended last, for the sample of a service. */
  readonly lastEnded: { readonly [Kind in SubjectKind]: readonly EntityOf<Kind>[] };
  /** The identities that have guardians, or had requests for recovery. */
  withGuardians(): Iterable<Beo>;
  readonly assertedRecoveries: AssertedRecoveries;
  /** What the file does not contain; `createReplayedState` continues with it. */
  readonly rest: StateRest;
}

/** The part of a state that is not in tables. */
export interface StateRest {
  readonly ended: { readonly [Kind in SubjectKind]: { readonly count: number; readonly digest: string } };
  readonly lastEnded: ReplayedState['lastEnded'];
}

const KEPT_ENDED = 20;

const COLUMNS: { readonly [Kind in EntityKind]: Columns<Kind> } = {
  BEO: { guarded: ({ recovery: { guardians, requests } }) => (guardians.length + requests.length > 0 ? 1 : null) },
  IEO: {},
  TOKEN: {
    scope: ({ scopeKey }) => shortKey(scopeKey),
    holder: ({ beoId }) => shortKey(beoId),
    grantee: ({ grantee: { id } }) => shortKey(id),
  },
  PROPOSAL: { until: ({ expiresAt }) => Date.parse(expiresAt) },
  NAME: { until: ({ holder, availableAt }) => (holder === null && availableAt ? Date.parse(availableAt) : null) },
};

type Tables = { readonly [Kind in EntityKind]: EntityTable<Kind> };

/**
 * Keeps the entities in a file, so that the memory does not grow with them.
 * @param onEnded receives each ended entity in its final state, which is not kept
 * @param onReleased receives each domain whose holder was destroyed
 * @param rest the rest of the state that is in the file; absent for a new file
 */
export function createReplayedState(
  file: StateFile,
  {
    onEnded,
    onReleased,
    rest,
  }: {
    readonly onEnded?: ((ended: Ended) => void) | undefined;
    readonly onReleased?: (domain: string) => void;
    readonly rest?: StateRest | undefined;
  } = {},
): ReplayedState {
  const store = { file, keys: createKeyFilter() };
  const tables: Tables = {
    BEO: createEntityTable(store, 'BEO', COLUMNS.BEO),
    IEO: createEntityTable(store, 'IEO', COLUMNS.IEO),
    TOKEN: createEntityTable(store, 'TOKEN', COLUMNS.TOKEN),
    PROPOSAL: createEntityTable(store, 'PROPOSAL', COLUMNS.PROPOSAL),
    NAME: createEntityTable(store, 'NAME', COLUMNS.NAME),
  };
  const { BEO: beos, IEO: ieos, TOKEN: tokens, PROPOSAL: proposals, NAME: names } = tables;
  const nonces = createNonceMemory(file);
  const endedDigests = {
    BEO: createSetDigest(rest?.ended.BEO),
    IEO: createSetDigest(rest?.ended.IEO),
    TOKEN: createSetDigest(rest?.ended.TOKEN),
    PROPOSAL: createSetDigest(rest?.ended.PROPOSAL),
  };
  const lastEnded: { readonly [Kind in SubjectKind]: EntityOf<Kind>[] } = {
    BEO: [...(rest?.lastEnded.BEO ?? [])],
    IEO: [...(rest?.lastEnded.IEO ?? [])],
    TOKEN: [...(rest?.lastEnded.TOKEN ?? [])],
    PROPOSAL: [...(rest?.lastEnded.PROPOSAL ?? [])],
  };
  let nextRelease = names.least('until');
  let nextExpiry = proposals.least('until');

  // Holders can withdraw consent from ended institutions, which keep their names.
  const get = <Kind extends EntityKind>(kind: Kind, id: string): EntityOf<Kind> | undefined =>
    kind === 'IEO' ? tables[kind].get(id) : tables[kind].live.get(id);

  function end(ended: Ended): void {
    endedDigests[ended.kind].add(ended);
    const last = lastEnded[ended.kind] as Ended[];
    last.push(ended);
    if (last.length > KEPT_ENDED) last.shift();
    onEnded?.(ended);
  }

  function endToken(token: Token): void {
    tokens.delete(token.id);
    end(token);
  }

  function endBeo(beo: Beo): void {
    beos.delete(beo.id);
    end(beo);
    for (const token of tokens.eachWhere('holder', shortKey(beo.id))) if (token.beoId === beo.id) endToken(token);
  }

  function endIeo(ieo: Ieo): void {
    ieos.end(ieo);
    end(ieo);
    for (const token of tokens.eachWhere('grantee', shortKey(ieo.id))) if (token.grantee.id === ieo.id) endToken(token);
  }

  function putProposal(proposal: Proposal): void {
    if (proposal.executedAt === null) {
      proposals.put(proposal);
      nextExpiry = Math.min(nextExpiry, Date.parse(proposal.expiresAt));
    } else endProposal(proposal);
  }

  /** Its id stays taken. */
  function endProposal(proposal: Proposal): void {
    proposals.end(proposal);
    end(proposal);
  }

  function putName(name: Name): void {
    names.put(name);
    if (name.holder === null) onReleased?.(name.id);
    if (name.availableAt) nextRelease = Math.min(nextRelease, Date.parse(name.availableAt));
  }

  function put(entity: Entity): void {
    if (entity.kind === 'BEO') entity.status === 'DESTROYED' ? endBeo(entity) : beos.put(entity);
    else if (entity.kind === 'IEO') hasEnded(entity) ? endIeo(entity) : ieos.put(entity);
    else if (entity.kind === 'PROPOSAL') putProposal(entity);
    else if (entity.kind === 'NAME') putName(entity);
    else if (entity.revokedAt === null) tokens.put(entity);
    else endToken(entity);
  }

  function prune(at: number): void {
    if (at >= nextRelease) {
      for (const { id } of names.upTo('until', at)) names.delete(id);
      nextRelease = names.least('until');
    }
    if (at < nextExpiry) return;
    for (const proposal of proposals.upTo('until', at)) endProposal(proposal);
    nextExpiry = proposals.least('until');
  }

  const guarded = (): Iterable<Beo> => beos.eachWhere('guarded', 1);

  return {
    get,
    granted: (key) => tokens.where('scope', shortKey(key)).filter(({ scopeKey }) => scopeKey === key),
    put,
    revoke(revocation) {
      for (const token of tokens.eachWhere('holder', shortKey(revocation.beoId))) {
        const after = afterRevocation(token, revocation, ieos.get(token.grantee.id));
        if (after !== token) endToken(after);
      }
    },
    prune,
    isTaken: (kind, id) => get(kind, id) !== undefined || (kind === 'PROPOSAL' && proposals.get(id) !== undefined),
    isNonceUsed: nonces.usedBefore,
    withOpenRecovery: guarded,
    withGuardians: guarded,
    live: {
      BEO: beos.live,
      IEO: ieos.live,
      TOKEN: tokens.live,
      PROPOSAL: proposals.live,
      NAME: names.live,
    },
    endedDigests,
    lastEnded,
    assertedRecoveries: createAssertedRecoveries(file),
    get rest() {
      const { BEO, IEO, TOKEN, PROPOSAL } = endedDigests;
      const sum = ({ count, digest }: SetDigest) => ({ count, digest });
      return { ended: { BEO: sum(BEO), IEO: sum(IEO), TOKEN: sum(TOKEN), PROPOSAL: sum(PROPOSAL) }, lastEnded };
    },
  };
}
