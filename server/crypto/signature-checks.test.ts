import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { publicKeyOf, signBytes } from '../../protocol/signing/ed25519.ts';
import { messageBytes } from '../../protocol/signing/message.ts';
import { SMALL_ORDER } from '../../protocol/signing/test-ed25519-points.ts';
import { builtWorker } from '../audit/test-worker.ts';
import { checksHere, type SignatureChecks, startSignatureThread } from './signature-checks.ts';

const seeds = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
const weak = SMALL_ORDER[0]?.hex ?? '';

/** Something signed, by each key in turn: with the text that is asked for, and the one that was signed. */
function question(number: number, { said = number, signed = number } = {}) {
  const seed = seeds[number % seeds.length] ?? new Uint8Array(32);
  const signature = signBytes(seed, messageBytes({ function: 'say', number: signed }));
  return {
    message: { function: 'say', number: said },
    signature: Buffer.from(signature).toString('base64'),
    publicKey: publicKeyOf(seed),
  };
}

const ask = (checks: SignatureChecks, { message, signature, publicKey }: ReturnType<typeof question>) =>
  checks.isSigned(message, signature, publicKey);

/** Asked together; what is good and what is not in turns. */
async function everything(checks: SignatureChecks) {
  const { message, signature, publicKey } = question(1);
  const keys = seeds.map(publicKeyOf);
  return {
    signatures: await Promise.all([
      ...Array.from({ length: 40 }, (_, number) =>
        ask(checks, question(number, { said: number - (number % 3 ? 1 : 0) })),
      ),
      checks.isSigned(message, signature.replace(/=+$/, ''), publicKey),
      checks.isSigned(message, signature, publicKey.slice(2)),
      checks.isSigned(message, signature, keys[2] ?? ''),
    ]),
    keys: await Promise.all([
      checks.areStrictKeys([]),
      checks.areStrictKeys(keys),
      checks.areStrictKeys([...keys, weak]),
      checks.areStrictKeys([weak, ...keys]),
      checks.areStrictKeys(['no key']),
    ]),
  };
}

const EXPECTED = {
  signatures: [...Array.from({ length: 40 }, (_, number) => number % 3 === 0), false, false, false],
  keys: [true, true, false, false, false],
};

describe('signatures and keys are judged', () => {
  let thread: SignatureChecks;
  const lost: unknown[] = [];

  beforeAll(async () => {
    thread = startSignatureThread((error) => lost.push(error), await builtWorker('signatures.worker'));
  });
  afterAll(() => thread.close());

  test('in the thread that asks', async () => {
    expect(await everything(checksHere())).toEqual(EXPECTED);
  });

  test('in a thread of their own, to the same effect', async () => {
    expect(await everything(thread)).toEqual(EXPECTED);
    expect(lost).toEqual([]);
  });

  test('a message of a megabyte comes through whole', async () => {
    const [seed = new Uint8Array(32)] = seeds;
    const message = { function: 'say', text: 'ä'.repeat(500_000) };
    const signature = Buffer.from(signBytes(seed, messageBytes(message))).toString('base64');
    expect(await thread.isSigned(message, signature, publicKeyOf(seed))).toBe(true);
    expect(await thread.isSigned({ ...message, text: 'ä'.repeat(499_999) }, signature, publicKeyOf(seed))).toBe(false);
  });
});

test('should the thread end in the middle of its work, nothing stays unanswered', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'perpetua-thread-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'ends.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';\nparentPort.on('message', () => process.exit(1));\n`,
  );
  const lost: unknown[] = [];
  const checks = startSignatureThread((error) => lost.push(error), pathToFileURL(file));
  expect(await everything(checks)).toEqual(EXPECTED);
  expect(await everything(checks)).toEqual(EXPECTED);
  expect(lost).toHaveLength(1);
  await checks.close();
});

test('closing is not taken for a loss: what is under way is answered, and so is what comes later', async () => {
  const lost: unknown[] = [];
  const checks = startSignatureThread((error) => lost.push(error), await builtWorker('signatures.worker'));
  expect(await ask(checks, question(1))).toBe(true);
  const underWay = Promise.all([1, 2, 3].map((number) => ask(checks, question(number))));
  await new Promise(setImmediate);
  await checks.close();
  expect(await underWay).toEqual([true, true, true]);
  expect(await ask(checks, question(2))).toBe(true);
  expect(lost).toEqual([]);
});
