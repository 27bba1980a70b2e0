import { consentRequestState, keptConsentRequest } from '../../../protocol/read-responses.ts';
import { ASK_CONSENT } from '../../../protocol/signing/consent-requests.ts';
import { keepConsentRequest, readRequestState } from '../../features/requests/kept-requests.ts';
import { linkToken } from './guardian-routes.ts';
import { jsonAction, jsonQuery } from './rest-endpoint.ts';

export const kept = jsonAction({
  title: 'Keep a long request for a consent',
  description:
    'Only for a request that is too long for a QR code: it is kept until it ends, and its link names its id.',
  changes: true,
  signed: { form: ASK_CONSENT, signer: 'the institution' },
  response: keptConsentRequest,
  errors: ['IEO_NOT_FOUND', 'IEO_DESTROYED', 'IEO_LOCKED', 'IEO_NOT_ACTIVE', 'STORAGE_LIMIT_REACHED'],
  answer: (context, body, { charge }) => keepConsentRequest(context, body, charge),
});

export const state = jsonQuery({
  title: 'Read a request for a consent',
  description: 'Its text, if it is kept here, and whether a request for one person has been accepted.',
  path: { requestId: linkToken },
  response: consentRequestState,
  errors: ['LINK_NOT_FOUND'],
  answer: (context, { params }) => readRequestState(context, params.requestId ?? ''),
});
