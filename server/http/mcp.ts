import { createMcpHandler } from '@modelcontextprotocol/server';
import { readAnswer } from '../../mcp/api.ts';
import { createMcpServer } from '../../mcp/mcp-server.ts';
import { VERSION } from '../../protocol/entities/recorded.ts';
import { refusal } from '../../protocol/errors.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import type { Context } from '../context.ts';
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
  const handler = createMcpHandler(
    () =>
      createMcpServer({
        read: (path) => readInProcess(context, request, path),
        pagesUrl: context.publicUrl(),
        version: VERSION,
        requests: context.config.MCP_TOOLS === 'requests',
      }),
    { responseMode: 'json', maxSubscriptions: 1, keepAliveMs: 0 },
  );
  const headers = HEADERS.flatMap((name): [string, string][] => {
    const value = request.header(name);
    return value === undefined ? [] : [[name, value]];
  });
  const web = new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(json) });
  const answered = await handler.fetch(web, { parsedBody: json });
  const body = await answered.text();
  await handler.close();
  return {
    status: answered.status,
    headers: { 'content-type': answered.headers.get('content-type') ?? JSON_TYPE },
    body: body === '' ? null : body,
  };
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
  return readAnswer(status, typeof body === 'string' ? body : await textOf(body));
}

async function textOf(pieces: Uint8Array | AsyncIterable<string> | null): Promise<string> {
  if (pieces instanceof Uint8Array) return Buffer.from(pieces).toString();
  let text = '';
  for await (const piece of pieces ?? []) text += piece;
  return text;
}
