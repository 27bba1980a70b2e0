import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../server/test-service.ts';
import { type Client, createClient } from './client.ts';
import { verifyProof } from './proofs.ts';
import { newHolder } from './test-story.ts';
import type { Proof } from './types.ts';

let service: TestService;
let client: Client;
let proof: Proof;
let transactionId: string;

beforeAll(async () => {
  service = await startTestService();
  client = createClient({ url: service.url });
  const { beoId, key } = await newHolder(client);
  ({ transactionId } = await client.lockBEO({ beoId }, { key }));
  await client.unlockBEO({ beoId }, { key });
  proof = await client.getProof(transactionId);
});

afterAll(() => service.stop());

const ledgerId = () => client.trusted()?.ledgerId ?? '';

describe('a proof', () => {
  test('is verified without the service, and returns its entry', () => {
    expect(verifyProof(proof, ledgerId())).toMatchObject({ id: transactionId, function: 'lockBEO' });
  });

  test.each<[what: string, change: (proof: Proof) => unknown]>([
    ['of another ledger', (proof) => ({ ...proof, ledger_id: 'a'.repeat(64) })],
    ['for another transaction', (proof) => ({ ...proof, id: proof.head.id })],
    ['without the entries after it', (proof) => ({ ...proof, after: [] })],
    ['without the entry before it', (proof) => ({ ...proof, before: null })],
    ['with a changed head', (proof) => ({ ...proof, head: { ...proof.head, at: new Date(0).toISOString() } })],
    ['with a changed entry', (proof) => ({ ...proof, item: `${proof.item.slice(0, -8)}AAAAAAAA` })],
    ['of another format', (proof) => ({ ...proof, format: 'perpetua-proof-0' })],
    ['that is cut off', ({ head: _, ...proof }) => proof],
  ])('%s is refused', (_, change) => {
    const changed = change(proof) as Proof;
    expect(() => verifyProof(changed, ledgerId())).toThrow(expect.objectContaining({ name: 'IntegrityError' }));
  });
});
