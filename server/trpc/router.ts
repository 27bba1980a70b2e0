import type { inferRouterOutputs } from '@trpc/server';
import { z } from 'zod';
import { lookUp } from './look-up.ts';
import { overview } from './overview.ts';
import { createCallerFactory, publicRead, router } from './procedure.ts';

/** What the bundled pages call; thin over the same services as REST, with the same errors. */
export const appRouter = router({
  overview: publicRead.query(({ ctx }) => overview(ctx.services)),
  lookUp: publicRead
    .input(z.strictObject({ reference: z.string().max(300) }))
    .query(({ ctx, input }) => lookUp(ctx.services, input.reference)),
});

/** The same procedures for server components, in process. */
export const createCaller = createCallerFactory(appRouter);

export type AppRouter = typeof appRouter;
export type Answers = inferRouterOutputs<AppRouter>;
