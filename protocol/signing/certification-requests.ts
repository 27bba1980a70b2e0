import { z } from 'zod';
import { ASKED_LEVELS, MAX_GROUNDS } from '../entities/ieo.ts';
import { category, intents, uniqueList } from '../records/scope.ts';
import { instant, oneOf, text } from '../shapes.ts';
import { institutionForm } from './institution-form.ts';

export const askedCertification = z.object({
  level: oneOf(ASKED_LEVELS),
  categories: uniqueList(category, 'categories').nullish(),
  intents: intents.nullish(),
  grounds: text('what proves it', { max: MAX_GROUNDS }),
});

/** An institution asks the institute for a certification. No ledger entry. Protocol §11. */
export const REQUEST_CERTIFICATION = institutionForm('requestCertification', askedCertification.shape);
export const READ_CERTIFICATION_REQUEST = institutionForm('readCertificationRequest');
export const WITHDRAW_CERTIFICATION_REQUEST = institutionForm('withdrawCertificationRequest');

/** The institute declines a request; not signed. */
export const DECLINE_CERTIFICATION_REQUEST = institutionForm('declineCertificationRequest', {
  /** The time of the request as it was listed, so that none is declined unread. */
  requestedAt: instant,
  reason: text('why it is declined', { max: 500 }),
});
