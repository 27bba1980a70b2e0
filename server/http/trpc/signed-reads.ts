import { z } from 'zod';
import type { Json } from '../../../protocol/canonical-json.ts';
import { classifyBiomarker } from '../../../protocol/record.ts';
import { isCategory, LEVELS } from '../../../protocol/taxonomy.ts';
import { boundedLimit, RECORD_BOUNDS } from '../../db/bounds.ts';
import { listGuarded } from '../../guardians/list-guarded.ts';
import { listGuardians } from '../../guardians/list-guardians.ts';
import { listAccess } from '../../records/list-access.ts';
import { readRecords } from '../../records/read-records.ts';
import { procedure } from './procedure.ts';

/** Signed, as for REST; its shape is judged where REST judges it. */
const body = z.record(z.string(), z.unknown());
const listed = (isKnown: (value: string) => boolean) => z.array(z.string().refine(isKnown)).max(200).nullable();
const moment = z.iso.datetime({ offset: true }).nullable();

const filters = z.strictObject({
  categories: listed(isCategory),
  biomarkers: listed((code) => classifyBiomarker(code) !== null),
  levels: listed((level) => LEVELS.includes(level)),
  status: z.enum(['ACTIVE', 'SUPERSEDED']),
  from: moment,
  to: moment,
  limit: boundedLimit(RECORD_BOUNDS),
  offset: z.int().min(0).max(1_000_000_000),
});

/** Signed reads spend a nonce and leave an access event: mutations, so that nothing of them stands in an address. */
const exchangeRead = procedure.meta({ group: 'exchange_read' });
const guardianRead = procedure.meta({ group: 'query' }).input(z.strictObject({ body }));

/** Records that a consent covers. Protocol §8. */
export const records = exchangeRead
  .input(z.strictObject({ body, filters }))
  .mutation(({ ctx, input }) => readRecords(ctx.services, input.body as Json, input.filters));

/** Who has used a consent on the records of a holder, who alone may ask; the cursor of a page is signed with the rest. */
export const access = exchangeRead
  .input(z.strictObject({ body }))
  .mutation(({ ctx, input }) => listAccess(ctx.services, input.body as Json));

/** A holder's guardians with their names and contacts, for the holder alone. */
export const guardians = guardianRead.mutation(({ ctx, input }) => listGuardians(ctx.services, input.body as Json));

/** The identities that a key guards, for the holder of that key alone. */
export const guarded = guardianRead.mutation(({ ctx, input }) => listGuarded(ctx.services, input.body as Json));
