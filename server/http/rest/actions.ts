import type { Json } from '../../../protocol/canonical-json.ts';
import type { Context } from '../../context.ts';
import { listGuarded } from '../../guardians/list-guarded.ts';
import { listGuardians } from '../../guardians/list-guardians.ts';
import { requestRecovery } from '../../guardians/request-recovery.ts';
import { jsonResponse, type RestResponse } from '../http.ts';
import type { ActionCircumstances } from './routes.ts';

export const recovery = async (
  context: Context,
  body: Json,
  circumstances: ActionCircumstances,
): Promise<RestResponse> => jsonResponse(200, await requestRecovery(context, body, circumstances));

export const guardianList = async (context: Context, body: Json): Promise<RestResponse> =>
  jsonResponse(200, await listGuardians(context, body));

export const guardedList = async (context: Context, body: Json): Promise<RestResponse> =>
  jsonResponse(200, await listGuarded(context, body));
