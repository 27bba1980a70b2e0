import type { Context } from './context.ts';
import type { RestRequest, RestResponse } from './http.ts';
import { answerMcp, isMcp } from './mcp.ts';
import { handle } from './rest/handle.ts';
import { answerTrpc, isTrpc } from './trpc/serve-trpc.ts';

/** Responds to a request of the API: REST, tRPC or MCP. Never throws. */
export function answer(context: Context, request: RestRequest): Promise<RestResponse> {
  if (isTrpc(request.path)) return answerTrpc(context, request);
  return isMcp(context, request.path) ? answerMcp(context, request) : handle(context, request);
}
