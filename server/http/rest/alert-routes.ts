import { z } from 'zod';
import { alertLink, alertList } from '../../../protocol/read-responses.ts';
import { LIST_ALERTS, SET_ALERTS } from '../../../protocol/signing/alert-requests.ts';
import { type AddressLink, confirmAddress, readAddressLink } from '../../features/alerts/address-link.ts';
import { listAlerts, setAlerts } from '../../features/alerts/set-alerts.ts';
import { jsonResponse } from '../http.ts';
import { linkPages, linkToken } from './guardian-routes.ts';
import { json, jsonAction, jsonQuery, rawQuery } from './rest-endpoint.ts';

const SIGNER = 'the holder';

export const set = jsonAction({
  title: 'Set the alerts of an identity',
  description:
    'Kept by the service, not on the ledger. A new address gets one mail, and is used once its link is confirmed. One that is removed is told, and receives alerts of recoveries for 72 hours more.',
  changes: true,
  signed: { form: SET_ALERTS, signer: SIGNER },
  response: alertList,
  errors: ['BEO_NOT_FOUND', 'BEO_DESTROYED', 'BEO_LOCKED', 'RECOVERY_COOLDOWN', 'NOT_FOUND', 'INTEGRITY_FAILED'],
  answer: (context, body, { address }) => setAlerts(context, body, { address }),
});

export const own = jsonAction({
  title: 'Read the alerts of an identity',
  signed: { form: LIST_ALERTS, signer: SIGNER },
  response: alertList,
  errors: ['BEO_NOT_FOUND', 'BEO_DESTROYED', 'INTEGRITY_FAILED'],
  answer: (context, body) => listAlerts(context, body),
});

const path = { token: linkToken };
const errors = ['LINK_NOT_FOUND'] as const;

export const link = jsonQuery({
  title: 'Read whether an address receives alerts',
  description: 'A browser gets a page; send `Accept: application/json` for the data.',
  path,
  response: alertLink,
  otherAnswers: linkPages.filter(({ status }) => status !== 410),
  errors,
  answer: (context, { params }) => readAddressLink(context, params.token ?? ''),
});

export const confirmed = rawQuery({
  title: 'Confirm an address for alerts',
  description: 'The body is ignored.',
  changes: true,
  path,
  parameters: z.strictObject({}),
  errors,
  answers: [
    json(alertLink),
    {
      status: 303,
      description: 'For a browser: to the page that shows the new state.',
      type: null,
      schema: null,
      headers: ['Location'],
    },
  ],
  async answer(context, { params, header }) {
    const token = params.token ?? '';
    const state: AddressLink = await confirmAddress(context, token);
    if (!header('accept')?.includes('text/html')) return jsonResponse(200, state);
    return { status: 303, headers: { location: `/a/${token}` }, body: null };
  },
});
