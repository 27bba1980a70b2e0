import { expect } from 'vitest';
import { readNetwork } from '../ledger/test-network.ts';
import { freshDomain, newPerson, type SignedBody, type TestService } from './test-service.ts';

/** A createBEO request of a person, by default a new one. */
export function creation(person = newPerson()): SignedBody {
  return person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery: null });
}

/** Sends operations one after another, which must be accepted. Returns their transaction ids. */
export async function accepted(service: TestService, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const { status, body } = await service.post('/api/relayer/beo', creation());
    expect([status, body.code]).toEqual([201, undefined]);
    ids.push(body.transactionId);
  }
  return ids;
}

export async function expectAllFinal(service: TestService): Promise<void> {
  const { head } = (await service.get('/api/ledger')).body;
  const final = async () => (await service.get('/api/ledger')).body.entries_final;
  await expect.poll(final, { interval: 100 }).toBe(head.seq);
}

const FUNDS = 10n ** 18n;
const PRICE = 570_000_000n;

/** Expects every operation of the ledger once on the network, in order, and each transaction paid once. */
export async function expectOnceOnNetwork(service: TestService, minted = 0n): Promise<void> {
  const { arweave, network, pool } = service.service.context;
  const { transactions, items } = await readNetwork(arweave, network.walletAddress);
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM ledger_entries ORDER BY seq');
  expect(items).toEqual(rows.map(({ id }) => id));
  const bundles = await pool.query<{ l1_tx: string }>('SELECT l1_tx FROM bundles ORDER BY first_seq');
  expect([...transactions].sort()).toEqual(bundles.rows.map(({ l1_tx }) => l1_tx).sort());
  const balance = await arweave.balance(network.walletAddress);
  expect(FUNDS + minted - balance).toBe(BigInt(transactions.length) * PRICE);
}
