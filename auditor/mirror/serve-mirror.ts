import type { AddressInfo } from 'node:net';
import { refusal } from '../../protocol/errors.ts';
import type { Context } from '../../server/http/context.ts';
import { createDrain } from '../../server/http/drain.ts';
import { type RestRequest, type RestResponse, requestIdOf } from '../../server/http/http.ts';
import { createHttpServer } from '../../server/http/http-server.ts';
import { addressOf, fromNode, send } from '../../server/http/node.ts';
import { readTarget, UNACCEPTABLE_PATH } from '../../server/http/request-target.ts';
import { errorResponse, handle } from '../../server/http/rest/handle.ts';
import { isPublic, routesAt } from '../../server/http/rest/routes.ts';
import { securityHeaders } from '../../server/http/security-headers.ts';
import { listen, listenAddress, localUrl } from '../../server/platform/listening/listen-address.ts';

/** The seq of the last entry that the mirror had verified when it began to answer. */
export const VERIFIED_HEADER = 'X-Perpetua-Verified-To';

export interface ServedMirror {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves the public reads with the handlers of the service.
 * @param serviceUrl where other requests belong; null if it is not known
 */
export async function serveMirror(
  context: Context,
  port: number,
  serviceUrl: string | null,
  verifiedTo: () => number,
): Promise<ServedMirror> {
  const { config } = context;
  const defaults = securityHeaders(config);
  const server = createHttpServer(config, context.securityEvents);
  const drain = createDrain(server);
  server.on('request', (request, response) => {
    const target = readTarget(request.url ?? '/');
    const asked = fromNode(
      request,
      target.isAcceptable ? target : { path: UNACCEPTABLE_PATH, query: '' },
      addressOf(request, config.TRUST_PROXY),
    );
    const header = { [VERIFIED_HEADER.toLowerCase()]: String(verifiedTo()) };
    void answer(context, asked, serviceUrl).then((answered) => {
      const onError = (error: unknown) => context.log.error({ err: error }, 'a response was cut off');
      const closes = !request.complete;
      send(response, { ...answered, headers: { ...answered.headers, ...header } }, { defaults, closes, onError });
    });
  });
  await listen(server, port, listenAddress(config).host);
  return {
    url: localUrl(config, (server.address() as AddressInfo).port),
    async stop() {
      context.streams.stop();
      await drain.end();
    },
  };
}

async function answer(context: Context, request: RestRequest, serviceUrl: string | null): Promise<RestResponse> {
  if (isServed(request)) return handle(context, request);
  const requestId = requestIdOf(request.header('x-request-id'));
  const elsewhere = serviceUrl === null ? 'the service' : `the service at ${serviceUrl}`;
  const sentence = `This is a mirror, which serves only the public reads: send this request to ${elsewhere}.`;
  const { address } = request;
  const isRoute = routesAt(request.path).length > 0;
  const refused = isRoute ? refusal('METHOD_NOT_ALLOWED', sentence, { allow: '' }) : refusal('NOT_FOUND', sentence);
  const response = errorResponse(context, refused, { requestId, address, route: 'mirror' });
  return { ...response, headers: { 'x-request-id': requestId, 'cache-control': 'no-store', ...response.headers } };
}

/** Reads that need no signature and no link. An address that is none of the API gets the error of the service. */
function isServed({ method, path }: RestRequest): boolean {
  if (/^\/(api\/trpc|mcp)(\/|$)/.test(path)) return false;
  const matches = routesAt(path);
  if (matches.length === 0) return path.startsWith('/api/');
  if (method === 'OPTIONS') return true;
  const read = matches.find(({ route }) => route.method === 'GET')?.route;
  if (!read || !(method === 'GET' || method === 'HEAD')) return false;
  return isPublic(read) && !path.startsWith('/.well-known/');
}
