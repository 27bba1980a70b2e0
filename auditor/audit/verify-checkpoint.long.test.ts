import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  checkpointText,
  cosignLine,
  readCheckpoint,
  readNote,
  signLine,
  vkeyOf,
} from '../../protocol/transparency/test-second-implementation.ts';
import { startTestWitness, type TestWitness } from '../../server/ledger/transparency/test-witness.ts';
import { startTestService, type TestService } from '../../server/testing/test-service.ts';
import type { PolicyOptions } from './log-checkpoint.ts';
import { createIdentities } from './test-operator.ts';
import { builtWorker } from './test-worker.ts';
import { verify } from './verify.ts';

let entries: number;
let witnesses: TestWitness[];
let vkeys: string[];
let service: TestService;
let logKey: string;

beforeAll(async () => {
  witnesses = await Promise.all(['one.example', 'two.example'].map((name) => startTestWitness(name)));
  vkeys = witnesses.map(({ witness }) => witness.vkey);
  const WITNESSES = witnesses.map(({ setting }) => setting).join(',');
  service = await startTestService({ BUNDLE_MAX_AGE_MS: '50', DEVNET_BLOCK_MS: '25', WITNESSES });
  logKey = (await service.get('/api/ledger')).body.checkpoint_key;
  for (const { witness } of witnesses) witness.accept(logKey);
  await createIdentities(service.service, 10);
  entries = (await service.get('/api/ledger')).body.head.seq;
  const isWhole = async () => expect(sizeOf(await served())).toBe(entries);
  await vi.waitFor(isWhole, { timeout: 240_000, interval: 100 });
});

afterAll(async () => {
  await service.stop();
  await Promise.all(witnesses.map(({ stop }) => stop()));
});

const served = async () => (await fetch(`${service.url}/tlog/checkpoint`)).text();
const sizeOf = (note: string) => Number(readCheckpoint(readNote(Buffer.from(note))?.text ?? '')?.size ?? -1);

async function runVerify(policy: PolicyOptions, api = service.url) {
  const lines: string[] = [];
  const steps: (() => Promise<unknown>)[] = [];
  try {
    const verdict = await verify(
      { api, allowPrivate: true, policy, sample: 0 },
      {
        env: {},
        progress: { at: () => undefined, end: () => undefined },
        print: (line) => lines.push(line),
        note: (line) => lines.push(line),
        addStep: (_, step) => steps.push(step),
        workerFile: await builtWorker('check.worker'),
      },
    );
    return { verdict, text: lines.join('\n') };
  } finally {
    for (const step of steps.reverse()) await step();
  }
}

/** The service, behind an operator who shows another checkpoint; the operator has the key of the log. */
async function showing(size: number, root: Buffer | null, signature?: (text: string) => string): Promise<string> {
  const seed = Buffer.from(readFileSync(join(service.dataDir, 'checkpoint.key'), 'utf8').trim(), 'hex');
  const origin = logKey.split('+')[0] ?? '';
  const real = readCheckpoint(readNote(Buffer.from(await served()))?.text ?? '')?.root ?? Buffer.of();
  const text = checkpointText(origin, size, root ?? real);
  const note = `${text}\n${signature?.(text) ?? signLine(origin, seed, text)}`;
  const proxy = createServer(async (request, response) => {
    if (request.url === '/tlog/checkpoint') return void response.end(note);
    const answer = await fetch(`${service.url}${request.url}`);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close().closeAllConnections());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

test('verify recomputes the root of the checkpoint from the entries, and counts the witnesses of the policy', async () => {
  const { verdict, text } = await runVerify({ checkpointKey: logKey, witnesses: vkeys });
  expect(text).toContain(`Checkpoint of the transparency log: ${entries} entries`);
  expect(text).toContain('its root is that of the entries on the network');
  expect(text).toContain('cosigned by 2 of 2 witnesses');
  expect(verdict).toBe('clean');
});

test('a policy that requires a witness who has not cosigned is a breach, and one that does not is met', async () => {
  const missing = vkeyOf('three.example', 4, randomBytes(32));
  const { verdict, text } = await runVerify({ witnesses: [...vkeys, missing] });
  expect(text).toContain('2 of 3 witnesses cosigned the checkpoint; 3 are required.');
  expect(text).toContain('its root is that of the entries on the network');
  expect(verdict).toBe('breach');
  expect((await runVerify({ witnesses: [...vkeys, missing], quorum: 2 })).verdict).toBe('clean');
});

test('a checkpoint with another root is a breach, and is quoted as evidence', async () => {
  const root = randomBytes(32);
  const api = await showing(entries, root);
  const { verdict, text } = await runVerify({ checkpointKey: logKey }, api);
  expect(verdict).toBe('breach');
  expect(text).toContain(`CHECKPOINT: The checkpoint of ${entries} entries has the root ${root.toString('base64')}`);
  const quoted = text.split('\n').filter((line) => line.startsWith('  | '));
  const note = `${quoted.map((line) => line.slice(4)).join('\n')}\n`;
  expect(note).toBe(await (await fetch(`${api}/tlog/checkpoint`)).text());
});

test('a checkpoint with more entries than the network is a breach', async () => {
  const { verdict, text } = await runVerify({ checkpointKey: logKey }, await showing(entries + 5, null));
  expect(text).toContain(`has ${entries + 5} entries, but the network has only the first ${entries}`);
  expect(verdict).toBe('breach');
});

test('a checkpoint of another key, or with a forged cosignature, is a breach', async () => {
  const [name = ''] = logKey.split('+');
  const unsigned = await showing(entries, null, (text) => signLine(name, randomBytes(32), text));
  const { verdict, text } = await runVerify({ checkpointKey: logKey }, unsigned);
  expect([verdict, text]).toEqual(['breach', expect.stringContaining('No key of the log')]);
  const forged = await showing(entries, null, (signed) => {
    const seed = Buffer.from(readFileSync(join(service.dataDir, 'checkpoint.key'), 'utf8').trim(), 'hex');
    return signLine(name, seed, signed) + cosignLine('one.example', randomBytes(32), signed, 1);
  });
  const second = await runVerify({ checkpointKey: logKey, witnesses: vkeys, quorum: 1 }, forged);
  expect([second.verdict, second.text]).toEqual(['breach', expect.stringContaining('0 of 2 witnesses')]);
});

test('options that are no policy for this log are rejected', async () => {
  const other = vkeyOf('another.log', 1, randomBytes(32));
  await expect(runVerify({ checkpointKey: other })).rejects.toThrow('is of another log');
  await expect(runVerify({ checkpointKey: 'nonsense' })).rejects.toThrow('A verifier key has the form');
  await expect(runVerify({ witnesses: vkeys, quorum: 3 })).rejects.toThrow('3 of 2 witnesses cannot be required');
  await expect(runVerify({ witnesses: [vkeys[0] ?? '', vkeys[0] ?? ''] })).rejects.toThrow('one public key twice');
  const parts = {
    env: {},
    progress: { at: () => undefined, end: () => undefined },
    print: () => undefined,
    note: () => undefined,
    addStep: () => undefined,
  };
  await expect(verify({ policy: { witnesses: vkeys } }, parts)).rejects.toThrow('Without --api');
});
