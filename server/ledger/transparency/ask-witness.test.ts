import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { LedgerId } from '../../../protocol/ids.ts';
import { formatVerifierKey } from '../../../protocol/transparency/verifier-key.ts';
import { newSigningKey } from '../../platform/crypto/signed-request.ts';
import { readWitnesses } from '../../settings/witness-list.ts';
import { sizesOfWitnesses } from './ask-witness.ts';
import { logIdentity } from './log-identity.ts';
import { startTestWitness } from './test-witness.ts';
import { witnessedHeads } from './tree-heads.ts';

const { privateKey, publicKey } = newSigningKey();
const log = logIdentity('ab'.repeat(32) as LedgerId, { privateKey, publicKey: Buffer.from(publicKey, 'hex') });
const start = (name: string) => startTestWitness(name, [formatVerifierKey(log.key)]);

test('each witness reports the size that it cosigned last, and one that reports none does not hide the others', async () => {
  const [ahead, fresh, silent] = await Promise.all([start('ahead'), start('new'), start('silent')]);
  const [unknown, lying] = await Promise.all([start('unknown'), start('lying')]);
  const tested = [ahead, fresh, silent, unknown, lying];
  onTestFinished(async () => void (await Promise.all(tested.map(({ stop }) => stop()))));
  const root = createHash('sha256').update('a root').digest();
  ahead.witness.last.set(log.key.name, { size: 77, root });
  silent.misbehave = (_, response) => !!response.destroy();
  unknown.misbehave = (_, response) => !!response.writeHead(404).end();
  lying.misbehave = (_, response) => !!response.writeHead(200).end(fresh.witness.cosign('no text\n'));
  const witnesses = readWitnesses(tested.map(({ setting }) => setting).join(','));
  const expected = [{ name: 'ahead', size: 77 }, { name: 'new', size: 0 }, null, null, null];
  expect(await sizesOfWitnesses(witnesses, log)).toEqual(expected);
  expect(ahead.witness.last.get(log.key.name)).toEqual({ size: 77, root });
  expect(await sizesOfWitnesses(witnesses, log)).toEqual(expected);
});

test('a size is evidence once more than half of all witnesses report it, whoever answers first', async () => {
  const tested = await Promise.all(['lying', 'late', 'later', 'silent'].map(start));
  onTestFinished(async () => void (await Promise.all(tested.map(({ stop }) => stop()))));
  const root = createHash('sha256').update('a root').digest();
  for (const [at, size] of [1_000, 8, 7].entries()) tested[at]?.witness.last.set(log.key.name, { size, root });
  const witnesses = readWitnesses(tested.map(({ setting }) => setting).join(','));
  const { signal } = new AbortController();
  const evidence = [];
  for (const source of witnessedHeads({ ...log, witnesses }).slice(0, 3)) evidence.push(await source.latest(signal));
  expect(evidence).toEqual([null, null, expect.objectContaining({ seq: 7 })]);
});
