import {
  BEO_ID,
  type Case,
  createBody,
  createSigned,
  guardian,
  HOLDER,
  NONCE,
  OTHER,
  ownBody,
  ownSigned,
  PRIMARY,
  RECOVERY,
  rotateSigned,
  SECONDARY,
  SIGNATURE,
  TERTIARY,
  TIMESTAMP,
} from './texts.ts';

const create = (about: string, body: string, signed: string): Case => ({ about, operation: 'createBEO', body, signed });
const createWith = (about: string, changes: Record<string, string>): Case =>
  create(about, createBody(changes), createSigned(changes));
const own = (operation: string, about: string, changes: Record<string, string> = {}): Case => ({
  about,
  operation,
  body: ownBody(changes),
  signed: ownSigned(operation, changes),
});

const upper = `"${HOLDER.toUpperCase()}"`;
const otherUpper = `"${OTHER.toUpperCase()}"`;
const emoji = String.raw`\ud83d\ude00`;
const hebrew = String.raw`\ufb33`;

export const VALID: Readonly<Record<string, Case>> = {
  create: createWith('The plainest identity.', {}),

  'create-members-in-another-order': create(
    'The order of the members and the white space between them do not count.',
    `{\n\t"timestamp" : ${TIMESTAMP},\r\n "signature":"${SIGNATURE}", "recovery": null ,"publicKey":"${HOLDER}",\n "nonce":${NONCE},"domain":"maria.bsp" }`,
    createSigned(),
  ),
  'create-domain-in-mixed-case': createWith('The domain is signed as it was sent and stored in lower case.', {
    domain: '"Maria.Da-Silva.BSP"',
  }),
  'create-key-in-upper-case': createWith('The key is signed as it was sent and stored in lower case.', {
    publicKey: upper,
  }),
  'create-duplicate-members': create(
    'Of duplicate members the last counts, at every depth.',
    `{"domain":"first.bsp","recovery":{"guardians":[],"enabled":true,"enabled":false},"domain":"maria.bsp",` +
      `"publicKey":"${OTHER}","publicKey":"${HOLDER}","nonce":${NONCE},"timestamp":${TIMESTAMP},"signature":"","signature":"${SIGNATURE}"}`,
    createSigned({ recovery: '{"enabled":false,"guardians":[]}' }),
  ),
  'create-escaped-names-and-values': create(
    'An escape and the letter it stands for are one; the shorter form is signed.',
    createBody().replace('"domain":"maria.bsp"', String.raw`"\u0064omain":"m\u0061ria\u002ebsp"`),
    createSigned(),
  ),
  'create-timestamp-with-offset': createWith('A zone other than Z, and no fraction of a second.', {
    timestamp: '"2026-01-31T09:00:00-03:00"',
  }),
  'create-nonce-of-16-characters': createWith('The shortest nonce.', { nonce: '"0123456789abcdef"' }),
  'create-nonce-of-128-characters': createWith('The longest nonce.', { nonce: `"${'n'.repeat(128)}"` }),
  'create-nonce-in-unicode': createWith('A nonce is any text.', { nonce: '"çãõ 字 😀 0123456789"' }),

  'create-with-guardians': createWith('A recovery configuration, its nested members sorted as well.', {
    recovery: RECOVERY,
  }),
  'create-with-guardians-unsorted': create(
    'The same, sent in the order in which a person would write it.',
    createBody({
      recovery:
        `{"threshold":2,"guardians":[{"role":"primary","name":"Ana","contact":"primary@example.org","public_key":"${PRIMARY}"},` +
        `{"role":"secondary","name":"Bruno","contact":"secondary@example.org"}]}`,
    }),
    createSigned({
      recovery:
        `{"guardians":[${guardian('primary', 'Ana', PRIMARY)},` +
        `{"contact":"secondary@example.org","name":"Bruno","role":"secondary"}],"threshold":2}`,
    }),
  ),
  'create-with-three-guardians-bound': createWith('Each guardian bound to a key, one of them in upper case.', {
    recovery: `{"enabled":true,"guardians":[${guardian('primary', 'Ana', PRIMARY.toUpperCase())},${guardian('secondary', 'Bruno', SECONDARY)},${guardian('tertiary', 'Célia', TERTIARY)}],"threshold":2}`,
  }),
  'create-with-optional-members-null-or-empty': createWith('null and "" stay in the message as they are.', {
    recovery:
      '{"enabled":null,"guardians":[{"contact":"+351 910 000 000","name":"Ana","public_key":"","role":"primary"}],"threshold":null}',
  }),
  'create-with-extra-members-in-recovery': create(
    'What a client echoes back from a read is signed with the rest; numbers as ECMAScript writes them.',
    createBody({
      recovery:
        '{"guardians":[{"role":"primary","name":"Ana","contact":"ana@example.org","accepted":false,"added_at":null,"order":1.0,"weight":2.50,' +
        '"seen":1E2,"nested":{"z":[3,{"b":2,"a":1}],"10":"ten","9":"nine"}}],"threshold":2.0,"enabled":true}',
    }),
    createSigned({
      recovery:
        '{"enabled":true,"guardians":[{"accepted":false,"added_at":null,"contact":"ana@example.org","name":"Ana",' +
        '"nested":{"10":"ten","9":"nine","z":[3,{"a":1,"b":2}]},"order":1,"role":"primary","seen":100,"weight":2.5}],"threshold":2}',
    }),
  ),
  'create-with-unicode-guardians': create(
    'Composed and decomposed letters stay what they are; control characters are escaped, others are not.',
    createBody({
      recovery:
        String.raw`{"guardians":[{"role":"primary","name":"Jos\u00e9 e Jose\u0301","contact":"tab\u0009bell\u0007del\u007f line\u2028"},` +
        String.raw`{"role":"secondary","name":"${emoji} \u00c5\u212b","contact":"a\/b \"c\" \\"}]}`,
    }),
    createSigned({
      recovery:
        '{"guardians":[{"contact":"tab\\tbell\\u0007del\u007f line\u2028","name":"Jos\u00e9 e Jose\u0301","role":"primary"},' +
        '{"contact":"a/b \\"c\\" \\\\","name":"\ud83d\ude00 \u00c5\u212b","role":"secondary"}]}',
    }),
  ),
  'create-with-names-sorted-by-code-units': create(
    'An emoji sorts before U+FB33, as its surrogates do; digits sort as text.',
    createBody({ recovery: `{"guardians":[],"${hebrew}":1,"${emoji}":2,"\u20ac":3,"10":4,"9":5,"A":6,"":7}` }),
    createSigned({
      recovery: '{"":7,"10":4,"9":5,"A":6,"guardians":[],"\u20ac":3,"\ud83d\ude00":2,"\ufb33":1}',
    }),
  ),

  lock: own('lockBEO', 'The id as the service gave it.'),
  'lock-with-a-reason': {
    ...own('lockBEO', 'The reason is a hint and not part of the message.'),
    body: ownBody({ reason: '"my phone was stolen"' }),
  },
  'lock-with-a-null-reason': { ...own('lockBEO', 'No reason.'), body: ownBody({ reason: 'null' }) },
  'lock-id-in-upper-case': own('lockBEO', 'The id is signed as it was sent.', { beoId: BEO_ID.toUpperCase() }),
  'lock-by-domain': own('lockBEO', 'A domain in place of the id; the signature covers the form that was sent.', {
    beoId: '"Maria.bsp"',
  }),
  'lock-by-transaction': own('lockBEO', 'The id of the creating transaction in place of the id.', {
    beoId: `"${'A'.repeat(42)}E"`,
  }),
  unlock: own('unlockBEO', 'Nothing but the id.'),
  destroy: own('destroyBEO', 'Nothing but the id.'),
  rotate: {
    about: 'The current key names its successor.',
    operation: 'rotateBEOKey',
    body: ownBody({ newPublicKey: `"${OTHER}"` }),
    signed: rotateSigned(),
  },
  'rotate-to-a-key-in-upper-case': {
    about: 'The new key is signed as it was sent.',
    operation: 'rotateBEOKey',
    body: ownBody({ newPublicKey: otherUpper }),
    signed: rotateSigned({ newPublicKey: otherUpper }),
  },
};
