import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import vectors from '../protocol/vectors/transparency.json' with { type: 'json' };
import { startTestService, type TestService } from '../server/testing/test-service.ts';
import { type Client, createClient } from './client.ts';
import { verifyInclusionProof, verifyProof } from './proofs.ts';
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

describe('a proof of the transparency log', () => {
  const policyOf = ({ log, witnesses, quorum }: (typeof vectors.proofs)[number]) => ({
    log: log[0] ?? '',
    witnesses,
    quorum,
  });
  const resultOf = (vector: (typeof vectors.proofs)[number]) => {
    try {
      const { id, checkpoint } = verifyInclusionProof(vector.file, policyOf(vector));
      expect([id, checkpoint.cosignedBy.length >= vector.quorum]).toEqual([vector.id, true]);
      return 'valid';
    } catch (error) {
      expect(error).toMatchObject({ name: 'IntegrityError', code: 'PROOF_INVALID' });
      return (error as { details: { flaw: string } }).details.flaw;
    }
  };

  test.each(vectors.proofs.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    expect(resultOf(vector)).toBe(vector.result);
  });

  test('names the tree and the witnesses, and needs all witnesses of the policy if it names no number', () => {
    const [vector] = vectors.proofs;
    if (!vector) throw new Error('There are vectors.');
    const { log, witnesses } = policyOf(vector);
    expect(verifyInclusionProof(vector.file, { log, witnesses: witnesses.slice(0, 2) })).toMatchObject({
      seq: 1,
      checkpoint: {
        size: 5,
        root: expect.stringMatching(/^.{43}=$/),
        cosignedBy: [
          { name: 'witness.example/one', at: 1_764_000_000 },
          { name: 'witness.example/two', at: 1_764_000_060 },
        ],
      },
    });
    expect(() => verifyInclusionProof(vector.file, { log, witnesses })).toThrow('2 of 3 witnesses cosigned');
    expect(verifyInclusionProof(vector.file, { log }).checkpoint.cosignedBy).toEqual([]);
  });
});
