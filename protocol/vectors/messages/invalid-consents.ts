import { SMALL_ORDER } from '../ed25519/forge.ts';
import {
  approval,
  certification,
  consent,
  contacts,
  foundation,
  institutionRecovery,
  institutionRotation,
  ofInstitution,
  proposal,
  revocation,
  revocationByIntent,
  revocationFrom,
  revocationOfAll,
  SCOPE,
} from './consent-texts.ts';
import type { RefusedCase } from './invalid.ts';
import { BEO_ID, type Case, guardian, HOLDER_SEED, IEO_ID, INSTITUTION_SEED, OTHER, OTHER_SEED } from './texts.ts';

type Parts = Omit<Case, 'about'>;

/** A request whose signature fits all that was sent, so that only what the name says is wrong. */
const refused = (about: string, parts: Parts, code = 'VALIDATION_FAILED'): RefusedCase => ({ about, ...parts, code });

/** A request that is right but for the text that was signed. */
const signedAs = (about: string, parts: Parts, { signed }: Parts): RefusedCase => ({
  about,
  ...parts,
  signed,
  code: 'INVALID_SIGNATURE',
});
const scoped = (about: string, scope: string, code?: string): RefusedCase => refused(about, consent({ scope }), code);
const lasting = (about: string, expiresInDays: string): RefusedCase => refused(about, consent({ expiresInDays }));
const proposing = (about: string, action: string, params: string): RefusedCase =>
  refused(about, proposal({ action: `"${action}"`, params }));
const withHolder = ({ body, signed, ...rest }: Parts): Parts => ({
  ...rest,
  body: body.replace('{', `{"beoId":${BEO_ID},`),
  signed: signed.replace('{', `{"beoId":${BEO_ID},`),
});
const smallOrder = `"${SMALL_ORDER.at(-2)?.hex ?? ''}"`;
const scopeWith = (members: string): string => `${SCOPE.slice(0, -1)},${members}}`;

export const INVALID_CONSENTS: Readonly<Record<string, RefusedCase>> = {
  'create-ieo-signed-with-nulls-filled-in': signedAs(
    'What was not sent is not signed.',
    foundation(),
    foundation({ country: 'null', jurisdiction: 'null', legalId: 'null' }),
  ),
  'create-ieo-signed-with-nulls-dropped': signedAs('null was sent.', foundation({ country: 'null' }), foundation()),
  'create-ieo-signed-by-another-key': {
    ...refused('Not the key in the body.', foundation(), 'INVALID_SIGNATURE'),
    seed: HOLDER_SEED,
  },
  'create-ieo-name-of-one-character': refused('Two at least.', foundation({ displayName: '"L"' })),
  'create-ieo-name-of-121-characters': refused('120 at most.', foundation({ displayName: `"${'n'.repeat(121)}"` })),
  'create-ieo-country-of-61-characters': refused('60 at most.', foundation({ country: `"${'c'.repeat(61)}"` })),
  'create-ieo-unknown-type': refused('No such type.', foundation({ ieoType: '"PHARMACY"' })),
  'create-ieo-type-in-lower-case': refused('Types are upper case.', foundation({ ieoType: '"lab"' })),
  'create-ieo-domain-reserved': refused(
    'A reserved word.',
    foundation({ domain: '"institute.bsp"' }),
    'DOMAIN_RESERVED',
  ),
  'create-ieo-key-of-small-order': refused(
    'Any message verifies under it.',
    foundation({ publicKey: smallOrder }),
    'PUBLIC_KEY_INVALID',
  ),
  'create-ieo-with-a-recovery': refused('It comes later.', foundation({ recovery: 'null' })),

  'lock-ieo-signed-as-a-beo': signedAs(
    'lockIEO is another function than lockBEO.',
    ofInstitution('lockIEO'),
    ofInstitution('lockIEO', { function: '"lockBEO"' }),
  ),
  'lock-ieo-signed-by-another-key': {
    ...refused('Not the institution’s.', ofInstitution('lockIEO'), 'INVALID_SIGNATURE'),
    seed: HOLDER_SEED,
  },
  'lock-ieo-with-a-reason': refused('Only a BEO’s lock takes one.', ofInstitution('lockIEO', { reason: '"stolen"' })),
  'unlock-ieo-signed-as-a-lock': signedAs(
    'Another function.',
    ofInstitution('unlockIEO'),
    ofInstitution('unlockIEO', { function: '"lockIEO"' }),
  ),
  'destroy-ieo-by-beo-id': {
    ...refused('The field is called ieoId.', ofInstitution('destroyIEO')),
    body: ofInstitution('destroyIEO').body.replace('"ieoId"', '"beoId"'),
  },
  'rotate-ieo-signed-over-the-name-in-the-table': signedAs(
    'rotateKey is signed, not the row’s own name.',
    institutionRotation(`"${OTHER}"`),
    institutionRotation(`"${OTHER}"`, { function: '"rotateIEOKey"' }),
  ),
  'rotate-ieo-signed-by-the-new-key': {
    ...refused('The current key has to sign.', institutionRotation(`"${OTHER}"`), 'INVALID_SIGNATURE'),
    seed: OTHER_SEED,
  },
  'rotate-ieo-key-of-small-order': refused(
    'Any message verifies under it.',
    institutionRotation(smallOrder),
    'PUBLIC_KEY_INVALID',
  ),
  'contacts-over-http': refused('https alone.', contacts({ apiEndpoint: '"http://lab.example/"' })),
  'contacts-with-credentials': refused(
    'No names, no passwords.',
    contacts({ apiEndpoint: '"https://a:b@lab.example/"' }),
  ),
  'contacts-on-a-private-address': refused('Not for the public.', contacts({ webhookUrl: '"https://10.0.0.1/"' })),
  'contacts-on-a-mapped-address': refused(
    'The same in IPv6.',
    contacts({ webhookUrl: '"https://[::ffff:10.0.0.1]/"' }),
  ),
  'contacts-on-localhost': refused('The machine itself.', contacts({ webhookUrl: '"https://localhost/hook"' })),
  'contacts-one-missing': refused('Both are always said.', contacts({ webhookUrl: '' })),
  'contacts-empty': refused('null, not an empty text, means none.', contacts({ webhookUrl: '""' })),
  'recovery-of-an-ieo-threshold-1': refused(
    'It is always 2.',
    institutionRecovery('{"guardians":[],"threshold":1}'),
    'RECOVERY_THRESHOLD_INVALID',
  ),
  'recovery-of-an-ieo-role-twice': refused(
    'One guardian for each role.',
    institutionRecovery(`{"guardians":[${guardian('primary', 'Ana')},${guardian('primary', 'Bruno')}]}`),
  ),

  'grant-signed-by-the-institution': {
    ...refused('Only the holder can consent.', consent(), 'INVALID_SIGNATURE'),
    seed: INSTITUTION_SEED,
  },
  'grant-signed-with-defaults-filled-in': signedAs(
    'What the service assumes is not part of what was sent.',
    consent(),
    consent({ scope: scopeWith('"levels":[],"max_records":null,"period":null') }),
  ),
  'grant-signed-with-lists-sorted': signedAs(
    'Lists are signed in the order sent.',
    consent({ scope: '{"categories":["BSP-GL","BSP-CV"],"intents":["READ_RECORDS"]}' }),
    consent(),
  ),
  'grant-signed-with-the-scope-unsorted': signedAs(
    'Members are sorted at every depth.',
    consent(),
    consent({ scope: '{"intents":["READ_RECORDS"],"categories":["BSP-CV","BSP-GL"]}' }),
  ),
  'grant-signed-with-the-period-in-utc': signedAs(
    'The same instants, written in another way.',
    consent({ scope: scopeWith('"period":{"from":"2026-01-01T01:00:00+01:00","to":null}') }),
    consent({ scope: scopeWith('"period":{"from":"2026-01-01T00:00:00Z","to":null}') }),
  ),
  'grant-signed-over-the-id-the-alias-stands-for': signedAs(
    'The signature covers the form that was sent.',
    consent({ ieoId: '"lab.bsp"' }),
    consent(),
  ),
  'grant-signed-for-longer': signedAs('Another number of days.', consent(), consent({ expiresInDays: '31' })),
  'grant-without-a-scope': refused('Nothing is granted by omission.', consent({ scope: '' }), 'SCOPE_REQUIRED'),
  'grant-scope-null': scoped('Nothing is granted by omission.', 'null', 'SCOPE_REQUIRED'),
  'grant-scope-empty': scoped('Neither intents nor categories.', '{}', 'SCOPE_REQUIRED'),
  'grant-without-intents': scoped('For nothing.', '{"categories":["*"]}', 'SCOPE_REQUIRED'),
  'grant-intents-empty': scoped('For nothing.', '{"categories":["*"],"intents":[]}', 'SCOPE_REQUIRED'),
  'grant-without-categories': scoped('Of nothing.', '{"intents":["READ_RECORDS"]}', 'CATEGORIES_REQUIRED'),
  'grant-categories-empty': scoped(
    'An empty list is not everything.',
    '{"categories":[],"intents":["READ_RECORDS"]}',
    'CATEGORIES_REQUIRED',
  ),
  'grant-unknown-intent': scoped('No such intent.', '{"categories":["*"],"intents":["WRITE_RECORDS"]}'),
  'grant-intent-twice': scoped('Once is enough.', '{"categories":["*"],"intents":["READ_RECORDS","READ_RECORDS"]}'),
  'grant-unknown-category': scoped('No such category.', '{"categories":["BSP-XX"],"intents":["READ_RECORDS"]}'),
  'grant-category-twice': scoped('Once is enough.', '{"categories":["BSP-CV","BSP-CV"],"intents":["READ_RECORDS"]}'),
  'grant-star-and-more': scoped('* stands alone.', '{"categories":["*","BSP-CV"],"intents":["READ_RECORDS"]}'),
  'grant-unknown-level': scoped('No such level.', scopeWith('"levels":["BASIC"]')),
  'grant-period-backwards': scoped(
    'It ends before it begins.',
    scopeWith('"period":{"from":"2026-02-01T00:00:00Z","to":"2026-01-01T00:00:00Z"}'),
  ),
  'grant-period-of-days': scoped('No time, no zone.', scopeWith('"period":{"from":"2026-01-01","to":null}')),
  'grant-max-records-0': scoped('One at least.', scopeWith('"max_records":0')),
  'grant-max-records-with-a-fraction': scoped('Whole records.', scopeWith('"max_records":1.5')),
  'grant-scope-with-an-unknown-member': scoped('Nothing unknown is signed away.', scopeWith('"purpose":"care"')),
  'grant-scope-with-proto': scoped('A member called __proto__.', scopeWith('"__proto__":{"levels":["CORE"]}')),
  'grant-for-0-days': lasting('One at least.', '0'),
  'grant-for-36501-days': lasting('36500 at most.', '36501'),
  'grant-for-a-day-and-a-half': lasting('Whole days.', '1.5'),
  'grant-days-as-a-text': lasting('A number.', '"30"'),
  'grant-days-missing': lasting('null is said for a consent without an end.', ''),

  'revoke-token-signed-by-the-institution': {
    ...refused('Only the holder can withdraw it.', revocation(), 'INVALID_SIGNATURE'),
    seed: INSTITUTION_SEED,
  },
  'revoke-token-signed-with-the-holder': {
    ...refused('beoId is not part of it.', withHolder(revocation()), 'INVALID_SIGNATURE'),
  },
  'revoke-token-without-its-prefix': refused(
    'A token’s id begins with tok_.',
    revocation({ tokenId: '"c1a4f0de-7b1d-5a86-b3a9-64e0d5f3a822"' }),
  ),
  'revoke-token-by-domain': refused('A token has no domain.', revocation({ tokenId: '"maria.bsp"' })),
  'revoke-all-signed-as-revoke-all': signedAs(
    'The function is revokeAllTokens.',
    revocationOfAll(),
    revocationOfAll({ function: '"revokeAll"' }),
  ),
  'revoke-all-with-a-reason': refused('It needs none.', revocationOfAll({ reason: '"stolen"' })),
  'revoke-all-from-ieo-signed-over-the-id': signedAs(
    'The path had the domain.',
    revocationFrom('"lab.bsp"'),
    revocationFrom(IEO_ID),
  ),
  'revoke-all-from-ieo-missing': refused('From whom?', revocationFrom('')),
  'revoke-by-unknown-intent': refused('No such intent.', revocationByIntent('"WRITE_RECORDS"')),
  'revoke-by-intent-in-lower-case': refused('Intents are upper case.', revocationByIntent('"read_records"')),
  'revoke-by-intent-signed-without-it': signedAs(
    'What stands in the path is signed.',
    revocationByIntent('"READ_RECORDS"'),
    revocationByIntent('', {}),
  ),

  'propose-an-unknown-action': proposing('No such action.', 'destroyIEO', `{"ieoId":${IEO_ID}}`),
  'propose-a-suspension-without-a-reason': proposing('It needs one.', 'suspendIEO', `{"ieoId":${IEO_ID}}`),
  'propose-a-suspension-with-a-reason-of-501-characters': proposing(
    '500 at most.',
    'suspendIEO',
    `{"ieoId":${IEO_ID},"reason":"${'r'.repeat(501)}"}`,
  ),
  'propose-a-reinstatement-with-a-reason': proposing(
    'It takes none.',
    'reinstateIEO',
    `{"ieoId":${IEO_ID},"reason":"r"}`,
  ),
  'propose-a-revocation-of-nobody': proposing('Whom?', 'revokeIEO', '{"reason":"fraud"}'),
  'propose-an-unknown-level': proposing('No such level.', 'changeCertLevel', `{"ieoId":${IEO_ID},"level":"GOLD"}`),
  'propose-params-a-list': proposing('Not an object.', 'reinstateIEO', '[]'),
  'propose-params-with-proto': proposing(
    'A member called __proto__.',
    'reinstateIEO',
    `{"__proto__":{"level":"BASIC"},"ieoId":${IEO_ID}}`,
  ),
  'propose-without-a-justification': refused('Why?', proposal({ justification: '' })),
  'propose-with-a-justification-of-1001-characters': refused(
    '1000 at most.',
    proposal({ justification: `"${'j'.repeat(1_001)}"` }),
  ),
  'propose-with-an-approver': {
    ...refused('The key in the header says who.', proposal()),
    body: proposal().body.replace('{', '{"approver":1,'),
  },
  'propose-with-a-signature': {
    ...refused('Nobody would check it.', proposal()),
    body: proposal().body.replace('{', '{"signature":"none",'),
  },
  'approve-by-domain': refused('A proposal has no domain.', approval('"lab.bsp"')),
  'approve-nothing': { ...refused('Which?', approval('')), body: '{}' },
  'certify-an-unknown-level': refused('No such level.', certification({ level: '"GOLD"' })),
  'certify-an-unknown-category': refused('No such category.', certification({ categories: '["BSP-XX"]' })),
  'certify-an-unknown-intent': refused('No such intent.', certification({ intents: '["WRITE_RECORDS"]' })),
  'certify-until-a-day': refused('No time, no zone.', certification({ expiresAt: '"2027-01-01"' })),
};
