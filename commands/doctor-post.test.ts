import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCommands } from '../auditor/audit/test-worker.ts';
import { inFull } from '../protocol/test-amount.ts';
import { clientOf, temporaryDirectory, testDevnet } from '../server/network/devnet/test-devnet.ts';
import { testWallet } from '../server/network/test-wallet.ts';

const longTest = inFull(test);

let commands: Awaited<ReturnType<typeof builtCommands>>;
beforeAll(async () => {
  commands = await builtCommands(['doctor']);
});
afterAll(() => commands.remove());

/** Runs `npm run doctor -- --post`, and interrupts it once it has printed a text. */
async function runPost(gatewayUrl: string | null, { interruptAfter }: { interruptAfter?: string } = {}) {
  const dataDir = await temporaryDirectory();
  const wallet = join(dataDir, 'wallet.json');
  writeFileSync(wallet, JSON.stringify(await testWallet()), { mode: 0o600 });
  const network = gatewayUrl === null ? {} : { ARWEAVE_GATEWAY_URL: gatewayUrl, ARWEAVE_WALLET_FILE: wallet };
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [commands.path('doctor'), '--post'], {
    env: { PATH, HOME, TMPDIR, NODE_ENV: 'production', DATA_DIR: dataDir, ...network },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
      if (interruptAfter !== undefined && text.includes(interruptAfter)) child.kill('SIGINT');
    });
  }
  const [status] = await once(child, 'close');
  return { status: status as number, text };
}

test('a posted transaction is followed, and what it cost is reported', async () => {
  const devnet = await testDevnet({ blockMs: 50 });
  const { status, text } = await runPost(devnet.url);
  expect(text).toMatch(
    /^Transaction \S{43} cost 570000000 winston .*\n {2}http\S+: mined after \d+ s in block 1, data read back/m,
  );
  expect(text).not.toContain('Not followed');
  expect(status).toBe(0);
});

longTest('an interrupted one stays posted, and its id was printed', async () => {
  const devnet = await testDevnet();
  const { status, text } = await runPost(devnet.url, { interruptAfter: 'shows it as pending' });
  const [, id = ''] = /Not followed any further, but not undone: Posting transaction (\S{43})/.exec(text) ?? [];
  expect(status).toBe(130);
  expect(await clientOf(devnet).status(id)).toEqual({ state: 'pending' });
});

test('without a wallet nothing is posted', async () => {
  const { status, text } = await runPost(null);
  expect(text).toContain(
    'It could not be done: Nothing was posted. ARWEAVE_GATEWAY_URL and ARWEAVE_WALLET_FILE are not set',
  );
  expect(status).toBe(2);
});
