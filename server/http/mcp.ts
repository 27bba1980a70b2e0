import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createMcpServer } from '../../mcp/mcp-server.ts';
import { ApiError } from '../../mcp/tool.ts';
import { VERSION } from '../../protocol/entities/recorded.ts';
import { refusal } from '../../protocol/errors.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import type { Context } from './context.ts';
import { JSON_TYPE, type RestRequest, type RestResponse, requestIdOf } from './http.ts';
import { MAX_DEPTH, readJson } from './json-body.ts';
import { createRequestLimits, type RequestLimits } from './limits/request-limits.ts';
import { errorResponse, handle } from './rest/handle.ts';

/** Requests are calls of tools with short arguments. */
const MAX_BYTES = 64 * 1024;
const MAX_MESSAGES = 20;
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Whether a request is for the MCP server, which the operator enables with MCP_TOOLS. */
export const isMcp = ({ config }: Pick<Context, 'config'>, path: string): boolean =>
  path === '/mcp' && config.MCP_TOOLS !== 'off';

/**
 * The MCP server over HTTP, stateless: each request is answered by a server of its own. A tool reads the API as the
 * client itself would, so its reads are charged to the client's limits. Never throws.
 */
export async function answerMcp(context: Context, request: RestRequest): Promise<RestResponse> {
  const limits = createRequestLimits(context.limiter);
  const requestId = requestIdOf(request.header('x-request-id'));
  const { status, headers, body } = await serve(context, request, limits).catch((error: unknown) =>
    errorResponse(context, error, { requestId, address: request.address, route: '/mcp' }),
  );
  const common = { 'x-request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  return { status, headers: { ...common, ...limits.headers(), ...headers }, body };
}

/** @throws METHOD_NOT_ALLOWED, RATE_LIMITED, and the errors of a JSON body */
async function serve(context: Context, request: RestRequest, limits: RequestLimits): Promise<RestResponse> {
  if (request.method !== 'POST') throw refusal('METHOD_NOT_ALLOWED', 'This address accepts POST.', { allow: 'POST' });
  await limits.charge('query', { address: request.address });
  const { json } = await readJson(context.limiter, request, { bytes: MAX_BYTES, depth: MAX_DEPTH });
  await chargeFurtherMessages(json, limits, request);
  const newServer = () =>
    createMcpServer({
      read: (path) => readInProcess(context, request, path),
      pagesUrl: context.publicUrl(),
      version: VERSION,
      requests: context.config.MCP_TOOLS === 'requests',
    });
  const headers = HEADERS.flatMap((name): [string, string][] => {
    const value = name === 'accept' ? acceptedBy(request) : request.header(name);
    return value === undefined ? [] : [[name, value]];
  });
  const web = new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(json) });
  const { status, type, text } = await ((await isLegacyRequest(web, json)) ? answerLegacy : answerModern)(
    newServer,
    web,
    json,
  );
  return { status, headers: { 'content-type': type ?? JSON_TYPE }, body: text === '' ? null : text };
}

async function answerModern(newServer: () => McpServer, web: Request, json: Json) {
  const handler = createMcpHandler(newServer, { responseMode: 'json', maxSubscriptions: 1, keepAliveMs: 0 });
  const answered = await wholeOf(await handler.fetch(web, { parsedBody: json }));
  await handler.close();
  return answered;
}

/** For the versions of the protocol of 2025: createMcpHandler would stream to their clients, and not all of them read streams. */
async function answerLegacy(newServer: () => McpServer, web: Request, json: Json) {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = newServer();
  await server.connect(transport);
  const answered = await wholeOf(await transport.handleRequest(web, { parsedBody: json }));
  await server.close();
  return answered;
}

const wholeOf = async (response: Response) => ({
  status: response.status,
  type: response.headers.get('content-type'),
  text: await response.text(),
});

/** The transports ask for two media types by name. Responses here are JSON, so it is enough to accept JSON in any way. */
function acceptedBy({ header }: RestRequest): string {
  const accept = header('accept') || '*/*';
  return /(application\/(json|\*)|\*\/\*)/i.test(accept) ? 'application/json, text/event-stream' : accept;
}

/**
 * The first message is charged before the body is read.
 * @throws VALIDATION_FAILED for too many messages; RATE_LIMITED
 */
async function chargeFurtherMessages(json: Json, limits: RequestLimits, { address }: RestRequest): Promise<void> {
  const messages = Array.isArray(json) ? json.length : 1;
  if (messages > MAX_MESSAGES) {
    throw refusal(
      'VALIDATION_FAILED',
      `A request may hold at most ${MAX_MESSAGES} messages; send the rest in another one.`,
    );
  }
  for (let charged = 1; charged < messages; charged++) await limits.charge('query', { address });
}

async function readInProcess(context: Context, { address }: RestRequest, path: string): Promise<unknown> {
  const [pathname = '', query = ''] = path.split('?');
  const { status, body } = await handle(context, {
    method: 'GET',
    path: pathname,
    query,
    header: (name) => (name.toLowerCase() === 'accept' ? JSON_TYPE : undefined),
    address,
    isLocal: () => false,
    body: async () => new Uint8Array(),
  });
  const answer = JSON.parse(typeof body === 'string' ? body : await textOf(body));
  if (status < 400) return answer;
  throw new ApiError(answer.code, answer.error);
}

async function textOf(pieces: Uint8Array | AsyncIterable<string> | null): Promise<string> {
  if (pieces instanceof Uint8Array) return Buffer.from(pieces).toString();
  let text = '';
  for await (const piece of pieces ?? []) text += piece;
  return text;
}
