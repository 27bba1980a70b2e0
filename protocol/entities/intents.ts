/** What a consent allows its grantee to do (protocol §3). */
export const INTENTS = [
  'SUBMIT_RECORD',
  'READ_RECORDS',
  'EXPORT_DATA',
  'ANALYZE_VITALITY',
  'REQUEST_SCORE',
  'SYNC_PROTOCOL',
] as const;
export type Intent = (typeof INTENTS)[number];
