import { resolveResponse } from '@trpc/server/http';
import { preferredLanguage } from '../../../messages/preferred-language.ts';
import { refusal } from '../../../protocol/errors.ts';
import { MAX_BATCH_BYTES } from '../../../protocol/records/record.ts';
import type { Context } from '../context.ts';
import { type RestRequest, type RestResponse, requestIdOf } from '../http.ts';
import { MAX_DEPTH, type ReadBody, readJson } from '../json-body.ts';
import type { LimitGroup } from '../limits/groups.ts';
import { createRequestLimits, type RequestLimits } from '../limits/request-limits.ts';
import { errorResponse } from '../rest/handle.ts';
import { type CallMeta, ENVELOPE_BYTES, type TrpcContext } from './procedure.ts';
import { appRouter } from './router.ts';
import { asTrpcError, publicError } from './trpc-errors.ts';

const PATH = /^\/api\/trpc\/([^/]+)$/;
const ROUTE = '/api/trpc';
const MAX_CALLS = 10;

export const isTrpc = (path: string): boolean => PATH.test(path);

/**
 * Handles tRPC over HTTP. Every call of a batch is charged to its group before the body is read, and the body is read
 * only for procedures that take one.
 */
export async function answerTrpc(context: Context, request: RestRequest): Promise<RestResponse> {
  const attributes = { 'http.request.method': request.method, 'http.route': ROUTE };
  return context.tracing.span(`${request.method} ${ROUTE}`, attributes, async () => {
    const response = await answerCalls(context, request);
    context.tracing.annotate({ 'http.response.status_code': response.status });
    return response;
  });
}

async function answerCalls(context: Context, request: RestRequest): Promise<RestResponse> {
  const begun = performance.now();
  const { address } = request;
  const requestId = requestIdOf(request.header('x-request-id'));
  const origin = { requestId, address, route: ROUTE };
  const limits = createRequestLimits(context.limiter);
  const base = { 'x-request-id': requestId, 'cache-control': 'no-store' };
  if (request.method !== 'GET' && request.method !== 'POST') {
    const refused = refusal('METHOD_NOT_ALLOWED', 'This address accepts GET, POST.', { allow: 'GET, POST' });
    const answer = errorResponse(context, refused, origin);
    return { ...answer, headers: { ...base, ...answer.headers } };
  }
  const calls = callsOf(request);
  const read = await chargeAndRead(context, request, calls, limits).catch((error: unknown) => ({ error }));
  const failed = 'error' in read ? read.error : null;
  const response = await resolveResponse({
    router: appRouter,
    path: calls.path,
    req: webRequest(request, 'error' in read ? null : read),
    error: failed === null ? null : asTrpcError(failed),
    maxBatchSize: MAX_CALLS,
    createContext: async (): Promise<TrpcContext> => ({
      services: context,
      address,
      language: preferredLanguage(request.header('accept-language') ?? ''),
      instituteKey: request.header('x-institute-key'),
      idempotencyKey: request.header('idempotency-key'),
      limits,
      bodyBytes: 'error' in read ? 0 : read.bytes,
      requestId,
    }),
    onError: ({ error }) => {
      const { code } = publicError(error);
      context.metrics.refused(code);
      context.tracing.annotate({ 'error.type': code });
      context.securityEvents.refused(code, origin);
    },
  });
  const seconds = (performance.now() - begun) / 1000;
  context.metrics.answered(origin.route, request.method, response.status, seconds);
  return {
    status: response.status,
    headers: { ...base, 'content-type': 'application/json', ...limits.headers() },
    body: await response.text(),
  };
}

interface Calls {
  /** The path for tRPC: procedure names joined by commas. */
  readonly path: string;
  readonly isBatch: boolean;
  readonly procedures: readonly (Called | null)[];
}

interface Called {
  readonly type: string;
  readonly group: LimitGroup;
}

function callsOf({ path, query }: RestRequest): Calls {
  const encoded = PATH.exec(path)?.[1] ?? '';
  const names = decodeURIComponent(encoded);
  const isBatch = new URLSearchParams(query).get('batch') === '1';
  // One more than the maximum, so that tRPC reports the excess.
  const called = isBatch ? names.split(',').slice(0, MAX_CALLS + 1) : [names];
  return { path: encoded, isBatch, procedures: called.map(procedureOf) };
}

function procedureOf(name: string): Called | null {
  const procedures: Readonly<Record<string, { readonly _def: { readonly type: string; readonly meta?: unknown } }>> =
    appRouter._def.procedures;
  if (!Object.hasOwn(procedures, name)) return null;
  const { type, meta } = procedures[name]?._def ?? {};
  // The router gives every procedure a meta of this type.
  return { type: type ?? '', group: (meta as CallMeta | undefined)?.group ?? 'trpc_read' };
}

/** Charges every call, then reads the body. @throws RATE_LIMITED, UNAVAILABLE, and what `readJson` throws. */
async function chargeAndRead(
  context: Context,
  request: RestRequest,
  { procedures, isBatch }: Calls,
  limits: RequestLimits,
): Promise<ReadBody> {
  for (const called of procedures) {
    await limits.charge(called?.group ?? 'trpc_read', { address: request.address });
  }
  const takesBody = procedures.length <= MAX_CALLS && procedures.every((called) => called?.type === 'mutation');
  if (request.method !== 'POST' || !takesBody) return NO_BODY;
  const most = { bytes: MAX_BATCH_BYTES + ENVELOPE_BYTES, depth: MAX_DEPTH + (isBatch ? 2 : 1) };
  return readJson(context.limiter, request, most);
}

const NO_BODY: ReadBody = { json: undefined, bytes: 0 };

/** The request for tRPC, with the parsed body. */
function webRequest({ method, path, query }: RestRequest, read: ReadBody | null): Request {
  const request = new Request(`http://localhost${path}?${query}`, {
    method,
    headers: { 'content-type': 'application/json' },
  });
  return Object.assign(request, { json: async () => read?.json });
}
