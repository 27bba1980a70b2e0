import type { Language } from '../../../messages/languages.ts';
import { preferredLanguage } from '../../../messages/preferred-language.ts';
import { isRefusal, type ProtocolError, refusal } from '../../../protocol/errors.ts';
import { matchingOperation } from '../../../protocol/operations.ts';
import { MAX_BATCH_BYTES } from '../../../protocol/records/record.ts';
import { isObject, type Json } from '../../../protocol/signing/canonical-json.ts';
import { approverOf } from '../../features/institute/institute-keys.ts';
import type { EventOrigin } from '../../platform/observe/security-events.ts';
import { NO_TRACING } from '../../platform/observe/tracing.ts';
import { accept } from '../../write/accept.ts';
import type { Context } from '../context.ts';
import { revalidated } from '../etag.ts';
import { isLive, jsonResponse, type RestRequest, type RestResponse, requestIdOf } from '../http.ts';
import { MAX_BODY_BYTES, MAX_DEPTH, readJson } from '../json-body.ts';
import { createRequestLimits, type RequestLimits } from '../limits/request-limits.ts';
import { minSeqOf, SEQ_HEADER } from '../public-reads.ts';
import { UNACCEPTABLE_PATH } from '../request-target.ts';
import { readParameters } from './parameters.ts';
import { isOpen, NO_PARAMETERS } from './rest-endpoint.ts';
import { type ActionRoute, isPublic, type Match, type OperationRoute, type QueryRoute, routesAt } from './routes.ts';
import { SIGNED_HEADERS, signedBody, signedNames } from './signed-query.ts';

const RETRY_SECONDS = '2';
/** Logged with `altered` of the error, besides the security event. */
const ALTERED = 'stored data does not match its seal: it was altered outside the service';

const WRONG_PATH =
  'The path of this address cannot be read safely: it has a segment of dots, an encoded slash or backslash, or is not UTF-8.';

const EXPOSED = {
  'access-control-expose-headers':
    'Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, X-Perpetua-Seq, X-Perpetua-Verified-To, ETag',
};
const PREFLIGHT = {
  'access-control-allow-headers': [
    'Content-Type',
    'X-Request-Id',
    'X-Institute-Key',
    'Idempotency-Key',
    SEQ_HEADER,
    'If-None-Match',
    ...Object.values(SIGNED_HEADERS),
  ].join(', '),
  'access-control-max-age': '86400',
};
const EVERYWHERE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
const FOR_ANYONE = { ...EVERYWHERE, ...EXPOSED, 'access-control-allow-origin': '*' };

/** Those that every response has, and those of CORS: any origin may read what anyone may read; of the rest, only those of CORS_ORIGINS. */
function commonHeaders(
  { CORS_ORIGINS: origins }: Context['config'],
  { method, header }: RestRequest,
  matches: readonly Match[],
): RestResponse['headers'] {
  const wanted = method === 'OPTIONS' ? header('access-control-request-method') : method;
  const found = matches.find(({ route }) => route.method === (wanted === 'HEAD' ? 'GET' : wanted));
  const isOpen = found ? isPublic(found.route) : matches.length === 0 || matches.some(({ route }) => isPublic(route));
  if (isOpen) return FOR_ANYONE;
  if (origins.length === 0) return EVERYWHERE;
  const origin = header('origin');
  const isAllowed = origin !== undefined && origins.includes(origin);
  return { ...EVERYWHERE, vary: 'Origin', ...(isAllowed && { ...EXPOSED, 'access-control-allow-origin': origin }) };
}

/** Responds to one REST request; never throws. Node's server and Next's route handlers both call it. */
export function handle(context: Context, request: RestRequest): Promise<RestResponse> {
  const matches = routesAt(request.path);
  const route = matches[0]?.route.path ?? 'unmatched';
  if (context.tracing === NO_TRACING) return handleMatched(context, request, matches, route);
  const attributes = { 'http.request.method': request.method, 'http.route': route };
  return context.tracing.span(`${request.method} ${route}`, attributes, async () => {
    const response = await handleMatched(context, request, matches, route);
    context.tracing.annotate({ 'http.response.status_code': response.status });
    return response;
  });
}

async function handleMatched(
  context: Context,
  request: RestRequest,
  matches: readonly Match[],
  route: string,
): Promise<RestResponse> {
  const begun = performance.now();
  const requestId = requestIdOf(request.header('x-request-id'));
  const limits = createRequestLimits(context.limiter);
  const answer = await dispatch(context, request, matches, limits, requestId).catch((error: unknown) =>
    errorResponse(context, error, { requestId, address: request.address, route }),
  );
  if (request.method === 'HEAD' && isLive(answer.body)) answer.body.leave();
  const response = {
    status: answer.status,
    headers: {
      'x-request-id': requestId,
      ...commonHeaders(context.config, request, matches),
      ...limits.headers(),
      ...answer.headers,
    },
    body: request.method === 'HEAD' ? null : answer.body,
  };
  const seconds = (performance.now() - begun) / 1000;
  context.metrics.answered(route, request.method, response.status, seconds);
  context.log.debug({ requestId, method: request.method, route, status: response.status, seconds }, 'answered');
  return response;
}

async function dispatch(
  context: Context,
  request: RestRequest,
  matches: readonly Match[],
  limits: RequestLimits,
  requestId: string,
): Promise<RestResponse> {
  if (request.path === UNACCEPTABLE_PATH) throw refusal('VALIDATION_FAILED', WRONG_PATH, { issues: [] });
  if (matches.length === 0) throw refusal('NOT_FOUND');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const found = matches.find(({ route }) => route.method === method);
  if (!found) return respondToOtherMethod(method, allowedMethods(matches));
  const { route, params } = found;
  if (route.kind === 'query') return runQuery(context, request, route, params, limits, requestId);
  if (route.kind === 'action') return runAction(context, request, route, params, limits, requestId);
  return runOperation(context, request, route, params, limits, requestId);
}

/** Responds to OPTIONS. @throws METHOD_NOT_ALLOWED for any other method */
function respondToOtherMethod(method: string, allowed: string): RestResponse {
  if (method !== 'OPTIONS') {
    throw refusal('METHOD_NOT_ALLOWED', `This address accepts ${allowed}.`, { allow: allowed });
  }
  return {
    status: 204,
    headers: { ...PREFLIGHT, allow: allowed, 'access-control-allow-methods': allowed },
    body: null,
  };
}

function allowedMethods(matches: readonly Match[]): string {
  const methods = [...new Set(matches.map(({ route }) => route.method as string))];
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

async function runOperation(
  context: Context,
  request: RestRequest,
  { operations, takes, link, limit }: OperationRoute,
  params: Match['params'],
  limits: RequestLimits,
  requestId: string,
): Promise<RestResponse> {
  await limits.charge(limit, { address: request.address });
  const isBatch = limit === 'exchange_submit';
  const bytes = isBatch ? MAX_BATCH_BYTES : MAX_BODY_BYTES;
  const { json: given } = await readJson(context.limiter, request, { bytes, depth: MAX_DEPTH, isBatch });
  const approver = operations.some(({ signer }) => signer === 'institute')
    ? approverOf(context.instituteDigests, request.header('x-institute-key'))
    : null;
  refuseParameters(request);
  const body = withPathFields(given, takes, params);
  const operation = matchingOperation(operations, isObject(body) ? body : {});
  if (!operation) throw refusal('NOT_FOUND');
  const { transactionId, body: answer } = await accept(context, operation, body, {
    approver,
    idempotencyKey: request.header('idempotency-key'),
    charge: limits.chargeKey(limit),
    link: link && { kind: link, token: params.token ?? '' },
    language: languageOf(request),
    address: request.address,
    requestId,
  });
  context.metrics.accepted(operation.name);
  const seq = context.fence.latestSeq();
  await context.publicReads.wrote(request.address, seq);
  return jsonResponse(operation.status, answer, {
    ...(transactionId !== null && { location: `/api/transactions/${transactionId}` }),
    [SEQ_HEADER.toLowerCase()]: String(seq),
  });
}

async function runAction(
  context: Context,
  request: RestRequest,
  { endpoint, limit }: ActionRoute,
  params: Match['params'],
  limits: RequestLimits,
  requestId: string,
): Promise<RestResponse> {
  await limits.charge(limit, { address: request.address });
  const bytes = endpoint.maxBodyBytes;
  const { json: body } = await readJson(context.limiter, request, { bytes, depth: MAX_DEPTH });
  if (!isOpen(endpoint)) {
    if (!endpoint.signed) approverOf(context.instituteDigests, request.header('x-institute-key'));
    refuseParameters(request);
  }
  return endpoint.answer(context, body, {
    charge: limits.chargeKey(limit),
    params,
    language: languageOf(request),
    address: request.address,
    requestId,
  });
}

const languageOf = (request: RestRequest): Language => preferredLanguage(request.header('accept-language') ?? '');

/** Adds signed fields from the path; the body may repeat them. @throws VALIDATION_FAILED if the two differ */
function withPathFields(body: Json, takes: OperationRoute['takes'], params: Match['params']): Json {
  if (!isObject(body)) return body;
  const filled: Record<string, Json> = { ...body };
  for (const [param, field] of Object.entries(takes)) {
    const value = params[param] ?? '';
    if (Object.hasOwn(body, field) && body[field] !== value) {
      const message = 'differs from the path';
      throw refusal('VALIDATION_FAILED', `The field ${field} ${message}.`, { issues: [{ path: field, message }] });
    }
    filled[field] = value;
  }
  return filled;
}

const NO_SEARCH = new URLSearchParams();

async function runQuery(
  context: Context,
  request: RestRequest,
  { endpoint, limit }: QueryRoute,
  params: Match['params'],
  limits: RequestLimits,
  requestId: string,
): Promise<RestResponse> {
  await limits.charge(limit, { address: request.address });
  const { parameters: schema, signed, ignoresOthers } = endpoint;
  const { header, isLocal, address } = request;
  const search = request.query === '' ? NO_SEARCH : new URLSearchParams(request.query);
  const isEmpty = request.query === '' && schema === NO_PARAMETERS;
  const parameters = isEmpty ? {} : readParameters(schema, search, signed ? signedNames(signed) : [], ignoresOthers);
  const body = signed ? signedBody(signed, search, header) : null;
  if (endpoint.forInstitute) approverOf(context.instituteDigests, header('x-institute-key'));
  const query = { params, parameters, signed: body, header, isLocal, address, requestId };
  const answer = (services: Context) => endpoint.answer(services, query);
  const respond = (response: RestResponse) =>
    endpoint.revalidates ? revalidated(response, header('if-none-match')) : response;
  if (!endpoint.mayLag) return respond(await answer(context));
  const reading = { address: request.address, minSeq: minSeqOf(header) };
  return respond(await context.publicReads.run(context, reading, answer));
}

function refuseParameters({ query }: RestRequest): void {
  if (query !== '') readParameters(NO_PARAMETERS, new URLSearchParams(query));
}

/** Counts and logs a refusal; any other error becomes INTERNAL. */
export function recordRefusal(context: Context, thrown: unknown, origin: EventOrigin): ProtocolError {
  const error = isRefusal(thrown) ? thrown : refusal('INTERNAL');
  const { requestId } = origin;
  if (error.code === 'INTERNAL') context.log.error({ err: thrown, requestId }, 'unexpected failure');
  if (error.code === 'INTEGRITY_FAILED') context.log.error({ err: thrown, requestId }, ALTERED);
  context.metrics.refused(error.code);
  context.tracing.annotate({ 'error.type': error.code });
  context.securityEvents.refused(error.code, origin);
  return error;
}

/** The response to a refusal or an unexpected error. Protocol §5. */
export const errorResponse = (context: Context, thrown: unknown, origin: EventOrigin): RestResponse =>
  refusalResponse(recordRefusal(context, thrown, origin), origin.requestId);

export function refusalResponse(error: ProtocolError, requestId: string): RestResponse {
  const body = {
    error: error.message,
    code: error.code,
    ...(error.details ? { details: error.details } : {}),
    // The name and the place that HL7's specification gives it.
    ...(error.code === 'PASSCODE_INVALID' ? { remainingAttempts: error.details?.remainingAttempts } : {}),
    request_id: requestId,
  };
  const retryAfter = error.details?.retry_after_seconds;
  return jsonResponse(error.status, body, {
    ...(typeof retryAfter === 'number' ? { 'Retry-After': String(retryAfter) } : {}),
    ...(error.code === 'METHOD_NOT_ALLOWED' ? { allow: String(error.details?.allow) } : {}),
    ...(error.code === 'UNAVAILABLE' ? { 'retry-after': RETRY_SECONDS } : {}),
    ...(error.code === 'BODY_TOO_LARGE' ? { connection: 'close' } : {}),
  });
}
