import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDomain, newPerson, startTestService, type TestService } from '../../server/testing/test-service.ts';
import { partiesOf } from '../../server/write/test-parties.ts';
import { findTraces, type Traces } from './find-traces.ts';

let service: TestService;
let client: pg.Client;
let parties: ReturnType<typeof partiesOf>;
beforeAll(async () => {
  service = await startTestService();
  parties = partiesOf(service);
  client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.stop();
});

const numbers = (counts: Traces['erasable']) => Object.fromEntries(counts.map(({ name, count }) => [name, count]));

/** A holder with rows of every kind that a service without mail stores. */
async function holderWithData() {
  const person = newPerson();
  const guardians = ['primary', 'secondary'].map((role) => ({
    name: `Zoë ${role}`,
    contact: `${role}@example.org`,
    role,
  }));
  const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: { guardians } };
  const created = await service.post('/api/relayer/beo', parties.sign(person, 'createBEO', fields));
  const { beo_id: id, transactionId } = created.body;
  const holder = { person, id, domain: fields.domain, transactionId };
  const lab = await parties.newInstitution();
  const scope = { intents: ['SUBMIT_RECORD', 'READ_RECORDS'], categories: ['*'] };
  const token = await parties.granted(holder, lab.id, scope);
  const records = [1, 2, 3].map((value) => ({
    biomarker: 'BSP-CV-001',
    value,
    unit: 'mg/dL',
    collected_at: new Date(Date.now() - value * 1000).toISOString(),
    source: { method: 'x' },
  }));
  const submitted = await service.post(
    '/api/exchange/records',
    parties.sign(lab.person, 'submitRecords', { targetBeo: id, consentToken: token.token_id, records }),
  );
  expect(submitted.status, JSON.stringify(submitted.body)).toBe(201);
  return holder;
}

test('counts the rows of a holder by kind; after destruction only public ones are left', async () => {
  const [holder, unaffected] = [await holderWithData(), await holderWithData()];
  const live = await findTraces(client, holder.id);
  expect(live.status).toBe('ACTIVE');
  expect(numbers(live.erasable)).toEqual({
    'name (its domain)': 1,
    'domain in its public state': 1,
    'public key in its public state': 1,
    'guardians in its public state': 2,
    'requests for recovery in its public state': 0,
    'data key': 1,
    'health records': 3,
    'counts of health records': 1,
    'access events': 1,
    shares: 0,
    'files of shares': 0,
    'openings of shares': 0,
    'counts of stored bytes': 2,
    'scheduled deletions': 0,
    'invitations of guardians': 2,
    'requests for recovery': 0,
    'links of requests for recovery': 0,
    'times of mailings to guardians': 0,
    'mails to guardians': 0,
    'settings of alerts': 0,
    'addresses for alerts': 0,
    'mails to these addresses': 0,
    'in the vault: addresses for alerts (address and link)': 0,
    'in the vault: references of institutions that asked for a consent': 0,
    'in the vault: days on which guardians checked their keys': 0,
    'in the vault: guardians (name and contact)': 2,
    'in the vault: invitations (link)': 2,
    'in the vault: requests for recovery (link)': 0,
    'in the vault: sealed operations (salt, signature and message)': 2,
  });
  expect(numbers(live.permanent)).toMatchObject({
    'identity: id, state and times': 1,
    'consents, ended with it': 1,
    'ledger entries': 3,
  });

  expect((await parties.beo(holder, 'destroy', 'destroyBEO')).status).toBe(200);
  const destroyed = await findTraces(client, holder.id);
  expect(destroyed.status).toBe('DESTROYED');
  expect(destroyed.erasable.map(({ name }) => name)).toEqual(live.erasable.map(({ name }) => name));
  expect(destroyed.erasable.filter(({ count }) => count > 0)).toEqual([]);
  expect(numbers(destroyed.temporary)).toMatchObject({ 'released domain, deleted within half an hour': 1 });
  expect(numbers(destroyed.permanent)).toMatchObject({ 'identity: id, state and times': 1, 'ledger entries': 4 });
  expect(numbers((await findTraces(client, unaffected.id)).erasable)).toEqual(numbers(live.erasable));
});

test('counts every table with personal data', async () => {
  const { id } = await parties.newHolder();
  const statements: string[] = [];
  const recordingClient = {
    query: (text: string, values?: unknown[]) => {
      statements.push(text);
      return client.query(text, values);
    },
  } as Pick<pg.Client, 'query'>;
  await findTraces(recordingClient, id);
  const { rows } = await client.query<{ table_name: string }>(
    `SELECT DISTINCT table_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name IN ('owner_id', 'beo_id', 'holder_id', 'entity_id')`,
  );
  expect(rows.length).toBeGreaterThan(9);
  for (const { table_name } of rows)
    expect(statements.join('\n')).toMatch(new RegExp(`\\b(FROM|JOIN) ${table_name}\\b`));
});
