import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../server/platform/listening/free-port.ts';
import { freshDomain, newPerson, startTestService } from '../../server/testing/test-service.ts';
import { query } from '../audit/test-operator.ts';
import { builtCommands } from '../audit/test-worker.ts';
import { mirrorPlace } from './test-mirror.ts';
import { type MirrorProcess, spawnMirror } from './test-mirror-process.ts';

let commands: Awaited<ReturnType<typeof builtCommands>>;
beforeAll(async () => {
  commands = await builtCommands();
});
afterAll(() => commands.remove());

const start = (args: readonly string[], env: Record<string, string> = {}): MirrorProcess =>
  spawnMirror(commands.path('mirror'), args, env);

const ENTRIES = 300;

test('a mirror that is killed again and again continues where it was, and accuses nobody', async () => {
  const product = await startTestService({ MAX_STREAM_MS: '600000', BUNDLE_MAX_AGE_MS: '50', DEVNET_BLOCK_MS: '25' });
  onTestFinished(product.stop);
  const load = (async () => {
    for (let n = 0; n < ENTRIES; n += 20) {
      await Promise.all(
        Array.from({ length: 20 }, () => {
          const person = newPerson();
          const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
          return product.post('/api/relayer/beo', person.sign('createBEO', fields));
        }),
      );
    }
  })();
  const { dataDir, databaseUrl } = await mirrorPlace();
  const port = String(await freePort());
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  const stored = async () => {
    const rows = await query<{ seq: string }>(databaseUrl, 'SELECT seq FROM ledger_head').catch(() => []);
    return Number(rows[0]?.seq ?? 0);
  };
  let reached = 0;
  for (let round = 0; round < 3; round++) {
    const { child, text } = start(['--of', product.url, '--allow-private', '--port', port], env);
    await expect.poll(stored, { message: text() }).toBeGreaterThan(reached);
    child.kill('SIGKILL');
    await once(child, 'close');
    reached = await stored();
  }
  await load;
  const { child, text } = start(['--of', product.url, '--allow-private', '--port', port], env);
  await expect.poll(stored, { message: text() }).toBe(ENTRIES);
  const verified = async () => (await fetch(`http://127.0.0.1:${port}/api/ledger/entries?limit=1`)).headers;
  expect((await verified()).get('x-perpetua-verified-to')).toBe(String(ENTRIES));
  const items = 'SELECT id, item FROM ledger_entries ORDER BY seq';
  expect(await query(databaseUrl, items)).toEqual(await query(product.databaseUrl, items));
  expect(await query(databaseUrl, 'SELECT breach FROM mirror')).toEqual([{ breach: null }]);
  child.kill('SIGTERM');
  expect((await once(child, 'close'))[0]).toBe(130);
});

test('the command checks a file of evidence', async () => {
  const { dataDir } = await mirrorPlace();
  const file = join(dataDir, 'file.json');
  writeFileSync(file, '{"format":"perpetua-evidence-1"}');
  const { child, text } = start(['--check-evidence', file]);
  const [status] = await once(child, 'close');
  expect([status, text()]).toEqual([1, 'invalid: It is not a file of the format perpetua-evidence-1.\n']);
});
