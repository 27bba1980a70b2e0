import { afterAll, beforeAll, expect, test } from 'vitest';
import { holds } from '../../ledger/test-proofs.ts';
import { freshDomain, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { type EntryQuery, pagesOfEntries } from './entry-list.ts';
import { createCaller } from './router.ts';
import { publicError } from './trpc-errors.ts';

let product: TestService;
let call: ReturnType<typeof createCaller>;
const holder = newPerson();
const clinic = newPerson();
const [domain, clinicDomain] = [freshDomain(), freshDomain()];
const ids = { beoId: '', ieoId: '', tokenId: '', created: '', registered: '', granted: '' };

beforeAll(async () => {
  product = await startTestService({ RATE_LIMIT: 'on' });
  call = createCaller({ services: product.service.context, address: '192.0.2.1' });
  const beo = await product.post(
    '/api/relayer/beo',
    holder.sign('createBEO', { domain, publicKey: holder.publicKey, recovery: null }),
  );
  const fields = { domain: clinicDomain, ieoType: 'HOSPITAL', displayName: 'A Clinic', publicKey: clinic.publicKey };
  const ieo = await product.post('/api/ieo', clinic.sign('createIEO', fields));
  const scope = { intents: ['READ_RECORDS'], categories: ['*'] };
  const consent = { beoId: beo.body.beo_id, ieoId: ieo.body.ieo_id, scope, expiresInDays: null };
  const grant = await product.post('/api/relayer/consent', holder.sign('grantConsent', consent));
  Object.assign(ids, {
    beoId: beo.body.beo_id,
    ieoId: ieo.body.ieo_id,
    tokenId: grant.body.token.token_id,
    created: beo.body.transactionId,
    registered: ieo.body.transactionId,
    granted: grant.body.transactionId,
  });
});

afterAll(() => product.stop());

const found = async (reference: string) => (await call.explore({ reference })).found;

test('a search returns the entity with its kind', async () => {
  for (const reference of [domain, domain.toUpperCase(), ids.beoId])
    expect(await found(reference)).toMatchObject({ kind: 'identity', identity: { domain } });
  for (const reference of [clinicDomain, ids.ieoId])
    expect(await found(reference)).toMatchObject({
      kind: 'institution',
      institution: { ieo_id: ids.ieoId },
      certification: { certified: false, reason: 'UNCERTIFIED' },
    });
  expect(await found(ids.tokenId)).toMatchObject({
    kind: 'consent',
    consent: { valid: true, token: { beo_id: ids.beoId } },
  });
});

test('a transaction shows its subject', async () => {
  const about = async (reference: string) => {
    const explored = await found(reference);
    return explored.kind === 'transaction' ? [explored.transaction.function, explored.subject] : explored;
  };
  expect(await about(ids.created)).toEqual(['createBEO', { kind: 'identity', domain, grantee: null }]);
  expect(await about(ids.registered)).toEqual([
    'createIEO',
    { kind: 'institution', domain: clinicDomain, grantee: null },
  ]);
  expect(await about(ids.granted)).toEqual(['grantConsent', { kind: 'consent', domain, grantee: clinicDomain }]);
});

test('unknown and malformed references have different results', async () => {
  for (const reference of ['unknown.bsp', `${'x'.repeat(42)}A`, `tok_${ids.beoId}`, crypto.randomUUID()])
    expect(await found(reference)).toEqual({ kind: 'nothing', destroyed: null });
  for (const reference of ['not a domain', '-.bsp', 'x'.repeat(300), 'tok_x', 'somewhere.example'])
    expect(await found(reference)).toEqual({ kind: 'malformed' });
});

test('the newest entries come first', async () => {
  const { entries } = await call.entries({ limit: 2 });
  expect(entries.map(({ id }) => id)).toEqual([ids.granted, ids.registered]);
});

test('a longer list is read page by page, up to its limit', async () => {
  const all: EntryQuery = {
    function: null,
    kind: null,
    status: null,
    from: null,
    to: null,
    before: null,
    after: null,
    limit: 1,
  };
  const read = async (query: Partial<EntryQuery>, most: number) => {
    const seqs: number[] = [];
    for await (const page of pagesOfEntries(product.service.context, { ...all, ...query }, most))
      seqs.push(...page.map(({ seq }) => seq));
    return seqs;
  };
  const { entries } = await call.entries({ limit: 100 });
  const every = entries.map(({ seq }) => seq);
  expect(every.length).toBeGreaterThan(2);
  expect(await read({}, 10_000)).toEqual(every);
  expect(await read({}, 2)).toEqual(every.slice(0, 2));
  expect(await read({ function: 'createBEO' }, 10)).toHaveLength(1);
});

test('entries are listed by the days on which they were accepted, in UTC', async () => {
  const { entries } = await call.entries({ limit: 1 });
  const day = (entries[0]?.accepted_at ?? '').slice(0, 10);
  expect((await call.entries({ from: day, limit: 1 })).entries).toEqual(entries);
  expect((await call.entries({ to: '2020-02-29' })).entries).toEqual([]);
  expect((await call.entries({ from: '2999-12-31' })).entries).toEqual([]);
  for (const from of ['2026-02-30', '0000-01-01', '9999-12-31', 'today'])
    await expect(call.entries({ from })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('a proposal is found by its id and by the transaction that opened it', async () => {
  const proposal = { action: 'suspendIEO', params: { ieoId: ids.ieoId, reason: 'A test.' }, justification: 'A test.' };
  const headers = { 'x-institute-key': product.instituteKeys[0] ?? '' };
  const { body } = await product.post('/api/ieo/approve', proposal, headers);
  const { proposal_id } = body.proposal;
  const expected = {
    kind: 'proposal',
    institution: { domain: clinicDomain },
    proposal: { proposal_id, status: 'PENDING' },
  };
  expect(await found(proposal_id)).toMatchObject(expected);
  expect(await found(body.transactionId)).toMatchObject({
    kind: 'transaction',
    subject: { kind: 'proposal', domain: clinicDomain },
  });
});

test('a proof is returned for a transaction, at most sixty times a minute', async () => {
  expect(holds(await call.proof({ id: ids.created }))).toBe(true);
  const code = async (id: string) => publicError(await call.proof({ id }).catch((error: unknown) => error)).code;
  for (let count = 1; count < 60; count++) expect(await code('x')).toBe('TRANSACTION_NOT_FOUND');
  expect(await code(ids.created)).toBe('RATE_LIMITED');
});
