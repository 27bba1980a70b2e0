import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { Context } from '../../context.ts';
import { confirmationView, invitationView } from '../../guardians/link-views.ts';
import { listGuarded } from '../../guardians/list-guarded.ts';
import { listGuardians } from '../../guardians/list-guardians.ts';
import { readConfirmation } from '../../guardians/read-confirmation.ts';
import { readInvitation } from '../../guardians/read-invitation.ts';
import { requestRecovery } from '../../guardians/request-recovery.ts';
import { jsonResponse, type RestResponse } from '../http.ts';
import type { Query, RequestMetadata } from './routes.ts';

export const recovery = async (context: Context, body: Json, metadata: RequestMetadata): Promise<RestResponse> =>
  jsonResponse(200, await requestRecovery(context, body, metadata));

export const guardianList = async (context: Context, body: Json): Promise<RestResponse> =>
  jsonResponse(200, await listGuardians(context, body));

export const guardedList = async (context: Context, body: Json): Promise<RestResponse> =>
  jsonResponse(200, await listGuarded(context, body));

export async function invitation(context: Context, { params }: Query): Promise<RestResponse> {
  return jsonResponse(200, invitationView(await readInvitation(context, params.token ?? '')));
}

export async function confirmation(context: Context, { params }: Query): Promise<RestResponse> {
  return jsonResponse(200, confirmationView(await readConfirmation(context, params.token ?? '')));
}
