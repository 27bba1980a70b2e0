import type { Json } from '../../protocol/signing/canonical-json.ts';

/** A value exactly as it was sent: neither rounded nor localized. */
export const exactly = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
