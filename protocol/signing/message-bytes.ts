import { canonicalJson } from './canonical-json.ts';
import { utf8ToBytes } from './encoding.ts';
import type { JsonObject } from './message.ts';

const known = new WeakMap<JsonObject, Uint8Array>();

/**
 * The signed bytes: the message in canonical JSON (RFC 8785), in UTF-8. Remembered as long as the message, which does not
 * change: its signature is checked and its seal is computed over the same bytes.
 */
export function messageBytes(message: JsonObject): Uint8Array {
  const bytes = known.get(message) ?? utf8ToBytes(canonicalJson(message));
  known.set(message, bytes);
  return bytes;
}
