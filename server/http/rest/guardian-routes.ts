import { z } from 'zod';
import {
  guardedList,
  guardianAttestation,
  guardianList,
  openConfirmation,
  openedRequest,
  openInvitation,
  practisedRecovery,
  startedPractice,
} from '../../../protocol/guardian-responses.ts';
import {
  ATTEST_GUARDIAN,
  LIST_GUARDED,
  LIST_GUARDIANS,
  PRACTISE_RECOVERY,
  START_PRACTICE,
} from '../../../protocol/signing/guardian-requests.ts';
import { REQUEST_RECOVERY } from '../../../protocol/signing/recovery-request.ts';
import { attestGuardian } from '../../features/guardians/attest-guardian.ts';
import { confirmationView, invitationView } from '../../features/guardians/link-views.ts';
import { listGuarded } from '../../features/guardians/list-guarded.ts';
import { listGuardians } from '../../features/guardians/list-guardians.ts';
import { practiseRecovery, startPractice } from '../../features/guardians/practise-recovery.ts';
import { readConfirmation } from '../../features/guardians/read-confirmation.ts';
import { readInvitation } from '../../features/guardians/read-invitation.ts';
import { requestRecovery } from '../../features/guardians/request-recovery.ts';
import { jsonAction, jsonQuery } from './rest-endpoint.ts';

/** The secret of a link. */
export const linkToken = z.string().meta({ description: 'The last part of the link.' });

export const recovery = jsonAction({
  title: 'Request a recovery',
  description:
    'Opens a request and returns a link for each guardian who can confirm it. Unsigned requests cannot displace a signed one.',
  changes: true,
  signed: { form: REQUEST_RECOVERY, signer: 'newPublicKey', isOptional: true },
  response: openedRequest,
  errors: [
    'PUBLIC_KEY_INVALID',
    'PUBLIC_KEY_TAKEN',
    'KEY_UNCHANGED',
    'BEO_NOT_FOUND',
    'BEO_DESTROYED',
    'RECOVERY_NOT_CONFIGURED',
  ],
  answer: requestRecovery,
});

export const guardians = jsonAction({
  title: 'List the guardians of an identity with their names',
  signed: { form: LIST_GUARDIANS, signer: 'the holder' },
  response: guardianList,
  errors: ['BEO_NOT_FOUND', 'BEO_DESTROYED', 'INTEGRITY_FAILED'],
  answer: (context, body) => listGuardians(context, body),
});

export const guarded = jsonAction({
  title: 'List the identities that a key guards',
  signed: { form: LIST_GUARDED, signer: 'publicKey' },
  response: guardedList,
  errors: ['PUBLIC_KEY_INVALID'],
  answer: (context, body) => listGuarded(context, body),
});

export const attested = jsonAction({
  title: 'Check that a guardian’s key is still there',
  description:
    'The day is kept for the holder and the guardian. The challenge is that of the list of guarded identities.',
  changes: true,
  signed: { form: ATTEST_GUARDIAN, signer: 'the guardian' },
  response: guardianAttestation,
  errors: ['NOT_FOUND', 'BEO_DESTROYED'],
  answer: (context, body) => attestGuardian(context, body),
});

export const practice = jsonAction({
  title: 'Begin a practice of a recovery',
  description: 'Returns a link for each guardian. Nothing is stored, and nothing changes. The new key is never used.',
  signed: { form: START_PRACTICE, signer: 'the holder' },
  response: startedPractice,
  errors: ['BEO_NOT_FOUND', 'BEO_DESTROYED', 'RECOVERY_NOT_CONFIGURED'],
  answer: (context, body) => startPractice(context, body),
});

export const practised = jsonAction({
  title: 'Practise the confirmation of a recovery',
  description: 'Confirms nothing. Keeps the day, as for attestGuardian, and the practice.',
  changes: true,
  path: { token: linkToken },
  signed: { form: PRACTISE_RECOVERY, signer: 'the guardian' },
  response: practisedRecovery,
  errors: ['LINK_NOT_FOUND', 'LINK_EXPIRED', 'BEO_DESTROYED'],
  answer: (context, body, { params }) => practiseRecovery(context, params.token ?? '', body),
});

const BROWSER = 'A browser gets a page; send `Accept: application/json` for the data.';

/** What a browser gets at the address of a link: also the reason why it cannot be used is a page. */
export const linkPages = [200, 404, 410].map((status) => ({
  status,
  description: 'For a browser: a page.',
  type: 'text/html',
  schema: z.string(),
}));

export const invitation = jsonQuery({
  title: 'Read an invitation',
  description: BROWSER,
  path: { token: linkToken },
  response: openInvitation,
  otherAnswers: linkPages,
  errors: ['LINK_NOT_FOUND', 'LINK_USED', 'LINK_EXPIRED', 'BEO_LOCKED'],
  answer: async (context, { params }) => invitationView(await readInvitation(context, params.token ?? '')),
});

export const confirmation = jsonQuery({
  title: 'Read a recovery request',
  description: BROWSER,
  path: { token: linkToken },
  response: openConfirmation,
  otherAnswers: linkPages,
  errors: ['LINK_NOT_FOUND', 'LINK_USED', 'LINK_EXPIRED', 'REQUEST_CLOSED'],
  answer: async (context, { params }) => confirmationView(await readConfirmation(context, params.token ?? '')),
});
