import { INTENT_NAMES, intentOf } from '../../../protocol/entities/intents.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { decodeSignature, isStrictPublicKey, verifySignature } from '../../../protocol/signing/ed25519.ts';
import { utf8ToBytes } from '../../../protocol/signing/encoding.ts';
import { timestampProblem } from '../../../protocol/signing/timestamp-problem.ts';
import { parseTimestamp } from '../../../protocol/time.ts';
import type { Answers } from '../../../server/http/trpc/router.ts';

type Request = Answers['certificationRequests']['requests'][number];

/**
 * Whether the key that is listed for the institution has signed exactly what a request shows, at the time that it shows. That
 * the key is the institution's, its entries on the ledger prove. Protocol §11.
 */
export function isSigned({ institution, message, signature, public_key: key, ...shown }: Request): boolean {
  const bytes = decodeSignature(signature);
  if (key !== institution.public_key || bytes === null || !isStrictPublicKey(key)) return false;
  if (!verifySignature(key, utf8ToBytes(message), bytes)) return false;
  const signed: { readonly [member: string]: Json | undefined } = JSON.parse(message);
  const asked = textsIn(signed.intents);
  const intents = INTENT_NAMES.filter((name) => asked.includes(name)).map(intentOf);
  return (
    signed.function === 'requestCertification' &&
    wasNew(signed.timestamp, shown.requested_at) &&
    [institution.ieo_id, institution.domain].some((reference) => reference === signed.ieoId) &&
    signed.level === shown.level &&
    signed.grounds === shown.grounds &&
    isSame(textsIn(signed.categories), shown.categories) &&
    isSame(intents, shown.intents)
  );
}

/** Whether the service could accept the signed time when it says that it did: an old request is not shown as a new one. */
function wasNew(timestamp: Json | undefined, requestedAt: string): boolean {
  const signedAt = typeof timestamp === 'string' ? parseTimestamp(timestamp) : null;
  return signedAt !== null && timestampProblem(signedAt, Date.parse(requestedAt)) === null;
}

const textsIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((one: Json) => typeof one === 'string') : [];

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  [...some].sort().join() === [...others].sort().join();
