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

/** Every name of an intent in a request; deployed clients send SOVEREIGN_EXPORT for EXPORT_DATA. Protocol §1. */
export const INTENT_NAMES = [...INTENTS, 'SOVEREIGN_EXPORT'] as const;
type IntentName = (typeof INTENT_NAMES)[number];

export const intentOf = (name: IntentName): Intent => (name === 'SOVEREIGN_EXPORT' ? 'EXPORT_DATA' : name);
