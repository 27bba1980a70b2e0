import { expect, test } from 'vitest';
import { freshDomain } from '../../server/testing/test-service.ts';
import { createForgingRelayer } from '../audit/test-relayer.ts';
import { checkEvidence, type Evidence, type EvidenceKind } from './evidence.ts';

const relayer = createForgingRelayer({ client: null as never, wallet: null as never });
const other = createForgingRelayer({ client: null as never, wallet: null as never });
const write = (by = relayer) => by.write(by.create(freshDomain()).draft);

const evidence = (kind: EvidenceKind, items: readonly { bytes: Buffer }[], changes: Partial<Evidence> = {}): string =>
  JSON.stringify({
    ...{ format: 'perpetua-evidence-1', kind, sentence: 'x', found_at: new Date().toISOString() },
    ...{ ledger_id: relayer.ledgerId, relayer_public_key: relayer.relayerKey, relayer_keys: [] },
    ...{ finding: null, items: items.map(({ bytes }) => bytes.toString('base64')), heads: [] },
    ...changes,
  });

const [first, second, third] = [write(), write(), write()];

test('entries of an honest relayer are evidence of nothing', () => {
  for (const kind of ['equivocation', 'fork', 'abandoned', 'backdated', 'head', 'rollback', 'entry'] as const) {
    for (const items of [[], [first], [first, first], [first, second], [second, first], [first, third]]) {
      expect([kind, checkEvidence(evidence(kind, items)).verdict]).toEqual([kind, 'invalid']);
      expect([kind, checkEvidence(evidence(kind, items, { finding: 'USER_SIGNATURE' })).verdict]).toEqual([
        kind,
        'invalid',
      ]);
    }
  }
});

test('two entries for one place are proof only if the relayer of this ledger signed both', () => {
  const head = { ...relayer.head };
  const rival = write();
  Object.assign(relayer.head, head);
  const repeated = write();
  expect(checkEvidence(evidence('equivocation', [rival, repeated])).verdict).toBe('proven');
  const forged = { bytes: Buffer.from(repeated.bytes) };
  forged.bytes[forged.bytes.length - 2] = (forged.bytes.at(-2) ?? 0) ^ 1;
  expect(checkEvidence(evidence('equivocation', [rival, forged])).verdict).toBe('invalid');
  Object.assign(other.head, head);
  expect(checkEvidence(evidence('equivocation', [rival, write(other)])).verdict).toBe('invalid');
  const another = { ledger_id: other.ledgerId };
  expect(checkEvidence(evidence('equivocation', [rival, repeated], another)).verdict).toBe('invalid');
  const withKey = { ...another, relayer_public_key: other.relayerKey };
  expect(checkEvidence(evidence('equivocation', [rival, repeated], withKey)).verdict).toBe('invalid');
});

test('an unsigned head, and text that is not evidence, prove nothing', () => {
  const heads = [{ epoch: 1, seq: 1, id: second.id, at: new Date().toISOString(), signature: `${'A'.repeat(86)}==` }];
  expect(checkEvidence(evidence('head', [first], { heads }))).toMatchObject({
    verdict: 'invalid',
    sentence: expect.stringContaining('head'),
  });
  for (const text of ['', '{}', 'null', '[]', evidence('equivocation', [{ bytes: Buffer.from('x') }, first])]) {
    expect(checkEvidence(text).verdict).toBe('invalid');
  }
});
