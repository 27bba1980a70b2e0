import type { Context } from '../context.ts';
import type { RestRequest, RestResponse } from './http.ts';
import { handle } from './rest/handle.ts';
import { answerTrpc, isTrpc } from './trpc/serve.ts';

/** Responds to a request of the API, REST or tRPC. Never throws. */
export const answer = (context: Context, request: RestRequest): Promise<RestResponse> =>
  isTrpc(request.path) ? answerTrpc(context, request) : handle(context, request);
