import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isRefusal, refusal } from '../../protocol/errors.ts';
import { answer } from './answer.ts';
import type { Context } from './context.ts';
import { type RestResponse, requestIdOf } from './http.ts';
import { MAX_HEADERS } from './http-server.ts';
import { SMALL_BODY_BYTES } from './limits/body-queue.ts';
import { addressOf, fromNode, readBody, send } from './node.ts';
import { type PageHandler, servePage } from './pages.ts';
import { readTarget, UNACCEPTABLE_PATH } from './request-target.ts';
import { errorResponse } from './rest/handle.ts';
import { linkPage } from './rest/link-pages.ts';
import { belongsToApi } from './rest/routes.ts';
import { type Headers, securityHeaders } from './security-headers.ts';

/**
 * Bytes of bodies whose requests wait for a response. A request needs about five times its body, so this limits the
 * memory while the database hangs.
 */
const MAX_BODY_BYTES_IN_PROGRESS = 64 * 1024 * 1024;
/** More, for small bodies alone: those of a revocation must not be refused because strangers send large ones. */
const SMALL_SHARE = 0.25;

/**
 * Handles every request of the process: parses the target once, serves the API here, and passes pages to `page`. With
 * null there are no pages, and the API handles every path.
 */
export function createRequestListener(
  context: Context,
  page: PageHandler | null,
  maxBodyBytes = MAX_BODY_BYTES_IN_PROGRESS,
): RequestListener {
  const headers = securityHeaders(context.config);
  let bytesInProgress = 0;
  let smallInProgress = 0;
  const count = (bytes: number) => {
    if (Math.abs(bytes) <= SMALL_BODY_BYTES) smallInProgress += bytes;
    else bytesInProgress += bytes;
  };
  return (request, response) => {
    const target = readTarget(request.url ?? '/');
    const address = addressOf(request, context.config.TRUST_PROXY);
    const problem = headerProblem(request);
    if (problem) {
      const thrown = refusal('VALIDATION_FAILED', problem);
      return reply(context, request, response, headers, refused(context, request, address, thrown));
    }
    const isPage =
      page !== null &&
      (!belongsToApi(target.path) || linkPage(request.method ?? 'GET', target.path, request.headers.accept) !== null);
    if (isPage) return void servePage(context, page, { request, response, target, address, headers });
    let bytes = 0;
    const body = async (maxBytes: number) => {
      const read = await readBody(request, maxBytes);
      bytes = read?.length ?? 0;
      count(bytes);
      if (bytes <= SMALL_BODY_BYTES ? smallInProgress > maxBodyBytes * SMALL_SHARE : bytesInProgress > maxBodyBytes)
        throw refusal('UNAVAILABLE', 'Too many requests are waiting; try again shortly.');
      return read;
    };
    const acceptable = target.isAcceptable ? target : { path: UNACCEPTABLE_PATH, query: '' };
    const apiRequest = fromNode(request, acceptable, address, body);
    const respond = async () => {
      let answered: RestResponse;
      try {
        answered = await answer(context, apiRequest);
      } catch (thrown) {
        answered = refused(context, request, address, thrown);
      } finally {
        count(-bytes);
      }
      reply(context, request, response, headers, answered);
    };
    void respond();
  };
}

/** Headers that Node accepts, or would refuse without our security headers. */
function headerProblem({ httpVersion, headers, rawHeaders }: IncomingMessage): string | null {
  if (httpVersion === '1.1' && headers.host === undefined) return 'A request must have a Host header.';
  return rawHeaders.length > 2 * MAX_HEADERS ? `A request may have at most ${MAX_HEADERS} headers.` : null;
}

function refused(context: Context, { headers }: IncomingMessage, address: string, thrown: unknown): RestResponse {
  const requestId = requestIdOf(headers['x-request-id']?.toString());
  const answered = errorResponse(context, thrown, { requestId, address, route: 'unmatched' });
  return { ...answered, headers: { ...answered.headers, 'x-request-id': requestId, 'cache-control': 'no-store' } };
}

/** Unread bodies are drained up to this size; beyond it the connection is closed instead. */
const MAX_DRAINED_BYTES = 1024 * 1024;

function reply(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
  defaults: Headers,
  answered: RestResponse,
): void {
  const onError = (error: unknown) => {
    // For example an export whose holder is destroyed meanwhile: it must not look complete.
    const isExpected = isRefusal(error) && error.status < 500;
    context.log[isExpected ? 'warn' : 'error']({ err: error }, 'a response was cut off');
  };
  if (!request.complete && request.headers['transfer-encoding'] !== undefined) drainAtMost(request, MAX_DRAINED_BYTES);
  send(response, answered, { defaults, closes: hasLargeRemainder(request), onError });
}

const hasLargeRemainder = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && Number(headers['content-length'] ?? 0) > MAX_DRAINED_BYTES;

/** A body of unknown length is read to its end: closing the connection earlier could cut off the response. */
function drainAtMost(request: IncomingMessage, maxBytes: number): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) request.socket.destroy();
  });
}
