import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCaller } from '../../http/trpc/router.ts';
import { createClock } from '../../platform/db/clock.ts';
import { newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Guardians, guardiansOf, HOUR } from '../guardians/test-guardians.ts';

let shift = 0;
let service: TestService;
let parties: Guardians;
let call: ReturnType<typeof createCaller>;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  parties = guardiansOf(service, () => Date.now() + shift);
  call = createCaller({ services: service.service.context, address: '192.0.2.1' });
});
afterAll(() => service.stop());

/** What the entries since the last call state, oldest first. */
const latest = async (count: number) =>
  (await call.entries({ limit: count })).entries.toReversed().map(({ facts }) => facts);

const certify = async (ieoId: string, level: string, expiresAt: string | null = null) =>
  expect((await parties.institute('certification', { ieoId, level, expiresAt }, 1)).status).toBe(200);

test('a certification is stated with the one before it, whoever decided that', async () => {
  const clinic = await parties.newInstitution({ ieoType: 'LABORATORY' });
  const until = '2087-05-03T00:00:00.000Z';
  await certify(clinic.domain, 'BASIC');
  await certify(clinic.id, 'ADVANCED', '2087-05-03T02:00:00+02:00');
  await parties.decide('changeCertLevel', { ieoId: clinic.domain, level: 'RESEARCH_PARTNER' });
  await certify(clinic.id, 'UNCERTIFIED');

  const basic = { level: 'BASIC', until: null };
  const advanced = { level: 'ADVANCED', until };
  const research = { level: 'RESEARCH_PARTNER', until: null };
  const none = { level: 'UNCERTIFIED', until: null };
  const proposal = { action: 'changeCertLevel', domain: clinic.domain, certification: research, before: advanced };
  const stated = [
    { function: 'createIEO', ieoType: 'LAB' },
    { function: 'updateCertification', certification: basic, before: none },
    { function: 'updateCertification', certification: advanced, before: basic },
    { function: 'openProposal', ...proposal, isExecuted: false },
    { function: 'approveProposal', ...proposal, isExecuted: true },
    { function: 'updateCertification', certification: none, before: research },
  ];
  expect(await latest(6)).toEqual(stated);
  const history = await call.history({ entityId: clinic.id, limit: 10 });
  expect(history.map(({ facts }) => facts)).toEqual(
    stated.filter(({ function: name }) => name !== 'openProposal').toReversed(),
  );
});

test('the decisions of the institute are listed without other entries, newest first and page by page', async () => {
  const clinic = await parties.newInstitution();
  await certify(clinic.id, 'BASIC');
  await parties.newHolder();
  await parties.decide('suspendIEO', { ieoId: clinic.id, reason: 'A test.' });
  await parties.newHolder();

  const { entries } = await call.decisions({});
  const about = (entry: (typeof entries)[number]) => [entry.function, entry.subject?.domain];
  expect(entries.slice(0, 3).map(about)).toEqual([
    ['approveProposal', clinic.domain],
    ['openProposal', clinic.domain],
    ['updateCertification', clinic.domain],
  ]);
  const decisions = ['approveProposal', 'openProposal', 'updateCertification'];
  expect(entries.filter(({ function: name }) => !decisions.includes(name))).toEqual([]);
  const older = await call.decisions({ before: entries[1]?.seq ?? 0 });
  const seqs = (page: typeof entries) => page.map(({ seq }) => seq);
  expect(seqs(older.entries)).toEqual(seqs(entries).slice(2));
});

test('addresses are stated with those before them, and a key with the one that named it', async () => {
  const clinic = await parties.newInstitution();
  const [one, two] = [
    { api: 'https://one.example/', webhook: null },
    { api: null, webhook: 'https://two.example/' },
  ];
  for (const { api, webhook } of [one, two]) {
    const answer = await parties.ieo(clinic, 'contacts', 'updateContacts', { apiEndpoint: api, webhookUrl: webhook });
    expect(answer.status).toBe(200);
  }
  const next = newPerson();
  await parties.ieo(clinic, 'rotate-key', 'rotateKey', { newPublicKey: next.publicKey.toUpperCase() });
  expect(await latest(3)).toEqual([
    { function: 'updateContacts', contacts: one, before: { api: null, webhook: null } },
    { function: 'updateContacts', contacts: two, before: one },
    { function: 'rotateKey', before: clinic.person.publicKey, key: next.publicKey },
  ]);
});

test('a consent is stated with its grantee, intents and end, and so is what withdraws it', async () => {
  const [holder, clinic] = [await parties.newHolder(), await parties.newInstitution()];
  const token = await parties.granted(
    holder,
    clinic.id,
    { intents: ['READ_RECORDS', 'SUBMIT_RECORD'], categories: ['*'] },
    30,
  );
  const own = { intents: ['READ_RECORDS', 'SOVEREIGN_EXPORT'], categories: ['*'] };
  await parties.granted(holder, holder.id, own);
  await parties.revoke(holder, token.token_id);
  for (const reference of [clinic.id, clinic.domain]) await parties.revokeFrom(holder, reference);
  await parties.revokeIntent(holder, 'EXPORT_DATA');
  const grantee = clinic.domain;
  expect(await latest(6)).toEqual([
    {
      function: 'grantConsent',
      grantee,
      isSelf: false,
      intents: ['READ_RECORDS', 'SUBMIT_RECORD'],
      until: token.expires_at,
    },
    {
      function: 'grantConsent',
      grantee: holder.domain,
      isSelf: true,
      intents: ['READ_RECORDS', 'EXPORT_DATA'],
      until: null,
    },
    { function: 'revokeToken', grantee },
    { function: 'revokeAllFromIEO', grantee },
    { function: 'revokeAllFromIEO', grantee },
    { function: 'revokeByIntent', intent: 'EXPORT_DATA' },
  ]);
});

test('the confirmation that replaced the key is told from the one before it', async () => {
  const guarded = await parties.guarded();
  await parties.recovered(guarded);
  expect(await latest(2)).toEqual([
    { function: 'confirmRecovery', confirmations: 1, isExecuted: false },
    { function: 'confirmRecovery', confirmations: 2, isExecuted: true },
  ]);
  const [entry] = (await call.entries({ limit: 1 })).entries;
  const { found } = await call.explore({ reference: entry?.id ?? '' });
  expect(found).toMatchObject({ kind: 'transaction', facts: { function: 'confirmRecovery', isExecuted: true } });
});

test('a confirmation is not called the first where earlier ones may be too far back', async () => {
  const guarded = await parties.guarded();
  for (let pair = 0; pair < 50; pair++) {
    await parties.beo(guarded.holder, 'lock', 'lockBEO');
    await parties.beo(guarded.holder, 'unlock', 'unlockBEO');
  }
  await parties.recovered(guarded);
  expect(await latest(2)).toEqual([null, { function: 'confirmRecovery', confirmations: 2, isExecuted: true }]);
});

test('guardians are counted, and an operation that says no more than its name states nothing', async () => {
  const holder = await parties.newHolder();
  const named = ['primary', 'secondary'] as const;
  const guardians = named.map((role) => ({ ...parties.guardian(role), publicKey: null }));
  expect((await parties.configure(holder, { enabled: true, threshold: 2, guardians })).status).toBe(200);
  expect((await parties.configure(holder, null)).status).toBe(200);
  await parties.beo(holder, 'lock', 'lockBEO');
  expect(await latest(3)).toEqual([
    { function: 'updateRecovery', guardians: 2 },
    { function: 'updateRecovery', guardians: 0 },
    null,
  ]);
});

test('a confirmation that replaced the key is still told so after a later recovery, and after the end of the identity', async () => {
  const guarded = await parties.guarded();
  const next = await parties.recovered(guarded);
  const last = await parties.recovered({ ...guarded, holder: next });
  const pairs = [1, 2, 1, 2].map((confirmations) => ({
    function: 'confirmRecovery',
    confirmations,
    isExecuted: confirmations === 2,
  }));
  expect(await latest(4)).toEqual(pairs);
  shift = 25 * HOUR;
  expect((await parties.beo(last, 'destroy', 'destroyBEO')).status).toBe(200);
  expect(await latest(5)).toEqual([...pairs, null]);
});
