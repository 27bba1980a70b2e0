import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { refusal } from '../../protocol/errors.ts';
import type { Context } from '../context.ts';
import { answer } from './answer.ts';
import { type RestResponse, requestIdOf } from './http.ts';
import { MAX_HEADERS } from './http-server.ts';
import { addressOf, fromNode, send } from './node.ts';
import { type PageHandler, servePage } from './pages.ts';
import { errorResponse } from './rest/handle.ts';
import { linkPage } from './rest/link-pages.ts';
import { belongsToApi } from './rest/routes.ts';
import { type Headers, securityHeaders } from './security-headers.ts';
import { readTarget } from './target.ts';

/**
 * Answers every request of the process. What a target means is read once, before anything is decided by it; the API is answered
 * from here, and pages are handed to `page`. Without `page` there are none, and the API answers everywhere.
 */
export function createRequestListener(context: Context, page: PageHandler | null): RequestListener {
  const headers = securityHeaders(context.config.PUBLIC_URL);
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
    // No route has an empty path.
    const asked = fromNode(request, target.isAcceptable ? target : { path: '', query: '' }, address);
    void answer(context, asked)
      .catch((thrown: unknown) => refused(context, request, address, thrown))
      .then((answered) => reply(context, request, response, headers, answered));
  };
}

/** What Node's parser lets through, or would refuse without our headers. */
function headerProblem({ httpVersion, headers, rawHeaders }: IncomingMessage): string | null {
  if (httpVersion === '1.1' && headers.host === undefined) return 'A request must have a Host header.';
  return rawHeaders.length > 2 * MAX_HEADERS ? `A request may have at most ${MAX_HEADERS} headers.` : null;
}

function refused(context: Context, { headers }: IncomingMessage, address: string, thrown: unknown): RestResponse {
  const requestId = requestIdOf(headers['x-request-id']?.toString());
  const answered = errorResponse(context, thrown, { requestId, address, route: 'unmatched' });
  return { ...answered, headers: { ...answered.headers, 'x-request-id': requestId, 'cache-control': 'no-store' } };
}

/** Bodies that were not read are received and dropped up to this size; a connection with more to come is closed instead. */
const MAX_DRAINED_BYTES = 1024 * 1024;

function reply(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
  defaults: Headers,
  answered: RestResponse,
): void {
  const onBroken = (error: unknown) => context.log.error({ err: error }, 'an answer broke off');
  send(response, answered, { defaults, closes: hasMuchToCome(request), onBroken });
}

const hasMuchToCome = ({ complete, headers }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_DRAINED_BYTES);
