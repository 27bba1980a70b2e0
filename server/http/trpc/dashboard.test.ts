import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../protocol/operations.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { openReceipt } from '../../ledger/test-chain.ts';
import { createClock } from '../../platform/db/clock.ts';
import { type Answer, freshDomain, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, type Party, partiesOf } from '../../write/test-parties.ts';
import { createCaller } from './router.ts';
import { publicError } from './trpc-errors.ts';

const shift = 0;
let product: TestService;
let parties: Parties;
let call: ReturnType<typeof createCaller>;

beforeAll(async () => {
  product = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  parties = partiesOf(product, () => Date.now() + shift);
  call = createCaller({ services: product.service.context, address: '192.0.2.1' });
});
afterAll(() => product.stop());

const refusal = (answer: Promise<unknown>) =>
  answer.then(
    () => expect.fail('The call was accepted.'),
    (error: unknown) => publicError(error),
  );

type Body = Record<string, unknown>;

describe('an operation of the bundled UI', () => {
  test('returns the response of REST, including the receipt', async () => {
    const person = newPerson();
    const domain = freshDomain();
    const body = person.sign('createBEO', { domain, publicKey: person.publicKey, recovery: null });
    const answer = await call.operate({ function: 'createBEO', body });
    expect(openReceipt(String(answer.receipt))).toMatchObject({
      item: { id: answer.transactionId },
      entry: { function: 'createBEO', entity_id: answer.beo_id, message: { domain } },
    });
    expect((await product.get(`/api/beos/domain/${domain}`)).body.beo).toMatchObject({ beo_id: answer.beo_id });
  });

  test('is selected by its fields among operations with one function name', async () => {
    const clinic = await parties.newInstitution();
    const next = newPerson();
    const fields = { ieoId: clinic.id, newPublicKey: next.publicKey };
    const body = parties.sign(clinic.person, 'rotateKey', fields);
    expect(await call.operate({ function: 'rotateKey', body })).toMatchObject({ public_key: next.publicKey });
    const signedWithOldKey = parties.sign(clinic.person, 'rotateKey', fields);
    expect(await refusal(call.operate({ function: 'rotateKey', body: signedWithOldKey }))).toMatchObject({
      code: 'INVALID_SIGNATURE',
    });
  });

  test.each([
    ['an unknown operation', 'dropDatabase', {}, 'NOT_FOUND'],
    ['a property name of every object', 'constructor', {}, 'NOT_FOUND'],
    ['an operation that requires a guardian’s link', 'acceptGuardian', {}, 'NOT_FOUND'],
    ['an empty body', 'lockBEO', {}, 'VALIDATION_FAILED'],
    ['a NUL', 'lockBEO', { beoId: 'a\0b' }, 'VALIDATION_FAILED'],
    ['a lone surrogate', 'lockBEO', { beoId: '\ud800' }, 'VALIDATION_FAILED'],
    ['an operation of the institute without its key', 'approveProposal', { proposalId: 'x' }, 'INSTITUTE_KEY_MISSING'],
  ])('is refused with a code: %s', async (_, functionName, body: Body, code) => {
    expect(await refusal(call.operate({ function: functionName, body }))).toMatchObject({ code });
  });

  test('of the institute uses the key in the header only', async () => {
    const clinic = await parties.newInstitution();
    const callerWithKey = (instituteKey = '') =>
      createCaller({ services: product.service.context, address: '192.0.2.1', instituteKey });
    const [first, second] = product.instituteKeys;
    const body = { action: 'suspendIEO', params: { ieoId: clinic.id, reason: 'Late.' }, justification: 'Twice.' };
    const { proposal } = await callerWithKey(first).operate({ function: 'openProposal', body });
    const { proposal_id: proposalId } = proposal as { proposal_id: string };
    expect(await callerWithKey(second).operate({ function: 'approveProposal', body: { proposalId } })).toMatchObject({
      executed: true,
    });
    const [listed] = (await call.proposals({})).proposals;
    expect(listed).toMatchObject({
      proposal_id: proposalId,
      status: 'EXECUTED',
      institution: { ieo_id: clinic.id, domain: clinic.domain, status: 'SUSPENDED' },
    });
    expect(await refusal(callerWithKey('wrong key').operate({ function: 'openProposal', body }))).toMatchObject({
      code: 'INSTITUTE_KEY_INVALID',
    });
  });

  test('is charged to the group of its REST route, by address and by key', async () => {
    const limited = await startTestService({ RATE_LIMIT: 'on' });
    const at = (address: string) => createCaller({ services: limited.service.context, address });
    const { newHolder, sign } = partiesOf(limited);
    const holder = await newHolder();
    const lock = () => ({ function: 'lockBEO', body: sign(holder.person, 'lockBEO', { beoId: holder.id }) });
    const rest = await limited.post('/api/relayer/beo/lock', lock().body);
    expect(rest.headers.get('ratelimit')).toContain('r=8');
    const answers = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => at(`198.51.100.${index}`).operate(lock())),
    );
    const codes = answers.map((answer) =>
      answer.status === 'rejected' ? publicError(answer.reason).code : 'ACCEPTED',
    );
    expect(codes.filter((code) => code === 'RATE_LIMITED').length).toBeGreaterThanOrEqual(3);

    const callByAnother = () => refusal(at('198.51.100.200').operate({ function: 'lockBEO', body: {} }));
    const codesOfAnother = [];
    for (let index = 0; index < 11; index++) codesOfAnother.push((await callByAnother()).code);
    expect(codesOfAnother).toEqual([...Array.from({ length: 10 }, () => 'VALIDATION_FAILED'), 'RATE_LIMITED']);
    await limited.stop();
  });

  test('every operation has a route, whose rate limit applies', () => {
    for (const { name, routes } of OPERATIONS) expect({ name, limit: routes[0]?.limit }).not.toEqual({ name });
  });
});

describe('institutions', () => {
  const found = async (typed: string) => (await call.findInstitutions({ typed })).map(({ domain }) => domain);

  test('are found by prefixes of words of their name and domain, in any order and case', async () => {
    const name = 'Laboratório São Bento do Xingu';
    const { domain } = await parties.newInstitution({ displayName: name });
    for (const typed of ['xingu', 'LABORATÓRIO xin', 'bento são', domain, domain.split('.')[0] ?? '']) {
      expect({ typed, found: await found(typed) }).toEqual({ typed, found: [domain] });
    }
    expect(await found('ingu')).toEqual([]);
  });

  test('are found by names with numbers, addresses or symbols', async () => {
    const names = [
      'Clinic d3962fba-1162',
      'Praxis 12-34e5/67.8',
      'www.Wombat.example/eins',
      'R&D <Okapi> «Nord»',
      'हिन्दी केंद्र',
    ];
    for (const displayName of names) {
      const { domain } = await parties.newInstitution({ displayName });
      expect({ displayName, found: await found(displayName) }).toEqual({ displayName, found: [domain] });
    }
  });

  test('are not found if inactive or by an empty search', async () => {
    const locked = await parties.newInstitution({ displayName: 'Vanishing Quagga Clinic' });
    expect(await found('quagga')).toEqual([locked.domain]);
    await parties.ieo(locked, 'lock', 'lockIEO');
    expect(await found('quagga')).toEqual([]);
    expect(await found('')).toEqual([]);
    expect(await found('q')).toEqual([]);
    expect(await found('bsp')).toEqual([]);
    expect(await found(`' | !& :* "%_`)).toEqual([]);
    expect(await found(`quagga' | 'clinic`)).toEqual([]);
  });

  test('are not returned as persons’ identities', async () => {
    const { domain, id } = await parties.newInstitution();
    for (const reference of [domain, id]) {
      expect(await call.lookUp({ reference })).toEqual({ outcome: 'institution', identity: null });
    }
  });

  test('list their received consents in pages, newest first', async () => {
    const clinic = await parties.newInstitution();
    const secondClinic = await parties.newInstitution();
    const holders: Party[] = [];
    for (let index = 0; index < 5; index++) {
      const holder = await parties.newHolder();
      await parties.granted(holder, clinic.id);
      await parties.granted(holder, secondClinic.id);
      holders.unshift(holder);
    }
    const seen: (string | null)[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof call.receivedConsents>> = await call.receivedConsents({
        reference: clinic.domain,
        limit: 2,
        cursor,
      });
      seen.push(...page.tokens.map(({ beo_domain }) => beo_domain));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen).toEqual(holders.map(({ domain }) => domain));
    const [newest] = holders;
    const body = parties.sign(newest?.person ?? newPerson(), 'lockBEO', { beoId: newest?.id ?? '' });
    await call.operate({ function: 'lockBEO', body });
    const { next_cursor, locked_beos: locked } = await call.receivedConsents({ reference: clinic.id, limit: 2 });
    expect(locked).toEqual([newest?.id]);
    expect(
      await refusal(call.receivedConsents({ reference: secondClinic.id, limit: 2, cursor: next_cursor })),
    ).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    expect(await refusal(call.receivedConsents({ reference: freshDomain() }))).toMatchObject({ code: 'IEO_NOT_FOUND' });
  });
});

describe('the submissions of an institution', () => {
  test('are listed newest first with the number of records, as the ledger shows them', async () => {
    const [holder, clinic] = await Promise.all([parties.newHolder(), parties.newInstitution()]);
    const { token } = (await parties.grant(holder, clinic.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] })).body;
    const record = { biomarker: 'BSP-GL-001', value: 92, unit: 'mg/dL', collected_at: '2026-01-10T08:30:00.000Z' };
    const submit = (records: Json) => {
      const fields = { targetBeo: holder.id, consentToken: token.token_id, records };
      return call.operate({ function: 'submitRecords', body: parties.sign(clinic.person, 'submitRecords', fields) });
    };
    const first = await submit([record]);
    const second = await submit([record, { ...record, value: 93 }]);
    const listed = await call.submissions({ reference: clinic.domain });
    const person = { token_id: token.token_id, beo_id: holder.id, beo_domain: holder.domain };
    expect(listed).toMatchObject([
      { ...person, id: second.transactionId, records: 2 },
      { ...person, id: first.transactionId, records: 1 },
    ]);
    const older = await call.submissions({ reference: clinic.id, before: listed[0]?.seq ?? 0 });
    expect(older.map(({ id }) => id)).toEqual([first.transactionId]);
    expect(await refusal(call.submissions({ reference: freshDomain() }))).toMatchObject({ code: 'IEO_NOT_FOUND' });
  });
});

describe('an institute key', () => {
  test('is recognised without deciding anything', async () => {
    const keyed = (instituteKey: string | undefined) =>
      createCaller({ services: product.service.context, address: '192.0.2.2', instituteKey }).instituteKey({});
    expect(await keyed(product.instituteKeys[1])).toEqual({ approver: 2 });
    expect(await refusal(keyed('not a key'))).toMatchObject({ code: 'INSTITUTE_KEY_INVALID' });
    expect(await refusal(keyed(undefined))).toMatchObject({ code: 'INSTITUTE_KEY_MISSING' });
  });
});

describe('the ledger', () => {
  test('shows the history of an entity in pages, newest first', async () => {
    const holder = await parties.newHolder();
    for (const [path, name] of [
      ['lock', 'lockBEO'],
      ['unlock', 'unlockBEO'],
      ['lock', 'lockBEO'],
    ] as const) {
      expect((await parties.beo(holder, path, name)).status).toBe(200);
    }
    const all = await call.history({ entityId: holder.id });
    expect(all.map((entry) => entry.function)).toEqual(['lockBEO', 'unlockBEO', 'lockBEO', 'createBEO']);
    const first = await call.history({ entityId: holder.id, limit: 3 });
    const rest = await call.history({ entityId: holder.id, limit: 3, before: first.at(-1)?.seq });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(await call.history({ entityId: 'unknown' })).toEqual([]);
    for (const answer of [call.history({ entityId: 'a\0b' }), call.progress({ ids: ['a\0b'] })]) {
      expect(await refusal(answer)).toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });

  test('shows the entry that revoked a consent, even with others or with a party', async () => {
    const [holder, clinic] = [await parties.newHolder(), await parties.newInstitution()];
    const scope = { intents: ['READ_RECORDS'], categories: ['*'] };
    const history = async (id: string) => (await call.history({ entityId: id })).map((entry) => entry.function);
    const ends: [ending: string, end: () => Promise<Answer>][] = [
      ['revokeAllFromIEO', () => parties.revokeFrom(holder, clinic.id)],
      ['revokeByIntent', () => parties.revokeIntent(holder, 'READ_RECORDS')],
      ['revokeAllTokens', () => parties.beo(holder, 'revoke-all', 'revokeAllTokens')],
      ['revokeToken', () => parties.revoke(holder, granted)],
      ['approveProposal', () => parties.decide('revokeIEO', { ieoId: clinic.id, reason: 'A test.' })],
      ['destroyBEO', () => parties.beo(holder, 'destroy', 'destroyBEO')],
    ];
    let granted = '';
    for (const [ending, end] of ends) {
      const grantee = ending === 'destroyBEO' ? holder : clinic;
      granted = (await parties.granted(holder, grantee.id, scope)).token_id;
      expect(await history(granted)).toEqual(['grantConsent']);
      const { status, body } = await end();
      expect(status, JSON.stringify(body)).toBe(200);
      const [last, ...before] = await call.history({ entityId: granted });
      expect([last?.function, last?.id, before.length]).toEqual([ending, body.transactionId, 1]);
      const older = await call.history({ entityId: granted, limit: 1, before: last?.seq });
      expect(older.map((entry) => entry.function)).toEqual(['grantConsent']);
    }
  });

  test('shows the institute’s decisions about an institution', async () => {
    const clinic = await parties.newInstitution();
    await parties.propose('revokeIEO', { ieoId: clinic.id, reason: 'A test.' });
    await parties.decide('suspendIEO', { ieoId: clinic.id, reason: 'A test.' });
    await parties.decide('reinstateIEO', { ieoId: clinic.id });
    const entries = await call.history({ entityId: clinic.id });
    expect(entries.map((entry) => entry.function)).toEqual(['approveProposal', 'approveProposal', 'createIEO']);
  });

  test('reports the ledger status of known operations', async () => {
    const holder = await parties.newHolder();
    const ids = [holder.transactionId, 'x'.repeat(43)];
    await expect
      .poll(async () => (await call.progress({ ids })).map(({ id, status }) => ({ id, status })))
      .toEqual([{ id: holder.transactionId, status: 'FINAL' }]);
  });
});

describe('a signed read', () => {
  test('of records returns the same result and error codes as REST', async () => {
    const holder = await parties.newHolder();
    const token = await parties.granted(holder, holder.id, { intents: ['READ_RECORDS'], categories: ['*'] });
    const sign = (fields: Record<string, Json> = {}) =>
      parties.sign(holder.person, 'readRecords', { targetBeo: holder.id, consentToken: token.token_id, ...fields });
    const filters = {
      categories: null,
      biomarkers: null,
      levels: null,
      status: 'ACTIVE' as const,
      from: null,
      to: null,
      limit: 1_000,
      offset: 0,
    };
    expect(await refusal(call.records({ body: { ...sign(), consentToken: 'tok_x' }, filters }))).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    const unknownCategory = await refusal(
      call.records({ body: sign(), filters: { ...filters, categories: ['BSP-XX'] } }),
    );
    expect(unknownCategory).toMatchObject({ code: 'VALIDATION_FAILED' });
    const body = sign();
    const first = await call.records({ body, filters }).catch((error: unknown) => publicError(error).code);
    expect(first).toMatchObject({ beo_id: holder.id, records: [], total: 0, has_more: false });
    expect(await refusal(call.records({ body, filters }))).toMatchObject({ code: 'NONCE_REUSED' });
  });

  test('of access events is allowed only to the holder', async () => {
    const holder = await parties.newHolder();
    const body = parties.sign(holder.person, 'listAccess', { beoId: holder.id });
    expect(await call.access({ body })).toEqual({ beo_id: holder.id, events: [], next_cursor: null });
    const stranger = parties.sign(newPerson(), 'listAccess', { beoId: holder.id });
    expect(await refusal(call.access({ body: stranger }))).toMatchObject({ code: 'INVALID_SIGNATURE' });
  });
});

// Last, because it advances the clock: later operations would be posted only when the network's time has caught up.
describe('a domain', () => {
  const state = (domain: string) => call.availability({ domain });

  test('is available until a person or an institution registers it', async () => {
    const domain = freshDomain();
    expect(await state(domain)).toEqual({ state: 'free' });
    await parties.newHolder(domain);
    expect(await state(domain.toUpperCase())).toEqual({ state: 'taken' });
    const clinic = await parties.newInstitution();
    expect(await state(clinic.domain)).toEqual({ state: 'taken' });
  });

  test('can be invalid or reserved', async () => {
    expect(await state('admin.bsp')).toEqual({ state: 'impossible', code: 'DOMAIN_RESERVED' });
    for (const domain of ['', 'a b.bsp', 'a.com', '-a.bsp', 'ä.bsp', `${'a'.repeat(70)}.bsp`]) {
      expect(await state(domain)).toEqual({ state: 'impossible', code: 'DOMAIN_INVALID' });
    }
  });

  test('is never available again after its holder is destroyed', async () => {
    const holder = await parties.newHolder();
    await parties.beo(holder, 'destroy', 'destroyBEO');
    expect(await state(holder.domain)).toEqual({ state: 'taken' });
    await product.service.context.pool.query('DELETE FROM names WHERE holder_id IS NULL');
    expect(await state(holder.domain)).toEqual({ state: 'taken' });
  });
});
