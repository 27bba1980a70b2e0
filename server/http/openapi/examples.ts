import { eventIdOf, type LedgerId, type TransactionId } from '../../../protocol/ids.ts';
import { shareFileDigest } from '../../../protocol/share-files.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { RequestForm } from '../../../protocol/signing/message.ts';
import vectors from '../../../protocol/vectors/messages.json' with { type: 'json' };
import { signedFields, signingKeyOf } from '../../platform/crypto/signed-request.ts';

export type ExampleBody = Readonly<Record<string, Json>>;

/** The body of the first test vector of an operation; undefined if there is none. */
export function exampleOfOperation(name: string): ExampleBody | undefined {
  const vector = vectors.cases.find(({ operation }) => operation === name);
  return vector && (JSON.parse(vector.body) as ExampleBody);
}

const [FIRST] = vectors.cases;
/** The key of the first test vector: it is public. */
const { privateKey: KEY } = signingKeyOf(FIRST?.secretKey ?? '');
const ENVELOPE = { nonce: '6f1d2c3b4a5968778695a4b3c2d1e0f0', timestamp: '2026-01-31T12:00:00.000Z' };

const idIn = (name: 'beoId' | 'ieoId' | 'tokenId'): string =>
  vectors.cases.flatMap((vector) => (vector as Partial<Record<string, string>>)[name] ?? [])[0] ?? '';

/** A compact JWE of the FHIR Bundle `{"resourceType":"Bundle","type":"collection"}` under a key of 32 bytes with the value 7. */
const SHARE_FILE =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwiY3R5IjoiYXBwbGljYXRpb24vZmhpcitqc29uIn0..CQkJCQkJCQkJCQkJ.XKf28c2ftBPDB59Blo-B5fbyFp1QgpLiQ4wy36URI0DxhoivjjdJZBbcyzQ5.ui5usDh4n_OOQmSTL-fBfQ';

/** Values of the fields of signed reads, from the vectors. */
const VALUES: Readonly<Record<string, Json>> = {
  beoId: idIn('beoId'),
  targetBeo: idIn('beoId'),
  ieoId: idIn('ieoId'),
  consentToken: idIn('tokenId'),
  publicKey: FIRST?.publicKey ?? '',
  newPublicKey: FIRST?.publicKey ?? '',
  level: 'ADVANCED',
  grounds: 'Accredited under ISO 15189, certificate 4711.',
  addresses: ['ana@example.org'],
  kinds: ['KEY_CHANGED'],
  language: 'en',
  format: 'JSON',
  eventId: eventIdOf(
    vectors.ledgerId as LedgerId,
    'A'.repeat(43) as TransactionId,
    `consent.granted:${idIn('tokenId')}`,
  ),
  at: ENVELOPE.timestamp,
  from: ENVELOPE.timestamp,
  until: null,
  scope: { intents: ['READ_RECORDS'], categories: ['BSP-HM'] },
  expiresInDays: 30,
  purpose: 'To prepare your appointment.',
  reference: 'A-1234',
  validUntil: '2026-02-28T12:00:00.000Z',
  once: false,
  guardianId: 'd07a44e5-ae7d-5c07-8675-8e117264ebc7',
  practiceId: '0b9f3c52-6d1e-4f5a-9d2b-7c8e1a2b3c4d',
  challenge: '3q2-7wAAAAAAAAAAAAAAAFsiYmVvIiwiZ3VhcmRpYW4iLCIwIl0',
  label: 'Second opinion',
  exp: Date.parse(ENVELOPE.timestamp) / 1_000 + 86_400,
  passcodeDigest: null,
  openings: 3,
  fileDigests: [shareFileDigest(SHARE_FILE)],
  shareId: 'A'.repeat(43),
};
/** Values of fields that are not signed. */
const HINTS: Readonly<Record<string, Json>> = { files: [SHARE_FILE] };

/** A signed read, signed with the key of the first test vector. Undefined if a required field has no value here. */
export function exampleOfForm({ function: name, fields, hints = {} }: RequestForm): ExampleBody | undefined {
  const given = Object.keys(fields.shape).flatMap((field) => (field in VALUES ? [[field, VALUES[field]]] : []));
  const body = Object.fromEntries(given) as Record<string, Json>;
  const unsigned = Object.keys(hints).flatMap((hint) => (hint in HINTS ? [[hint, HINTS[hint]]] : []));
  if (!fields.safeParse(body).success) return undefined;
  return { ...signedFields(name, body, KEY, ENVELOPE), ...Object.fromEntries(unsigned) };
}
