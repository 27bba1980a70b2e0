/** The intents of a holder's consent to their own key. */
export const SELF_INTENTS = ['READ_RECORDS', 'EXPORT_DATA'] as const;
export type SelfIntent = (typeof SELF_INTENTS)[number];

/** The signed fields of a holder's consent to their own key: to read and export everything, without an end (protocol §3). */
export const selfConsentFields = (beoId: string) => ({
  beoId,
  ieoId: beoId,
  scope: { intents: [...SELF_INTENTS], categories: ['*'] },
  expiresInDays: null,
});
