import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { testWallet } from '../test-wallet.ts';
import { clientOf, signed, temporaryDirectory, testDevnet } from './test-devnet.ts';

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const program = pathOf(`../../../node_modules/.cache/perpetua/crash-child-${process.pid}.mjs`);

beforeAll(async () => {
  const bundle = await rolldown({ input: pathOf('./crash-child.ts'), platform: 'node', external: /^[^./]/ });
  await bundle.write({ file: program, format: 'esm' });
  await bundle.close();
  return () => rm(program, { force: true });
});

async function devnetProcess(directory: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [program, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { url: String(line).trim(), child };
}

test('repeated kill -9 during posts loses no acknowledged transaction and mines none twice', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'wallet.json'), JSON.stringify(await testWallet()));
  const acknowledged = new Map<string, Uint8Array>();

  for (let round = 0; round < 4; round++) {
    const { url, child } = await devnetProcess(directory);
    const client = clientOf({ url });
    const exited = once(child, 'exit');
    const waiting = Array.from({ length: 24 }, (_, number) => Buffer.alloc(1 + number * 9_000, round * 24 + number));
    let count = 0;
    // Signed when it is posted: the devnet mines a block every 20 ms, and an anchor is valid for fifty blocks.
    const post = async (data: Buffer): Promise<void> => {
      const { id, json } = await signed(client, data);
      await client.post(json, data);
      acknowledged.set(id, data);
      count++;
      if (count === 2 + round * 4) child.kill('SIGKILL');
    };
    const postSome = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const isAcknowledged = await post(next).then(
          () => true,
          () => false,
        );
        if (!isAcknowledged && child.killed) return;
        if (!isAcknowledged) waiting.push(next);
      }
    };
    await Promise.all([postSome(), postSome(), postSome(), postSome()]);
    await exited;
    expect(child.signalCode).toBe('SIGKILL');
    expect(waiting.length).toBeGreaterThan(0);
  }

  const journal = join(directory, 'journal');
  await appendFile(journal, Buffer.from([200, 1, 0, 0, 9, 9, 9, 9, 1]));
  const { size } = await stat(journal);
  const devnet = await testDevnet({ directory });
  expect((await stat(journal)).size).toBeLessThan(size);
  const client = clientOf(devnet);
  await devnet.mine();
  for (const [id, data] of acknowledged) {
    expect(await client.status(id)).toMatchObject({ state: 'mined' });
    expect(Buffer.compare(await client.data(id), data)).toBe(0);
  }
  const mined: string[] = [];
  for (let height = 0; height <= (await client.height()); height++) {
    const block = await fetch(`${devnet.url}/block/height/${height}`).then((response) => response.json());
    mined.push(...block.txs);
  }
  expect(new Set(mined).size).toBe(mined.length);
  expect([...acknowledged.keys()].filter((id) => !mined.includes(id))).toEqual([]);
});

test('a block served before a crash has the same hash after it', async () => {
  const directory = await temporaryDirectory();
  const first = await testDevnet({ directory });
  const client = clientOf(first);
  const { id, json, data } = await signed(client, Buffer.from('x'));
  await client.post(json, data);
  await first.mine(3);
  const before = await client.status(id);
  await first.stop();
  const journal = join(directory, 'journal');
  await truncate(journal, (await stat(journal)).size - 3);

  const second = clientOf(await testDevnet({ directory }));
  expect(await second.status(id)).toEqual({ ...before, confirmations: 2 });
});
