import { canonicalJson } from './canonical-json.ts';
import { utf8ToBytes } from './encoding.ts';
import type { JsonObject } from './message.ts';

/** The signed bytes: the message in canonical JSON (RFC 8785), in UTF-8. */
export const messageBytes = (message: JsonObject): Uint8Array => utf8ToBytes(canonicalJson(message));
