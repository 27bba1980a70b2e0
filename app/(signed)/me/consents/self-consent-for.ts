import type { TokenView } from '../../../../protocol/token.ts';

/** What a person's own consent lets their own key do. */
export const SELF_INTENTS = ['READ_RECORDS', 'EXPORT_DATA'] as const;
export type SelfIntent = (typeof SELF_INTENTS)[number];

/** A consent in force by which a holder may do this with all of their own records. */
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
