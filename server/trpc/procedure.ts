import { initTRPC } from '@trpc/server';
import type { Context } from '../context.ts';
import type { Language } from '../language.ts';
import { requestLimits } from '../limits/request-limits.ts';
import { asTrpcError, told } from './errors.ts';

export interface TrpcContext {
  readonly services: Context;
  /** The client address that main.ts wrote over whatever the client sent. */
  readonly address: string;
  /** The language to write to people in, whom a request concerns. */
  readonly language?: Language;
  /** What the header X-Institute-Key holds. */
  readonly instituteKey?: string | undefined;
}

const trpc = initTRPC.context<TrpcContext>().create({
  isDev: false,
  errorFormatter: ({ shape, error }) => {
    const refused = told(error);
    return { ...shape, message: refused.message, data: { ...shape.data, refused } };
  },
});

export const { router, createCallerFactory } = trpc;

/** What anybody may call. Its failures are codes of the error table; what it costs, it charges for itself. */
export const procedure = trpc.procedure.use(async ({ ctx, path, next }) => {
  const result = await next({ ctx: { limits: requestLimits(ctx.services.limiter) } });
  if (result.ok) return result;
  if (told(result.error).code === 'INTERNAL')
    ctx.services.log.error({ err: result.error.cause ?? result.error }, `${path} failed`);
  throw asTrpcError(result.error);
});

/** A read that anybody may make. It is charged to the group `trpc_read` of the client address, each call of a batch by itself. */
export const publicRead = procedure.use(async ({ ctx, next }) => {
  await ctx.limits.charge('trpc_read', { address: ctx.address });
  return next();
});
