import { initTRPC } from '@trpc/server';
import type { Language } from '../../../messages/languages.ts';
import type { Context } from '../context.ts';
import type { LimitGroup } from '../limits/groups.ts';
import { createRequestLimits, type RequestLimits } from '../limits/request-limits.ts';
import { asTrpcError, publicError } from './trpc-errors.ts';

export interface TrpcContext {
  readonly services: Context;
  /** The client's address, as set by the request listener. */
  readonly address: string;
  /** The language for mails that the request causes. */
  readonly language?: Language;
  /** The value of the X-Institute-Key header. */
  readonly instituteKey?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The limits of an HTTP request, whose calls are charged before it is read; absent for calls in process. */
  readonly limits?: RequestLimits;
  /** The size of the request body. */
  readonly bodyBytes?: number;
  readonly requestId?: string;
}

/** Bytes that may surround the body of an operation. */
export const ENVELOPE_BYTES = 4096;

/** The limit group that each call is charged to. */
export interface CallMeta {
  readonly group: LimitGroup;
}

const trpc = initTRPC
  .context<TrpcContext>()
  .meta<CallMeta>()
  .create({
    isDev: false,
    defaultMeta: { group: 'trpc_read' },
    errorFormatter: ({ shape, error }) => {
      const refused = publicError(error);
      return { ...shape, message: refused.message, data: { ...shape.data, refused } };
    },
  });

export const { router, createCallerFactory } = trpc;

/** A public procedure, charged to the group of its meta (default `trpc_read`). Errors are mapped to the error table. */
export const procedure = trpc.procedure.use(async ({ ctx, path, meta, next }) => {
  const limits = ctx.limits ?? createRequestLimits(ctx.services.limiter);
  if (!ctx.limits && meta) await limits.charge(meta.group, { address: ctx.address });
  const result = await next({ ctx: { limits } });
  if (result.ok) return result;
  if (['INTERNAL', 'INTEGRITY_FAILED'].includes(publicError(result.error).code))
    ctx.services.log.error({ err: result.error.cause ?? result.error }, `${path} failed`);
  throw asTrpcError(result.error);
});

/** A public read, which a standby may answer. */
export const publicRead = procedure.use(async ({ ctx, next }) => {
  const { services, address } = ctx;
  const attempt = async (chosen: Context) => {
    const result = await next({ ctx: { services: chosen } });
    const failed = !result.ok && ['UNAVAILABLE', 'INTERNAL'].includes(publicError(result.error).code);
    if (failed && chosen !== services) throw result.error;
    return result;
  };
  return services.publicReads.run(services, { address, minSeq: 0 }, attempt);
});
