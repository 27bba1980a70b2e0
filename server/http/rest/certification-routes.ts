import { z } from 'zod';
import { certificationRequestPage, ownCertificationRequest } from '../../../protocol/read-responses.ts';
import {
  DECLINE_CERTIFICATION_REQUEST,
  READ_CERTIFICATION_REQUEST,
  REQUEST_CERTIFICATION,
  WITHDRAW_CERTIFICATION_REQUEST,
} from '../../../protocol/signing/certification-requests.ts';
import {
  declineCertificationRequest,
  listCertificationRequests,
  readCertificationRequest,
  requestCertification,
  withdrawCertificationRequest,
} from '../../features/institute/certification-requests.ts';
import { LIST_BOUNDS } from '../../platform/db/bounds.ts';
import { cursor, pageLimit } from './parameters.ts';
import { instituteAction, jsonAction, jsonQuery } from './rest-endpoint.ts';

const SIGNER = 'the institution';

export const requested = jsonAction({
  title: 'Ask for a certification',
  description: 'Kept by the service, not on the ledger. It takes the place of an earlier request of the institution.',
  changes: true,
  signed: { form: REQUEST_CERTIFICATION, signer: SIGNER },
  response: ownCertificationRequest,
  errors: ['IEO_NOT_FOUND', 'IEO_DESTROYED', 'IEO_LOCKED', 'IEO_NOT_ACTIVE'],
  answer: (context, body, { charge }) => requestCertification(context, body, charge),
});

export const own = jsonAction({
  title: 'Read a request for a certification',
  signed: { form: READ_CERTIFICATION_REQUEST, signer: SIGNER },
  response: ownCertificationRequest,
  errors: ['IEO_NOT_FOUND', 'IEO_DESTROYED'],
  answer: readCertificationRequest,
});

export const withdrawn = jsonAction({
  title: 'Withdraw a request for a certification',
  changes: true,
  signed: { form: WITHDRAW_CERTIFICATION_REQUEST, signer: SIGNER },
  response: ownCertificationRequest,
  errors: ['IEO_NOT_FOUND', 'IEO_DESTROYED', 'NOT_FOUND'],
  answer: (context, body, { charge }) => withdrawCertificationRequest(context, body, charge),
});

export const open = jsonQuery({
  title: 'List requests for certifications',
  description:
    'The open ones of active institutions, signed with their current keys, oldest first, each with the signed message.',
  forInstitute: true,
  parameters: z.strictObject({ limit: pageLimit(LIST_BOUNDS), cursor }),
  response: certificationRequestPage,
  answer: (context, { parameters }) => listCertificationRequests(context, parameters),
});

export const declined = instituteAction({
  title: 'Decline a request for a certification',
  description: 'The institution reads the reason. To accept a request, certify the institution.',
  changes: true,
  form: DECLINE_CERTIFICATION_REQUEST,
  response: ownCertificationRequest,
  errors: ['IEO_NOT_FOUND', 'NOT_FOUND'],
  answer: declineCertificationRequest,
});
