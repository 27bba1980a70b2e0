import type { inferRouterOutputs } from '@trpc/server';
import { z } from 'zod';
import { lookUp } from './look-up.ts';
import { instituteKey, operate } from './operate.ts';
import { overview } from './overview-procedures.ts';
import { createCallerFactory, procedure, publicRead, router } from './procedure.ts';
import { explorer } from './read-procedures.ts';
import { reads } from './reads.ts';
import {
  access,
  alerts,
  certificationRequest,
  certificationRequests,
  changeCertificationRequest,
  declineRequest,
  event,
  events,
  guarded,
  guardians,
  keepRequest,
  records,
  requestState,
  setAlerts,
  webhook,
  webhookAction,
} from './signed-read-procedures.ts';

/** The procedures for the bundled pages, over the same services as REST and with the same errors. */
export const appRouter = router({
  ...reads,
  ...explorer,
  overview: procedure.query(({ ctx }) => overview(ctx.services)),
  lookUp: publicRead
    .input(z.strictObject({ reference: z.string().max(300) }))
    .query(({ ctx, input }) => lookUp(ctx.services, input.reference)),
  operate,
  instituteKey,
  records,
  access,
  alerts,
  setAlerts,
  guardians,
  guarded,
  event,
  events,
  webhook,
  webhookAction,
  certificationRequest,
  changeCertificationRequest,
  certificationRequests,
  declineRequest,
  keepRequest,
  requestState,
});

/** The same procedures for server components, called in process. */
export const createCaller = createCallerFactory(appRouter);

export type AppRouter = typeof appRouter;
export type Answers = inferRouterOutputs<AppRouter>;
