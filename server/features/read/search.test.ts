import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCaller } from '../../http/trpc/router.ts';
import { freshDomain, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, type Party, partiesOf } from '../../write/test-parties.ts';
import { MAX_TYPED } from './search.ts';

let product: TestService;
let parties: Parties;
let call: ReturnType<typeof createCaller>;
let holder: Party;
let clinic: Party;
beforeAll(async () => {
  product = await startTestService();
  parties = partiesOf(product);
  call = createCaller({ services: product.service.context, address: '192.0.2.1' });
  holder = await parties.newHolder();
  clinic = await parties.newInstitution({ displayName: 'Clínica Boa Vista' });
});
afterAll(() => product.stop());

const labelOf = (domain: string) => domain.slice(0, domain.lastIndexOf('.'));
const kindsFor = async (typed: string) => (await call.search({ typed })).matches.map(({ kind }) => kind);

test('a domain is found with and without its suffix, in upper and lower case', async () => {
  for (const typed of [holder.domain, labelOf(holder.domain), ` ${holder.domain.toUpperCase()} `]) {
    const { matches } = await call.search({ typed });
    expect(matches).toEqual([{ kind: 'identity', id: holder.id, domain: holder.domain, status: 'ACTIVE' }]);
  }
  expect((await call.search({ typed: clinic.domain })).matches).toMatchObject([
    { kind: 'institution', institution: { ieo_id: clinic.id, certified: false } },
  ]);
});

test('an institution is found by words of its name, in every status', async () => {
  const { matches } = await call.search({ typed: 'boa vis' });
  expect(matches).toMatchObject([{ kind: 'institution', institution: { ieo_id: clinic.id } }]);
  const other = await parties.newInstitution({ displayName: 'Hospital Serra Azul' });
  await parties.decide('revokeIEO', { ieoId: other.id, reason: 'It does not exist.' });
  expect((await call.search({ typed: 'serra azul' })).matches).toMatchObject([
    { kind: 'institution', institution: { status: 'REVOKED' } },
  ]);
  expect(await call.findInstitutions({ typed: 'serra azul' })).toEqual([]);
});

test('an entry is found by its number, however it is written', async () => {
  const first = await call.entries({ limit: 1, before: 2 });
  const entry = { kind: 'entry', id: first.entries[0]?.id, seq: 1, function: first.entries[0]?.function };
  for (const typed of ['1', '#1', 'No. 1', 'nº 1', 'N.º 1', '001']) {
    expect((await call.search({ typed })).matches, typed).toEqual([entry]);
  }
  for (const typed of ['1.000', '1,000', '0', '9'.repeat(15), '9'.repeat(100), '-1', '1.5', '1e3'])
    expect(await kindsFor(typed), typed).toEqual([]);
});

test('a text that can only be a number finds no institution', async () => {
  await parties.newInstitution({ displayName: 'Northern Laboratory 1' });
  for (const typed of ['no. 1', 'No 1', '#1', '# 1', 'nº 1', 'N.º1', 'n. 1', 'n°1'])
    expect(await kindsFor(typed), typed).toEqual(['entry']);
  expect(await kindsFor('laboratory 1')).toEqual(['institution']);
  await parties.newHolder('no1.bsp');
  expect(await kindsFor('no1')).toEqual(['identity', 'entry']);
});

test('a number that no entry has yet is told with the newest', async () => {
  const newest = (await call.entries({ limit: 1 })).entries[0]?.seq ?? 0;
  for (const typed of ['999999', 'no. 999,999', '#999999'])
    expect(await call.search({ typed }), typed).toEqual({
      matches: [],
      hasMore: false,
      missing: { seq: 999_999, newest },
    });
  for (const typed of ['1', '0', '9'.repeat(30), 'no such thing'])
    expect((await call.search({ typed })).missing, typed).toBeNull();
});

test('a text with several meanings has several matches', async () => {
  await parties.newHolder('1.bsp');
  const named = await parties.newInstitution({ displayName: `Lab ${labelOf(holder.domain)}` });
  expect(await kindsFor('1')).toEqual(['identity', 'entry']);
  expect((await call.search({ typed: labelOf(holder.domain) })).matches).toMatchObject([
    { kind: 'identity' },
    { institution: { ieo_id: named.id } },
  ]);
});

test('the name of a destroyed identity leads to it, and nobody can take the name', async () => {
  const [gone, other] = [await parties.newHolder(), await parties.newHolder()];
  for (const each of [other, gone]) await parties.beo(each, 'destroy', 'destroyBEO');
  expect((await call.search({ typed: labelOf(gone.domain) })).matches).toEqual([
    { kind: 'destroyed', id: gone.id, domain: gone.domain },
  ]);
  expect((await call.explore({ reference: gone.domain })).found).toEqual({ kind: 'nothing', destroyed: gone.id });
  await product.service.context.pool.query('UPDATE names SET available_at = now() WHERE id = $1', [gone.domain]);
  const next = newPerson();
  const fields = { domain: gone.domain, publicKey: next.publicKey, recovery: null };
  const refused = await product.post('/api/relayer/beo', parties.sign(next, 'createBEO', fields));
  expect(refused.body.code).toBe('DOMAIN_TAKEN');
});

test('any other text finds nothing', async () => {
  const texts = [
    '',
    '   ',
    'no such thing',
    'a\0b',
    '\u202e\ufffd\u{1f600}',
    "'; DROP TABLE ieos --",
    '%',
    '-.bsp',
    ':*',
    freshDomain(),
  ];
  for (const typed of [...texts, 'x'.repeat(MAX_TYPED), '\u0301'.repeat(MAX_TYPED)])
    expect(await call.search({ typed }), typed).toEqual({ matches: [], hasMore: false, missing: null });
  await expect(call.search({ typed: 'x'.repeat(MAX_TYPED + 1) })).rejects.toThrow();
});

test('entries are listed with what they are about, by kind', async () => {
  const { token_id } = await parties.granted(holder, clinic.id);
  const own = await parties.granted(holder, holder.id);
  const { proposal_id } = (await parties.propose('suspendIEO', { ieoId: clinic.id, reason: 'Late.' })).body.proposal;
  const { entries } = await call.entries({ limit: 3 });
  expect(entries.map(({ entity_id, subject }) => [entity_id, subject])).toEqual([
    [proposal_id, { kind: 'proposal', domain: clinic.domain, grantee: null }],
    [own.token_id, { kind: 'consent', domain: holder.domain, grantee: holder.domain }],
    [token_id, { kind: 'consent', domain: holder.domain, grantee: clinic.domain }],
  ]);
  const [person, lab] = [await parties.newHolder(), await parties.newInstitution()];
  await parties.beo(person, 'rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey });
  await parties.ieo(lab, 'rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey });
  expect((await call.entries({ function: 'rotateKey' })).entries).toHaveLength(2);
  for (const kind of ['identity', 'institution', 'consent', 'proposal'] as const) {
    const page = await call.entries({ kind, limit: 100 });
    expect(page.entries.length).toBeGreaterThan(0);
    for (const { subject } of page.entries) expect(subject?.kind).toBe(kind);
  }
  const { entries: granted } = await call.entries({ function: 'grantConsent', kind: 'consent' });
  expect(granted.map(({ entity_id }) => entity_id)).toEqual([own.token_id, token_id]);
  for (const query of [
    { function: 'nosuch' },
    { function: 'a\0' },
    { function: 'grantConsent', kind: 'identity' as const },
  ])
    expect((await call.entries(query)).entries).toEqual([]);
});

test('a transaction has its neighbours', async () => {
  const { entries } = await call.entries({ limit: 3 });
  const [last, second, third] = entries.map(({ id }) => id);
  const neighboursOf = async (reference = '') => {
    const { found } = await call.explore({ reference });
    return found.kind === 'transaction' && found.neighbours;
  };
  expect(await neighboursOf(second)).toEqual({ previous: third, next: last });
  expect(await neighboursOf(last)).toMatchObject({ next: null });
});

test('a public key finds every identity and institution that has it now', async () => {
  const [person, lab] = [await parties.newHolder(), await parties.newInstitution()];
  const before = person.person.publicKey;
  const { publicKey } = newPerson();
  expect(await kindsFor(publicKey)).toEqual([]);
  await parties.beo(person, 'rotate-key', 'rotateKey', { newPublicKey: publicKey });
  expect((await call.search({ typed: publicKey.toUpperCase() })).matches).toEqual([
    { kind: 'identity', id: person.id, domain: person.domain, status: 'ACTIVE' },
  ]);
  expect(await kindsFor(before)).toEqual([]);
  await parties.ieo(lab, 'rotate-key', 'rotateKey', { newPublicKey: publicKey });
  expect((await call.search({ typed: ` ${publicKey} ` })).matches).toMatchObject([
    { kind: 'identity', domain: person.domain },
    { kind: 'institution', institution: { ieo_id: lab.id } },
  ]);
  expect(await kindsFor(publicKey.slice(1))).toEqual([]);
});
