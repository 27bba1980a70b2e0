import { z } from 'zod';
import { CERT_LEVELS, IEO_STATUSES, IEO_TYPES } from '../../../protocol/entities/ieo.ts';
import { listProposals } from '../../features/institute/list-proposals.ts';
import { domainAvailability } from '../../features/read/availability.ts';
import { stateEntries } from '../../features/read/entry-facts.ts';
import { latestEvents } from '../../features/read/feed.ts';
import { historyOf } from '../../features/read/history.ts';
import { listEndingCertifications, listIeos } from '../../features/read/list-ieos.ts';
import { nameEntries } from '../../features/read/name-entries.ts';
import { findNamedIeos, nameIeo, nameIeos } from '../../features/read/name-ieos.ts';
import { readBeoByReference, readCooldown } from '../../features/read/read-beo.ts';
import { readIeoByReference } from '../../features/read/read-ieo.ts';
import { receivedTokens, tokenHistory, verifyToken } from '../../features/read/read-token.ts';
import { MAX_TYPED } from '../../features/read/search.ts';
import { submissionsOf } from '../../features/read/submissions.ts';
import { progressOf } from '../../ledger/read.ts';
import { boundedLimit, FOUND_BOUNDS, LIST_BOUNDS } from '../../platform/db/bounds.ts';
import { procedure, publicRead } from './procedure.ts';

const reference = z.string().max(300);
const byReference = z.strictObject({ reference });
/** Any id without NUL, which the database cannot compare. */
const id = z
  .string()
  .max(100)
  .refine((text) => !text.includes('\0'));
const cursor = z.string().max(600).nullish();

/** Reads of the public state for the pages. */
export const reads = {
  availability: publicRead
    .input(z.strictObject({ domain: z.string().max(100) }))
    .query(({ ctx, input }) => domainAvailability(ctx.services, input.domain)),

  identity: publicRead.input(byReference).query(({ ctx, input }) => readBeoByReference(ctx.services, input.reference)),

  /** Until when an identity cannot be destroyed after a recovery. */
  cooldown: publicRead.input(byReference).query(({ ctx, input }) => readCooldown(ctx.services, input.reference)),

  institution: publicRead
    .input(byReference)
    .query(async ({ ctx, input }) => nameIeo(ctx.services, await readIeoByReference(ctx.services, input.reference))),

  institutions: publicRead
    .input(
      z.strictObject({
        status: z.enum(IEO_STATUSES).nullish(),
        ieoType: z.enum(IEO_TYPES).nullish(),
        certLevel: z.enum(CERT_LEVELS).nullish(),
        limit: boundedLimit(LIST_BOUNDS),
        cursor,
      }),
    )
    .query(async ({ ctx, input: { status = null, ieoType = null, certLevel = null, limit, cursor = null } }) => {
      const list = await listIeos(ctx.services, { status, ieoType, certLevel }, { limit, cursor });
      return { ...list, ieos: await nameIeos(ctx.services, list.ieos) };
    }),

  /** The certifications that end soon or have just ended, the earliest first. */
  endingCertifications: publicRead.input(z.strictObject({})).query(({ ctx }) => listEndingCertifications(ctx.services)),

  /** Finds active institutions by prefixes of words of their name or domain. */
  findInstitutions: publicRead
    .input(z.strictObject({ typed: z.string().max(MAX_TYPED) }))
    .query(({ ctx, input }) => findNamedIeos(ctx.services, input.typed, FOUND_BOUNDS.fallback)),

  /** The consents of a holder, by any form of the alias rule, newest first. */
  consents: publicRead
    .input(z.strictObject({ reference, limit: boundedLimit(LIST_BOUNDS), cursor }))
    .query(({ ctx, input: { reference, limit, cursor = null } }) =>
      tokenHistory(ctx.services, reference, { limit, cursor }),
    ),

  /** The consents granted to an institution, newest first. */
  receivedConsents: publicRead
    .input(z.strictObject({ reference, limit: boundedLimit(LIST_BOUNDS), cursor }))
    .query(({ ctx, input: { reference, limit, cursor = null } }) =>
      receivedTokens(ctx.services, reference, { limit, cursor }),
    ),

  /** The submissions of records by an institution, newest first; `before` is the exclusive upper seq. */
  submissions: publicRead
    .input(z.strictObject({ reference, limit: boundedLimit(LIST_BOUNDS), before: z.int().min(1).nullish() }))
    .query(({ ctx, input: { reference, limit, before = null } }) =>
      submissionsOf(ctx.services, reference, limit, before),
    ),

  /** Whether a consent is valid now, so the primary answers. */
  consent: procedure
    .input(z.strictObject({ tokenId: z.string().max(100) }))
    .query(({ ctx, input }) => verifyToken(ctx.services, input.tokenId, {})),

  /** The proposals of the institute, newest first. */
  proposals: publicRead
    .input(z.strictObject({ limit: boundedLimit(LIST_BOUNDS), cursor }).prefault({}))
    .query(({ ctx, input: { limit, cursor = null } }) => listProposals(ctx.services, { limit, cursor })),

  /** The ledger's entries about one entity with what they state, newest first; `before` is the exclusive upper seq. */
  history: publicRead
    .input(
      z.strictObject({
        entityId: id,
        limit: boundedLimit(LIST_BOUNDS),
        before: z.int().min(1).nullish(),
      }),
    )
    .query(async ({ ctx: { services }, input: { entityId, limit, before = null } }) =>
      stateEntries(services, await nameEntries(services, await historyOf(services, entityId, limit, before))),
    ),

  /** What happened to an identity and its consents, with what the entries state, newest first. */
  latestEvents: publicRead
    .input(byReference.extend({ limit: boundedLimit(LIST_BOUNDS) }))
    .query(({ ctx, input: { reference, limit } }) => latestEvents(ctx.services, reference, limit)),

  /** The ledger status of operations. */
  progress: publicRead
    .input(z.strictObject({ ids: z.array(id).max(50) }))
    .query(({ ctx, input }) => progressOf(ctx.services, input.ids)),
};
