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
} from './consent-texts.ts';
import { type Case, IEO_ID, INSTITUTION, OTHER, PROPOSAL_ID, RECOVERY, TRANSACTION } from './texts.ts';

const withBody = (parts: Omit<Case, 'about'>, change: (body: string) => string) => ({
  ...parts,
  body: change(parts.body),
});

export const VALID_CONSENTS: Readonly<Record<string, Case>> = {
  'create-ieo': { about: 'The plainest institution: what was not sent is not signed.', ...foundation() },
  'create-ieo-with-everything': {
    about: 'Country, jurisdiction and legal id are signed where they are sent.',
    ...foundation({ country: '"PT"', jurisdiction: '"EU"', legalId: '"500 000 000"' }),
  },
  'create-ieo-with-nulls': {
    about: 'null is a value that was sent, and is signed.',
    ...foundation({ country: 'null', jurisdiction: 'null', legalId: 'null' }),
  },
  'create-ieo-domain-and-key-in-mixed-case': {
    about: 'Signed as they were sent, stored in lower case.',
    ...foundation({ domain: '"Lab.BSP"', publicKey: `"${INSTITUTION.toUpperCase()}"` }),
  },
  'lock-ieo': { about: 'Nothing but the id.', ...ofInstitution('lockIEO') },
  'lock-ieo-by-domain': {
    about: 'A domain in place of the id; the signature covers the form that was sent.',
    ...ofInstitution('lockIEO', { ieoId: '"Lab.bsp"' }),
  },
  'unlock-ieo': { about: 'Nothing but the id.', ...ofInstitution('unlockIEO') },
  'destroy-ieo': { about: 'Nothing but the id.', ...ofInstitution('destroyIEO') },
  'rotate-ieo': {
    about: 'The function is rotateKey as well; the field that names the entity tells it from a BEO’s.',
    ...institutionRotation(`"${OTHER}"`),
  },
  contacts: { about: 'One URL, and none.', ...contacts() },
  'contacts-both': {
    about: 'A URL is signed and stored as it was sent.',
    ...contacts({ apiEndpoint: '"https://LAB.example:443/api/../v1?q=%7e"', webhookUrl: '"https://lab.example/hook"' }),
  },
  'contacts-neither': { about: 'Both are taken away.', ...contacts({ apiEndpoint: 'null' }) },
  'recovery-of-an-ieo': { about: 'Guardians of an institution.', ...institutionRecovery(RECOVERY) },
  'recovery-of-an-ieo-null': { about: 'No guardians any more.', ...institutionRecovery('null') },

  grant: { about: 'The plainest consent: who, to whom, what, for how long.', ...consent() },
  'grant-until-revoked': { about: 'null: no end.', ...consent({ expiresInDays: 'null' }) },
  'grant-for-a-day': { about: 'The shortest.', ...consent({ expiresInDays: '1' }) },
  'grant-for-36500-days': { about: 'The longest.', ...consent({ expiresInDays: '36500' }) },
  'grant-days-with-a-fraction-of-zero': {
    about: '30.0 is 30, and is signed as 30.',
    ...withBody(consent(), (body) => body.replace('"expiresInDays":30', '"expiresInDays":30.0')),
  },
  'grant-everything': {
    about: '* means all categories.',
    ...consent({ scope: '{"categories":["*"],"intents":["SUBMIT_RECORD","READ_RECORDS","EXPORT_DATA"]}' }),
  },
  'grant-with-every-member': {
    about: 'Every limit that there is.',
    ...consent({
      scope:
        '{"categories":["BSP-CV"],"intents":["READ_RECORDS"],"levels":["CORE"],"max_records":100,' +
        '"period":{"from":"2026-01-01T00:00:00+01:00","to":"2026-12-31T23:59:59.999Z"}}',
    }),
  },
  'grant-with-nulls': {
    about: 'What is null was sent, and is signed.',
    ...consent({
      scope: '{"categories":["BSP-CV"],"intents":["READ_RECORDS"],"levels":null,"max_records":null,"period":null}',
    }),
  },
  'grant-with-open-ends': {
    about: 'A period that has no beginning.',
    ...consent({
      scope: '{"categories":["BSP-CV"],"intents":["READ_RECORDS"],"period":{"from":null,"to":"2026-12-31T23:59Z"}}',
    }),
  },
  'grant-lists-in-the-order-sent': {
    about: 'Members are sorted, lists are not.',
    ...withBody(
      consent({ scope: '{"categories":["BSP-GL","BSP-CV"],"intents":["READ_RECORDS","EXPORT_DATA"]}' }),
      (body) =>
        body.replace(
          '{"categories":["BSP-GL","BSP-CV"],"intents":["READ_RECORDS","EXPORT_DATA"]}',
          '{"intents":["READ_RECORDS","EXPORT_DATA"],"categories":["BSP-GL","BSP-CV"]}',
        ),
    ),
  },
  'grant-by-domains': {
    about: 'Domains in place of ids; the signature covers the form that was sent.',
    ...consent({ beoId: '"Maria.bsp"', ieoId: '"LAB.bsp"' }),
  },
  'grant-to-oneself': {
    about: 'The holder’s own domain for the grantee: a self token.',
    ...consent({ ieoId: '"maria.bsp"', scope: '{"categories":["*"],"intents":["EXPORT_DATA"]}' }),
  },
  'revoke-token': { about: 'The id from the path; it may be repeated in the body.', ...revocation() },
  'revoke-token-by-transaction': {
    about: 'The id of the transaction that granted it.',
    ...revocation({ tokenId: TRANSACTION }),
  },
  'revoke-token-with-the-holder': {
    about: 'Whose token it is is a hint and not part of the message.',
    ...withBody(revocation(), (body) => body.replace('{', '{"beoId":"maria.bsp",')),
  },
  'revoke-all': { about: 'Nothing but the id.', ...revocationOfAll() },
  'revoke-all-from-ieo-by-id': { about: 'ieoId is the value from the path.', ...revocationFrom(IEO_ID) },
  'revoke-all-from-ieo-by-domain': { about: 'ieoId is the value from the path.', ...revocationFrom('"lab.bsp"') },
  'revoke-by-intent': { about: 'intent is the value from the path.', ...revocationByIntent('"READ_RECORDS"') },

  'propose-a-suspension': { about: 'The first of two keys; the key goes in a header.', ...proposal() },
  'propose-a-reinstatement': {
    about: 'Nothing but whom.',
    ...proposal({ action: '"reinstateIEO"', params: `{"ieoId":${IEO_ID}}` }),
  },
  'propose-a-revocation': {
    about: 'By domain; the ledger says what was sent.',
    ...proposal({ action: '"revokeIEO"', params: '{"ieoId":"Lab.bsp","reason":"fraud"}' }),
  },
  'propose-a-level': {
    about: 'Without an end.',
    ...proposal({ action: '"changeCertLevel"', params: `{"ieoId":${IEO_ID},"level":"BASIC"}` }),
  },
  'propose-a-level-with-an-end': {
    about: 'With an end.',
    ...proposal({
      action: '"changeCertLevel"',
      params: `{"expiresAt":"2027-01-01T00:00:00Z","ieoId":${IEO_ID},"level":"RESEARCH_PARTNER"}`,
    }),
  },
  'approve-a-proposal': { about: 'Another key.', ...approval(PROPOSAL_ID) },
  'approve-a-proposal-by-transaction': { about: 'The id of the transaction that opened it.', ...approval(TRANSACTION) },
  certify: { about: 'A level alone.', ...certification() },
  'certify-with-everything': {
    about: 'For what, and until when.',
    ...certification({
      categories: '["BSP-CV"]',
      intents: '["READ_RECORDS"]',
      expiresAt: '"2027-01-01T00:00:00Z"',
    }),
  },
};
