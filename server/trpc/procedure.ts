import { initTRPC } from '@trpc/server';
import { refusal } from '../../protocol/errors.ts';
import type { Context } from '../context.ts';
import { asTrpcError, told } from './errors.ts';

export interface TrpcContext {
  readonly services: Context;
  /** The client address that main.ts wrote over whatever the client sent. */
  readonly address: string;
}

const trpc = initTRPC.context<TrpcContext>().create({
  isDev: false,
  errorFormatter: ({ shape, error }) => {
    const refused = told(error);
    return { ...shape, message: refused.message, data: { ...shape.data, refused } };
  },
});

export const { router, createCallerFactory } = trpc;

/** A read that anybody may make. It is charged to the group `trpc_read` of the client address, each call of a batch by itself. */
export const publicRead = trpc.procedure.use(async ({ ctx, path, next }) => {
  const { allowed, resetSeconds } = await ctx.services.limiter
    .charge('trpc_read', { address: ctx.address })
    .catch(() => Promise.reject(asTrpcError(refusal('UNAVAILABLE'))));
  if (!allowed) throw asTrpcError(refusal('RATE_LIMITED', undefined, { retry_after_seconds: resetSeconds }));

  const result = await next();
  if (result.ok) return result;
  if (told(result.error).code === 'INTERNAL')
    ctx.services.log.error({ err: result.error.cause ?? result.error }, `${path} failed`);
  throw asTrpcError(result.error);
});
