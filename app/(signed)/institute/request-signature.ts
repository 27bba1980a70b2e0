import { INTENT_NAMES, intentOf } from '../../../protocol/entities/intents.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { decodeSignature, isStrictPublicKey, verifySignature } from '../../../protocol/signing/ed25519.ts';
import { utf8ToBytes } from '../../../protocol/signing/encoding.ts';
import type { Answers } from '../../../server/http/trpc/router.ts';

type Request = Answers['certificationRequests']['requests'][number];

/**
 * Whether the institution's current key has signed exactly what a request shows. The service that lists it is not trusted with
 * that: the institute decides by it. Protocol §11.
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
    [institution.ieo_id, institution.domain].some((reference) => reference === signed.ieoId) &&
    signed.level === shown.level &&
    signed.grounds === shown.grounds &&
    isSame(textsIn(signed.categories), shown.categories) &&
    isSame(intents, shown.intents)
  );
}

const textsIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((one: Json) => typeof one === 'string') : [];

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  [...some].sort().join() === [...others].sort().join();
