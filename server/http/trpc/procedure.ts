import { initTRPC } from '@trpc/server';
import type { Language } from '../../../messages/languages.ts';
import type { Context } from '../../context.ts';
import type { LimitGroup } from '../limits/groups.ts';
import { createRequestLimits, type RequestLimits } from '../limits/request-limits.ts';
import { asTrpcError, publicError } from './errors.ts';

export interface TrpcContext {
  readonly services: Context;
  /** The client address that main.ts wrote over whatever the client sent. */
  readonly address: string;
  /** The language to write to people in, whom a request concerns. */
  readonly language?: Language;
  /** What the header X-Institute-Key holds. */
  readonly instituteKey?: string | undefined;
  /** Of a request that came by HTTP: its calls are charged before it is read. */
  readonly limits?: RequestLimits;
  /** How large the body of the request was. */
  readonly bodyBytes?: number;
  readonly requestId?: string;
}

/** What may surround the body of an operation. */
export const ENVELOPE_BYTES = 4096;

/** What each call of a procedure is charged to, whatever is in it. */
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

/** What anybody may call, charged to the group of its meta: `trpc_read`, unless it has one. Its failures are codes of the error table. */
export const procedure = trpc.procedure.use(async ({ ctx, path, meta, next }) => {
  const limits = ctx.limits ?? createRequestLimits(ctx.services.limiter);
  if (!ctx.limits && meta) await limits.charge(meta.group, { address: ctx.address });
  const result = await next({ ctx: { limits } });
  if (result.ok) return result;
  if (['INTERNAL', 'INTEGRITY_FAILED'].includes(publicError(result.error).code))
    ctx.services.log.error({ err: result.error.cause ?? result.error }, `${path} failed`);
  throw asTrpcError(result.error);
});

/** A read that anybody may make. */
export const publicRead = procedure;
