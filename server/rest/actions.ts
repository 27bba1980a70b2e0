import type { Json } from '../../protocol/canonical-json.ts';
import type { Context } from '../context.ts';
import { requestRecovery } from '../guardians/request-recovery.ts';
import { jsonResponse, type RestResponse } from './http.ts';
import type { ActionCircumstances } from './routes.ts';

export const recovery = async (
  context: Context,
  body: Json,
  circumstances: ActionCircumstances,
): Promise<RestResponse> => jsonResponse(200, await requestRecovery(context, body, circumstances));
