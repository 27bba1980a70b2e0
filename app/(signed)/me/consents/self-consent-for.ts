import type { TokenView } from '../../../../protocol/entities/token.ts';

/** The intents of a holder's consent to their own key. */
export const SELF_INTENTS = ['READ_RECORDS', 'EXPORT_DATA'] as const;
export type SelfIntent = (typeof SELF_INTENTS)[number];

/** A consent in force that allows the intent for all of the holder's own records. */
export function selfConsentFor(intent: SelfIntent, beoId: string, consents: readonly TokenView[]): TokenView | null {
  const covers = ({ ieo_id, status, scope }: TokenView) =>
    ieo_id === beoId &&
    status === 'ACTIVE' &&
    scope.intents.includes(intent) &&
    scope.categories.includes('*') &&
    scope.levels.length === 0 &&
    scope.period === null &&
    scope.max_records === null;
  return consents.find(covers) ?? null;
}
