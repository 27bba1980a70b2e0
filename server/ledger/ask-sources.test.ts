import { sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { badGateway } from '../../auditor/audit/test-bad-gateway.ts';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { beginSuccession } from '../../protocol/ledger/relayer-keys.ts';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import { newSigningKey } from '../platform/crypto/signed-request.ts';
import { createPool } from '../platform/db/pool.ts';
import { migratedDatabase } from '../platform/db/test-database.ts';
import { freePort } from '../platform/listening/free-port.ts';
import { createSourceQuestions, type Unanswered } from './ask-sources.ts';
import { openFence } from './fence.ts';
import { mirrorHead } from './mirror-head.ts';

const relayer = newSigningKey();
const LEDGER = ledgerIdOf(relayer.publicKey);
const keys = beginSuccession(LEDGER, relayer.publicKey);

/** The questions to mirrors at these addresses. */
async function questionsTo(urls: readonly string[], longestWaitMs: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpetua-sources-'));
  const { url, drop } = await migratedDatabase();
  const pool = createPool(url, 1, () => undefined);
  const logged: Unanswered[] = [];
  const sources = urls.map((mirror) => mirrorHead(mirror, LEDGER, async () => keys));
  const questions = createSourceQuestions(
    { fence: await openFence(dataDir, LEDGER, () => undefined), pool, sources },
    (unanswered) => logged.push(unanswered),
    { longestWaitMs, againMs: 20 },
  );
  onTestFinished(async () => {
    await questions.stop();
    await pool.end();
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { questions, logged };
}

test('writes do not wait without a question', async () => {
  const { questions } = await questionsTo(['http://127.0.0.1:9'], 3_600_000);
  await questions.settled();
  expect(questions.unanswered()).toEqual([]);
});

test('writes wait a limited time for a source that never answers', async () => {
  const silent = await badGateway(() => new Promise(() => undefined));
  const { questions, logged } = await questionsTo([silent.url], 50);
  questions.ask();
  questions.ask();
  await questions.settled();
  expect(logged).toEqual([{ source: `mirror ${silent.url}`, reason: 'It has not answered yet.' }]);
  expect(questions.unanswered()).toEqual(logged);
});

test('writes wait for a source until it has failed twice, and it is asked again until it answers', async () => {
  const place = { epoch: 1, seq: 0, id: null, at: '2026-01-01T00:00:00.000Z' };
  let signature = '';
  const served = { ledger_id: LEDGER, relayer_public_key: relayer.publicKey };
  const mirror = await badGateway((_, response) =>
    Boolean(response.end(JSON.stringify({ ...served, head: { ...place, signature } }))),
  );
  const down = `http://127.0.0.1:${await freePort()}`;
  const { questions, logged } = await questionsTo([mirror.url, down], 3_600_000);
  questions.ask();
  await questions.settled();
  expect(mirror.asked).toHaveLength(2);
  expect(logged).toEqual([
    { source: `mirror ${mirror.url}`, reason: 'It shows a head that the relayer did not sign.' },
    { source: `mirror ${down}`, reason: 'It cannot be reached (ECONNREFUSED).' },
  ]);
  signature = sign(null, Buffer.from(canonicalJson({ ledger_id: LEDGER, ...place })), relayer.privateKey).toString(
    'base64',
  );
  await expect.poll(() => questions.unanswered()).toEqual([logged[1]]);
});
