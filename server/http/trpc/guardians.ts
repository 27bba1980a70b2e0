import { z } from 'zod';
import type { Json } from '../../../protocol/canonical-json.ts';
import { listGuarded } from '../../guardians/list-guarded.ts';
import { listGuardians } from '../../guardians/list-guardians.ts';
import { procedure } from './procedure.ts';

/** Signed, as for REST; its shape is judged where REST judges it. They spend a nonce: mutations. */
const signedRead = procedure
  .meta({ group: 'query' })
  .input(z.strictObject({ body: z.record(z.string(), z.unknown()) }));

/** A holder's guardians with their names and contacts, for the holder alone. */
export const guardians = signedRead.mutation(({ ctx, input }) => listGuardians(ctx.services, input.body as Json));

/** Whom a guardian's key guards, for the holder of that key alone. */
export const guarded = signedRead.mutation(({ ctx, input }) => listGuarded(ctx.services, input.body as Json));
