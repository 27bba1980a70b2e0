import type { IeoType } from '../../../../../protocol/entities/ieo.ts';
import { INTENTS, type Intent } from '../../../../../protocol/entities/intents.ts';
import { type TypeRestriction, typeRestriction } from '../../../../../protocol/entities/token.ts';
import { CATEGORIES } from '../../../../../protocol/records/taxonomy.ts';
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
      /** Its certification. */
      readonly mark: Marked;
    };

const typeOf = (recipient: Recipient): IeoType | null => (recipient.kind === 'self' ? null : recipient.type);

/** Why an intent cannot be granted, or null. */
export const whyNotIntent = (recipient: Recipient, intent: Intent): TypeRestriction | null =>
  typeRestriction(typeOf(recipient), { intents: [intent], categories: [] }, true);

/** Why a category, or `*`, cannot be granted with the intents that can, or null. */
export function whyNotCategory(recipient: Recipient, category: string): TypeRestriction | null {
  const intents = INTENTS.filter((intent) => whyNotIntent(recipient, intent) === null);
  // For a wearable `*` means device data only, but the page offers it as all data.
  const categories = category === '*' ? CATEGORIES : [category];
  return typeRestriction(typeOf(recipient), { intents, categories }, true);
}

/** Why a consent cannot last so many days, or without an end (null); or null. */
export const whyNotLasting = (recipient: Recipient, days: number | null): TypeRestriction | null =>
  typeRestriction(typeOf(recipient), { intents: [], categories: [] }, days !== null);
