import { z } from 'zod';
import type { BeoView } from '../../../protocol/entities/beo.ts';
import { proposalView } from '../../../protocol/entities/proposal.ts';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { isTokenId, isTransactionId, isUuid } from '../../../protocol/ids.ts';
import type { EntryFacts } from '../../../protocol/stated-facts.ts';
import { formatVerifierKey } from '../../../protocol/transparency/verifier-key.ts';
import { stateEntries } from '../../features/read/entry-facts.ts';
import { type EntrySubject, nameEntries } from '../../features/read/name-entries.ts';
import { type NamedIeo, nameIeo } from '../../features/read/name-ieos.ts';
import { readBeoByReference } from '../../features/read/read-beo.ts';
import { readCertification, readIeoByReference } from '../../features/read/read-ieo.ts';
import { type TokenVerdict, verifyToken } from '../../features/read/read-token.ts';
import { destroyedHolderOf, MAX_TYPED, search } from '../../features/read/search.ts';
import { recentActivity } from '../../ledger/activity.ts';
import { parseItem } from '../../ledger/ans104.ts';
import { readProof } from '../../ledger/proof.ts';
import {
  type Neighbours,
  type NetworkFacts,
  readNeighbours,
  readTransaction,
  type TransactionView,
} from '../../ledger/read.ts';
import { proveEntry } from '../../ledger/transparency/prove-entry.ts';
import { available } from '../../platform/db/pool.ts';
import type { Context } from '../context.ts';
import { ENTRY_KINDS, listDecisions, namedEntries } from './entry-list.ts';
import { procedure, publicRead } from './procedure.ts';
import { publicError } from './trpc-errors.ts';

/** The result of a lookup. An unknown or malformed reference is a result, not an error. */
export type Explored =
  | { readonly kind: 'identity'; readonly identity: BeoView }
  | {
      readonly kind: 'institution';
      readonly institution: NamedIeo;
      readonly certification: Awaited<ReturnType<typeof readCertification>>;
    }
  | {
      readonly kind: 'proposal';
      readonly proposal: ReturnType<typeof proposalView>;
      /** The institution it concerns. */
      readonly institution: NamedIeo;
    }
  | {
      readonly kind: 'consent';
      readonly consent: TokenVerdict & { readonly token: TokenView };
      /** The grantee; null if it is the holder. */
      readonly institution: NamedIeo | null;
    }
  | {
      readonly kind: 'transaction';
      readonly transaction: TransactionView;
      /** What it is about; null if that is the ledger. */
      readonly subject: EntrySubject | null;
      /** What it states; null if that is no more than its function. */
      readonly facts: EntryFacts | null;
      readonly neighbours: Neighbours;
      /** Canonical JSON. */
      readonly entry: string;
      readonly network: NetworkFacts;
    }
  | {
      readonly kind: 'nothing';
      /** The destroyed identity that had the domain, if no one else has it. */
      readonly destroyed: string | null;
    }
  | { readonly kind: 'malformed' };

const UNKNOWN = new Set(['BEO_NOT_FOUND', 'IEO_NOT_FOUND', 'TRANSACTION_NOT_FOUND']);
const MALFORMED = new Set(['DOMAIN_INVALID', 'VALIDATION_FAILED']);

/** The result, or why the reference has none. @throws UNAVAILABLE */
async function outcomeOf<Found>(answer: Promise<Found>): Promise<Found | 'nothing' | 'malformed'> {
  try {
    return await answer;
  } catch (failure) {
    const { code } = publicError(failure);
    if (UNKNOWN.has(code)) return 'nothing';
    if (MALFORMED.has(code)) return 'malformed';
    throw failure;
  }
}

const NOTHING: Explored = { kind: 'nothing', destroyed: null };

const isFound = <Found extends object>(answer: Found | string): answer is Found => typeof answer === 'object';

/** Looks up a domain or the id of an identity, institution, consent, proposal or transaction. @throws UNAVAILABLE */
async function explore(services: Context, reference: string): Promise<Explored> {
  if (isTransactionId(reference)) return exploreTransaction(services, reference);
  if (isTokenId(reference)) {
    const { token, ...verdict } = await verifyToken(services, reference, {});
    if (!token) return NOTHING;
    const institution = token.ieo_id === token.beo_id ? null : await institutionOf(services, token.ieo_id);
    return { kind: 'consent', consent: { ...verdict, token }, institution };
  }
  const [identity, institution] = await Promise.all([
    outcomeOf(readBeoByReference(services, reference)),
    outcomeOf(readIeoByReference(services, reference)),
  ]);
  if (isFound(identity)) return { kind: 'identity', identity };
  if (institution === 'nothing' && isUuid(reference)) return exploreProposal(services, reference);
  if (institution === 'nothing') return { kind: 'nothing', destroyed: await destroyedHolderOf(services, reference) };
  if (!isFound(institution)) return { kind: institution };
  const [named, certification] = await Promise.all([
    nameIeo(services, institution),
    readCertification(services, institution.ieo_id),
  ]);
  return { kind: 'institution', institution: named, certification };
}

const institutionOf = async (services: Context, id: string): Promise<NamedIeo> =>
  nameIeo(services, await readIeoByReference(services, id));

async function exploreProposal(services: Context, id: string): Promise<Explored> {
  const read = await services.readers.PROPOSAL.byReference(id, 'proposalId');
  if (!read) return NOTHING;
  return {
    kind: 'proposal',
    proposal: proposalView(read.entity, read.status, services.clock.now()),
    institution: await institutionOf(services, read.entity.ieoId),
  };
}

async function exploreTransaction(services: Context, id: string): Promise<Explored> {
  const transaction = await outcomeOf(readTransaction(services, id));
  if (!isFound(transaction)) return transaction === 'nothing' ? NOTHING : { kind: transaction };
  const [[stated], neighbours] = await Promise.all([
    nameEntries(services, [transaction]).then((named) => stateEntries(services, named)),
    readNeighbours(services, transaction.seq),
  ]);
  return {
    kind: 'transaction',
    transaction,
    subject: stated?.subject ?? null,
    facts: stated?.facts ?? null,
    neighbours,
    entry: Buffer.from(parseItem(Buffer.from(transaction.item, 'base64')).data).toString(),
    network: services.network,
  };
}

const seq = z.int().min(0);
/** A day in UTC. */
const day = z.iso.date().refine((text) => text >= '1900' && text < '3000');

/** Procedures of the explorer. */
export const explorer = {
  explore: publicRead
    .input(z.strictObject({ reference: z.string().max(300) }))
    .query(async ({ ctx, input }) => ({ found: await explore(ctx.services, input.reference) })),

  /** A page of the entries of the whole ledger, newest first; `before` and `after` are exclusive seqs. */
  entries: publicRead
    .input(
      z.strictObject({
        function: z.string().max(100).nullable().default(null),
        kind: z.enum(ENTRY_KINDS).nullable().default(null),
        status: z.enum(['ACCEPTED', 'POSTED', 'CONFIRMED', 'FINAL']).nullable().default(null),
        from: day.nullable().default(null),
        to: day.nullable().default(null),
        before: seq.nullable().default(null),
        after: seq.nullable().default(null),
        limit: z.int().min(1).max(100).default(20),
      }),
    )
    .query(({ ctx, input }) => namedEntries(ctx.services, input)),

  /** A page of the institute's decisions, newest first; `before` is an exclusive seq. */
  decisions: publicRead
    .input(z.strictObject({ before: seq.nullable().default(null) }))
    .query(({ ctx, input }) => listDecisions(ctx.services, input.before)),

  /** What a typed text may mean. */
  search: publicRead
    .input(z.strictObject({ typed: z.string().max(MAX_TYPED) }))
    .query(({ ctx, input }) => search(ctx.services, input.typed)),

  /** The number of entries of each of the last days. */
  activity: publicRead.query(({ ctx }) => recentActivity(ctx.services)),

  /** Who cosigns the checkpoints, and whether they cosigned the newest one. */
  witnesses: publicRead.query(async ({ ctx }) => {
    const states = await available(ctx.services.witnessStates);
    return states.map(({ name, hasNewest }) => ({ name, hasNewest }));
  }),

  /** Reads up to a thousand entries, so it is charged like a read of the ledger. */
  proof: procedure
    .meta({ group: 'query' })
    .input(z.strictObject({ id: z.string().max(100) }))
    .query(({ ctx, input }) => readProof(ctx.services, input.id)),

  /** The proof that an entry is in the transparency log, and whose signatures it has. Null until it is in the tree. */
  inclusionProof: procedure
    .meta({ group: 'query' })
    .input(z.strictObject({ id: z.string().max(100) }))
    .query(({ ctx, input }) => inclusionProof(ctx.services, input.id)),
};

/** The file is a C2SP tlog-proof, the keys are vkeys of C2SP signed-note. @throws TRANSACTION_NOT_FOUND */
async function inclusionProof({ pool, transparencyLog }: Context, id: string) {
  const file = transparencyLog && (await proveEntry(pool, transparencyLog, id));
  if (!file) return null;
  const witnesses = transparencyLog.witnesses.map(({ key }) => formatVerifierKey(key));
  return { file, log: formatVerifierKey(transparencyLog.key), witnesses };
}
