import { expect, test } from 'vitest';
import { amount } from '../../protocol/test-amount.ts';
import { act, createIdentities, type Holder, newHolder, query, testOperator } from './test-operator.ts';
import { verify } from './verify.ts';

const COUNT = amount(30, 120);

test('the verification passes while the service runs, and counts entries that are not posted yet separately', async () => {
  const operator = await testOperator();
  const databaseUrl = await operator.database();
  const service = await operator.serve(databaseUrl);
  const holders = await createIdentities(service, COUNT);
  await operator.settle(databaseUrl);
  const verified = () => operator.run((parts) => verify({}, parts), databaseUrl);
  const clean = await verified();
  expect(clean.text).toContain('No breach was found.');
  expect(clean.isClean).toBe(true);
  const [row] = await query<{ entries: number }>(databaseUrl, 'SELECT count(*)::int AS entries FROM ledger_entries');
  expect(row?.entries).toBeGreaterThan(COUNT * 1.7);
  expect(clean.text).toContain(`On the network: ${row?.entries} entries`);
  expect(clean.text).toContain(`${Math.ceil((COUNT - 3) / 7)} sealed`);
  expect(clean.text).toContain(`compared with the database: ${holders.length} live identities`);
  expect(clean.text).toContain(`a hash of the ended entities of each kind: ${Math.ceil(COUNT / 5)} identities`);

  await service.stop();
  const holding = await operator.serve(databaseUrl, { hold: true });
  const { person, beoId } = holders[0] as Holder;
  await act(holding, person, 'destroyBEO', { beoId });
  await newHolder(holding);
  const later = await verified();
  expect(later.text).toContain('Not on the network when it was read: 2 entries');
  expect(later.isClean).toBe(true);
  const overdue = await operator.run((parts) => verify({ maxDelay: 0 }, parts), databaseUrl);
  expect(overdue.isClean).toBe(false);
  expect(overdue.text).toContain('is still not on the network');
});
