import type { IeoStatus, IeoType } from '../../../../../protocol/entities/ieo.ts';
import type { Intent } from '../../../../../protocol/entities/intents.ts';
import { SELF_INTENTS } from '../../../../_session/self-consent-fields.ts';
import type { Marked } from '../../../../_ui/certification-mark.tsx';

/** The grantee of a new consent. */
export type Recipient =
  | { readonly kind: 'self' }
  | {
      readonly kind: 'institution';
      readonly id: string;
      readonly domain: string;
      readonly name: string | null;
      readonly type: IeoType;
      readonly status: IeoStatus;
      /** Its certification. */
      readonly mark: Marked;
    };

/** Why something cannot be granted (protocol §3): the key of a sentence in `consents.impossible`. */
export type Impossible =
  | 'wearableReads'
  | 'wearableData'
  | 'platformAdds'
  | 'insurerForever'
  | 'selfAdds'
  | 'notActive';

const DEVICE_DATA = 'BSP-DV';

/** The intents that a holder's own consent can have. */
const FOR_SELF: readonly Intent[] = SELF_INTENTS;

const typeOf = (recipient: Recipient): IeoType | null => (recipient.kind === 'self' ? null : recipient.type);

/** Null for an intent that can be granted. */
export function whyNotIntent(recipient: Recipient, intent: Intent): Impossible | null {
  if (recipient.kind === 'self') return FOR_SELF.includes(intent) ? null : 'selfAdds';
  if (recipient.type === 'WEARABLE' && intent === 'READ_RECORDS') return 'wearableReads';
  return recipient.type === 'PLATFORM' && intent === 'SUBMIT_RECORD' ? 'platformAdds' : null;
}

/** `category`: a code, or `*`. */
export const whyNotCategory = (recipient: Recipient, category: string): Impossible | null =>
  typeOf(recipient) === 'WEARABLE' && category !== DEVICE_DATA ? 'wearableData' : null;

/** `days`: null for a consent without an end. */
export const whyNotLasting = (recipient: Recipient, days: number | null): Impossible | null =>
  typeOf(recipient) === 'INSURER' && days === null ? 'insurerForever' : null;

/** An institution that is not active receives no consents. */
export const whyNotRecipient = (recipient: Recipient): Impossible | null =>
  recipient.kind === 'institution' && recipient.status !== 'ACTIVE' ? 'notActive' : null;
