import { z } from 'zod';
import type { BeoView } from '../../../protocol/entities/beo.ts';
import { proposalView } from '../../../protocol/entities/proposal.ts';
import { isTokenId, isTransactionId, isUuid } from '../../../protocol/ids.ts';
import type { Context } from '../../context.ts';
import { parseItem } from '../../ledger/ans104.ts';
import { readProof } from '../../ledger/proof.ts';
import { latestEntries, type NetworkFacts, readTransaction, type TransactionView } from '../../ledger/read.ts';
import { type NamedIeo, nameIeo } from '../../read/name-ieos.ts';
import { readBeoByReference } from '../../read/read-beo.ts';
import { readCertification, readIeoByReference } from '../../read/read-ieo.ts';
import { type TokenVerdict, verifyToken } from '../../read/read-token.ts';
import { publicError } from './errors.ts';
import { procedure, publicRead } from './procedure.ts';

/** The subject of an entry, for a link to its page. */
export interface About {
  readonly kind: 'identity' | 'institution' | 'consent' | 'proposal';
  /** The domain, or the id where there is none. */
  readonly name: string;
}

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
      readonly consent: Required<Pick<TokenVerdict, 'valid' | 'token'>> & TokenVerdict;
      /** The grantee; null if it is the holder. */
      readonly institution: NamedIeo | null;
    }
  | {
      readonly kind: 'transaction';
      readonly transaction: TransactionView;
      readonly about: About | null;
      /** Canonical JSON. */
      readonly entry: string;
      readonly network: NetworkFacts;
    }
  | { readonly kind: 'nothing' | 'malformed' };

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

const isFound = <Found extends object>(answer: Found | string): answer is Found => typeof answer === 'object';

/** Looks up a domain or the id of an identity, institution, consent, proposal or transaction. @throws UNAVAILABLE */
async function explore(services: Context, reference: string): Promise<Explored> {
  if (isTransactionId(reference)) return exploreTransaction(services, reference);
  if (isTokenId(reference)) {
    const { token, ...verdict } = await verifyToken(services, reference, {});
    if (!token) return { kind: 'nothing' };
    const institution = token.ieo_id === token.beo_id ? null : await institutionOf(services, token.ieo_id);
    return { kind: 'consent', consent: { ...verdict, token }, institution };
  }
  const [identity, institution] = await Promise.all([
    outcomeOf(readBeoByReference(services, reference)),
    outcomeOf(readIeoByReference(services, reference)),
  ]);
  if (isFound(identity)) return { kind: 'identity', identity };
  if (institution === 'nothing' && isUuid(reference)) return exploreProposal(services, reference);
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
  if (!read) return { kind: 'nothing' };
  return {
    kind: 'proposal',
    proposal: proposalView(read.entity, read.status, services.clock.now()),
    institution: await institutionOf(services, read.entity.ieoId),
  };
}

async function exploreTransaction(services: Context, id: string): Promise<Explored> {
  const transaction = await outcomeOf(readTransaction(services, id));
  if (!isFound(transaction)) return { kind: transaction };
  return {
    kind: 'transaction',
    transaction,
    about: await aboutOf(services, transaction.entity_id),
    entry: Buffer.from(parseItem(Buffer.from(transaction.item, 'base64')).data).toString(),
    network: services.network,
  };
}

async function aboutOf(services: Context, id: string): Promise<About | null> {
  if (isTokenId(id)) return { kind: 'consent', name: id };
  if (!isUuid(id)) return null;
  const found = await explore(services, id);
  if (found.kind === 'identity') return { kind: 'identity', name: found.identity.domain ?? id };
  if (found.kind === 'institution') return { kind: 'institution', name: found.institution.domain };
  return found.kind === 'proposal' ? { kind: 'proposal', name: id } : null;
}

/** Procedures of the explorer. */
export const explorer = {
  explore: publicRead
    .input(z.strictObject({ reference: z.string().max(300) }))
    .query(async ({ ctx, input }) => ({ found: await explore(ctx.services, input.reference) })),

  /** The newest entries of the whole ledger. */
  latest: publicRead
    .input(z.strictObject({ limit: z.int().min(1).max(100).default(20) }))
    .query(({ ctx, input }) => latestEntries(ctx.services, input.limit)),

  /** Reads up to a thousand entries, so it is charged like a read of the ledger. */
  proof: procedure
    .meta({ group: 'query' })
    .input(z.strictObject({ id: z.string().max(100) }))
    .query(({ ctx, input }) => readProof(ctx.services, input.id)),
};
