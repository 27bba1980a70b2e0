import { multipleOfBase, SMALL_ORDER, TORSION, UNREDUCED } from '../ed25519/forge.ts';
import {
  BEO_ID,
  type Case,
  createBody,
  createSigned,
  guardian,
  HOLDER,
  NONCE,
  OTHER,
  OTHER_SEED,
  objectOf,
  ownBody,
  ownSigned,
  RECOVERY,
  rotateSigned,
  SIGNATURE,
  TIMESTAMP,
} from './texts.ts';

export interface RefusedCase extends Case {
  readonly code: string;
}

type Texts = Readonly<Record<string, string>>;
const VALIDATION = 'VALIDATION_FAILED';

/** A createBEO whose signature fits all that was sent, so that only what the name says is wrong. */
const sent = (about: string, changes: Texts, code: string): RefusedCase => ({
  about,
  operation: 'createBEO',
  body: createBody(changes),
  signed: createSigned(changes),
  code,
});

/** A createBEO that is right but for the text that was signed. */
const signedOver = (about: string, signed: string, changes: Texts = {}): RefusedCase => ({
  about,
  operation: 'createBEO',
  body: createBody(changes),
  signed,
  code: 'INVALID_SIGNATURE',
});

const spoiled = (about: string, spoil: Case['spoil'] & {}): RefusedCase => ({
  ...signedOver(about, createSigned()),
  spoil,
});
const without = (name: string): string =>
  objectOf(Object.fromEntries(Object.entries(parts()).filter(([member]) => member !== name)));
const parts = (): Texts => ({
  domain: '"maria.bsp"',
  publicKey: `"${HOLDER}"`,
  recovery: 'null',
  nonce: NONCE,
  timestamp: TIMESTAMP,
  signature: `"${SIGNATURE}"`,
});
const lacking = (name: string, code: string): RefusedCase => ({
  ...sent(`There is no ${name}.`, {}, code),
  body: without(name),
});
const withRecovery = (about: string, recovery: string, code = VALIDATION): RefusedCase =>
  sent(about, { recovery }, code);
const withTimestamp = (about: string, timestamp: string): RefusedCase =>
  sent(about, { timestamp }, 'TIMESTAMP_INVALID');
const mixedOrder = (TORSION[1] ?? multipleOfBase(0n)).add(multipleOfBase(7n)).toHex();
const smallOrder = SMALL_ORDER.at(-2)?.hex ?? '';

export const INVALID: Readonly<Record<string, RefusedCase>> = {
  'signed-over-another-function': {
    ...signedOver('A lock that was signed as an unlock.', ownSigned('unlockBEO')),
    operation: 'lockBEO',
    body: ownBody(),
  },
  'destroy-signed-as-a-lock': {
    ...signedOver('A destruction that was signed as a lock.', ownSigned('lockBEO')),
    operation: 'destroyBEO',
    body: ownBody(),
  },
  'signed-over-the-name-in-the-table': {
    ...signedOver('rotateKey is signed, not the row’s own name.', rotateSigned().replace('rotateKey', 'rotateBEOKey')),
    operation: 'rotateBEOKey',
    body: ownBody({ newPublicKey: `"${OTHER}"` }),
  },
  'signed-without-the-function': signedOver(
    'The function was forgotten.',
    createSigned().replace('"function":"createBEO",', ''),
  ),
  'signed-in-the-order-sent': signedOver(
    'The members in the order in which they were sent.',
    `{"function":"createBEO","domain":"maria.bsp","publicKey":"${HOLDER}","recovery":null,"nonce":${NONCE},"timestamp":${TIMESTAMP}}`,
  ),
  'signed-with-nested-members-unsorted': signedOver(
    'Sorted on the outside only.',
    createSigned({ recovery: '{"guardians":[],"enabled":true}' }),
    { recovery: '{"guardians":[],"enabled":true}' },
  ),
  'signed-with-spaces': signedOver('White space between the members.', createSigned().replaceAll(',"', ', "')),
  'signed-over-another-nonce': signedOver('Another nonce.', createSigned({ nonce: '"another nonce 0123456789"' })),
  'signed-over-the-same-instant': signedOver(
    'The same moment, written in another way.',
    createSigned({ timestamp: '"2026-01-31T12:00:00Z"' }),
  ),
  'signed-with-defaults-filled-in': signedOver(
    'What the service assumes is not part of what was sent.',
    createSigned({ recovery: '{"enabled":true,"guardians":[],"threshold":2}' }),
    { recovery: '{"guardians":[]}' },
  ),
  'signed-with-a-null-dropped': signedOver(
    'null is a value that was sent.',
    createSigned({ recovery: '{"guardians":[]}' }),
    { recovery: '{"guardians":[],"threshold":null}' },
  ),
  'signed-over-the-domain-in-lower-case': signedOver('The domain as it is stored.', createSigned(), {
    domain: '"Maria.bsp"',
  }),
  'signed-over-the-key-in-lower-case': signedOver('The key as it is stored.', createSigned(), {
    publicKey: `"${HOLDER.toUpperCase()}"`,
  }),
  'signed-over-the-first-of-two-members': {
    ...signedOver('The last counts.', createSigned({ domain: '"first.bsp"' })),
    body: `{"domain":"first.bsp",${createBody().slice(1)}`,
  },
  'signed-with-the-reason': {
    ...signedOver(
      'The reason is not part of it.',
      ownSigned('lockBEO', { timestamp: `${TIMESTAMP},"reason":"stolen"` }),
    ),
    operation: 'lockBEO',
    body: ownBody({ reason: '"stolen"' }),
  },
  'signed-with-the-id-the-alias-stands-for': {
    ...signedOver('The signature covers the form that was sent.', ownSigned('lockBEO')),
    operation: 'lockBEO',
    body: ownBody({ beoId: '"maria.bsp"' }),
  },
  'signed-with-escaped-letters': signedOver(
    'é written as an escape.',
    createSigned({ nonce: String.raw`"a nonce with \u00e9 in it"` }),
    { nonce: '"a nonce with é in it"' },
  ),
  'signed-with-letters-composed': signedOver(
    'Normalised by an input method.',
    createSigned({ nonce: '"a nonce with \u00e9 in it"' }),
    {
      nonce: '"a nonce with e\u0301 in it"',
    },
  ),
  'signed-with-numbers-as-sent': signedOver(
    '2.0 is signed as 2.',
    createSigned({ recovery: '{"guardians":[],"threshold":2.0}' }),
    { recovery: '{"guardians":[],"threshold":2.0}' },
  ),
  'signed-with-the-signature-inside': signedOver(
    'An empty signature was part of it.',
    createSigned().replace(',"timestamp"', ',"signature":"","timestamp"'),
  ),
  'signed-by-another-key': { ...signedOver('Not the key in the body.', createSigned()), seed: OTHER_SEED },
  'rotation-signed-by-the-new-key': {
    ...signedOver('The current key has to sign.', rotateSigned()),
    operation: 'rotateBEOKey',
    body: ownBody({ newPublicKey: `"${OTHER}"` }),
    seed: OTHER_SEED,
  },

  'signature-without-padding': spoiled('86 characters.', (signature) => signature.slice(0, 86)),
  'signature-in-url-alphabet': spoiled('base64url with padding.', (signature) =>
    signature.replaceAll('+', '-').replaceAll('/', '_'),
  ),
  'signature-with-newline': spoiled('A line feed at the end.', (signature) => `${signature}\\n`),
  'signature-not-base64': spoiled('88 characters of something else.', () => '!'.repeat(88)),
  'signature-empty': { ...spoiled('Nothing was signed.', () => ''), code: 'SIGNATURE_MISSING' },
  'signature-missing': lacking('signature', 'SIGNATURE_MISSING'),
  'signature-null': sent('null.', { signature: 'null' }, 'SIGNATURE_MISSING'),
  'signature-a-number': sent('A number.', { signature: '1' }, 'INVALID_SIGNATURE'),

  'domain-missing': lacking('domain', VALIDATION),
  'public-key-missing': lacking('publicKey', VALIDATION),
  'recovery-missing': lacking('recovery', VALIDATION),
  'nonce-missing': lacking('nonce', 'NONCE_REQUIRED'),
  'timestamp-missing': lacking('timestamp', 'TIMESTAMP_INVALID'),
  'unknown-member': sent('A member that createBEO does not have.', { colour: '"red"' }, VALIDATION),
  'unknown-member-function': sent('The function is signed, but not sent.', { function: '"createBEO"' }, VALIDATION),
  'unknown-member-reason': sent('A hint of another operation.', { reason: '"none"' }, VALIDATION),
  'unknown-member-proto': sent(
    'A member called __proto__ with an object in it.',
    { ['__proto__']: '{"colour":1}' },
    VALIDATION,
  ),
  'body-an-array': { ...sent('Not an object.', {}, VALIDATION), body: `[${createBody()}]` },
  'body-null': { ...sent('Not an object.', {}, VALIDATION), body: 'null' },

  'nonce-of-15-characters': sent('One too few.', { nonce: '"0123456789abcde"' }, 'NONCE_TOO_SHORT'),
  'nonce-of-129-characters': sent('One too many.', { nonce: `"${'n'.repeat(129)}"` }, VALIDATION),
  'nonce-empty': sent('Empty.', { nonce: '""' }, 'NONCE_REQUIRED'),
  'nonce-a-number': sent('A number of 16 digits.', { nonce: '1234567890123456' }, VALIDATION),

  'timestamp-without-zone': withTimestamp('Local time of nowhere.', '"2026-01-31T12:00:00.000"'),
  'timestamp-on-the-30th-of-february': withTimestamp('No such day.', '"2026-02-30T12:00:00.000Z"'),
  'timestamp-on-the-29th-of-a-common-february': withTimestamp('No such day.', '"2026-02-29T12:00:00.000Z"'),
  'timestamp-lower-case-t': withTimestamp('t for T.', '"2026-01-31t12:00:00.000Z"'),
  'timestamp-lower-case-z': withTimestamp('z for Z.', '"2026-01-31T12:00:00.000z"'),
  'timestamp-with-a-space': withTimestamp('A space for the T.', '"2026-01-31 12:00:00.000Z"'),
  'timestamp-date-only': withTimestamp('No time.', '"2026-01-31"'),
  'timestamp-at-24-hours': withTimestamp('There is no hour 24.', '"2026-01-31T24:00:00Z"'),
  'timestamp-with-a-leap-second': withTimestamp('There is no second 60.', '"2016-12-31T23:59:60Z"'),
  'timestamp-zone-of-24-hours': withTimestamp('No zone is that far away.', '"2026-01-31T12:00:00+24:00"'),
  'timestamp-a-number': withTimestamp('Milliseconds.', '1769860800000'),

  'public-key-of-63-characters': sent(
    'A digit is missing.',
    { publicKey: `"${HOLDER.slice(1)}"` },
    'PUBLIC_KEY_INVALID',
  ),
  'public-key-of-small-order': sent(
    'Any message verifies under it.',
    { publicKey: `"${smallOrder}"` },
    'PUBLIC_KEY_INVALID',
  ),
  'public-key-of-mixed-order': sent(
    '7·B plus a point of order 8.',
    { publicKey: `"${mixedOrder}"` },
    'PUBLIC_KEY_INVALID',
  ),
  'public-key-not-canonical': sent('y = 3 + p.', { publicKey: `"${UNREDUCED[4]}"` }, 'PUBLIC_KEY_INVALID'),
  'public-key-null': sent('null.', { publicKey: 'null' }, VALIDATION),
  'new-public-key-of-small-order': {
    ...signedOver('A rotation to a key that anybody has.', rotateSigned({ newPublicKey: `"${smallOrder}"` })),
    operation: 'rotateBEOKey',
    body: ownBody({ newPublicKey: `"${smallOrder}"` }),
    code: 'PUBLIC_KEY_INVALID',
  },

  'domain-with-another-suffix': sent('Not .bsp.', { domain: '"maria.com"' }, 'DOMAIN_INVALID'),
  'domain-not-ascii': sent('Letters beyond a to z.', { domain: '"joão.bsp"' }, 'DOMAIN_INVALID'),
  'domain-with-the-kelvin-sign': sent(
    'It folds to k, and is not one.',
    { domain: '"\u212Aarl.bsp"' },
    'DOMAIN_INVALID',
  ),
  'domain-reserved': sent('A reserved word in any part.', { domain: '"maria.ADMIN.bsp"' }, 'DOMAIN_RESERVED'),
  'domain-a-number': sent('Not a text.', { domain: '1' }, VALIDATION),

  'id-not-a-reference': {
    ...signedOver('Neither id, nor transaction, nor domain.', ownSigned('lockBEO', { beoId: '"maria"' })),
    operation: 'lockBEO',
    body: ownBody({ beoId: '"maria"' }),
    code: VALIDATION,
  },
  'reason-too-long': {
    ...signedOver('501 characters.', ownSigned('lockBEO')),
    operation: 'lockBEO',
    body: ownBody({ reason: `"${'r'.repeat(501)}"` }),
    code: VALIDATION,
  },
  'reason-on-an-unlock': {
    ...signedOver('Only a lock takes one.', ownSigned('unlockBEO', { beoId: BEO_ID })),
    operation: 'unlockBEO',
    body: ownBody({ reason: '"found it"' }),
    code: VALIDATION,
  },

  'recovery-threshold-3': withRecovery(
    'It is always 2.',
    '{"guardians":[],"threshold":3}',
    'RECOVERY_THRESHOLD_INVALID',
  ),
  'recovery-threshold-a-text': withRecovery(
    '"2" is not 2.',
    '{"guardians":[],"threshold":"2"}',
    'RECOVERY_THRESHOLD_INVALID',
  ),
  'recovery-threshold-and-more-wrong': withRecovery('The shape comes first.', '{"guardians":null,"threshold":3}'),
  'recovery-a-list': withRecovery('Not an object.', '[]'),
  'recovery-without-guardians': withRecovery('No list of guardians.', '{"enabled":true}'),
  'recovery-with-four-guardians': withRecovery(
    'Three at most.',
    `{"guardians":[${['primary', 'secondary', 'tertiary', 'primary'].map((role) => guardian(role, 'Ana')).join(',')}]}`,
  ),
  'recovery-with-a-role-twice': withRecovery(
    'One guardian for each role.',
    `{"guardians":[${guardian('primary', 'Ana')},${guardian('primary', 'Bruno')}]}`,
  ),
  'recovery-with-an-unknown-role': withRecovery('No such role.', `{"guardians":[${guardian('fourth', 'Ana')}]}`),
  'recovery-with-a-blank-name': withRecovery('A name of spaces.', `{"guardians":[${guardian('primary', '  ')}]}`),
  'recovery-with-a-name-of-81-characters': withRecovery(
    '80 at most.',
    `{"guardians":[${guardian('primary', 'a'.repeat(81))}]}`,
  ),
  'recovery-guardian-key-of-mixed-order': withRecovery(
    'Every key that enters the system is checked.',
    `{"guardians":[${guardian('primary', 'Ana', mixedOrder)}]}`,
    'PUBLIC_KEY_INVALID',
  ),
  'recovery-guardian-key-not-hex': withRecovery(
    'Not a key.',
    RECOVERY.replace(/"public_key":"[^"]*"/, `"public_key":"${'x'.repeat(64)}"`),
    'PUBLIC_KEY_INVALID',
  ),
};
