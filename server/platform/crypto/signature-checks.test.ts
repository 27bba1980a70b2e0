import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { builtWorker } from '../../../auditor/audit/test-worker.ts';
import { publicKeyOf, signBytes } from '../../../protocol/signing/ed25519.ts';
import { messageBytes } from '../../../protocol/signing/message-bytes.ts';
import { SMALL_ORDER } from '../../../protocol/signing/test-ed25519-points.ts';
import { checksHere, type SignatureChecks, startSignatureThread } from './signature-checks.ts';

const seeds = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
const smallOrderKey = SMALL_ORDER[0]?.hex ?? '';

/** A signed message, by each key in turn. The signature is invalid if `claimed` differs from `signed`. */
function request(number: number, { claimed = number, signed = number } = {}) {
  const seed = seeds[number % seeds.length] ?? new Uint8Array(32);
  const signature = signBytes(seed, messageBytes({ function: 'test', number: signed }));
  return {
    message: { function: 'test', number: claimed },
    signature: Buffer.from(signature).toString('base64'),
    publicKey: publicKeyOf(seed),
  };
}

const check = (checks: SignatureChecks, { message, signature, publicKey }: ReturnType<typeof request>) =>
  checks.isSigned(message, signature, publicKey);

/** Checks valid and invalid signatures and keys concurrently. */
async function runAll(checks: SignatureChecks) {
  const { message, signature, publicKey } = request(1);
  const keys = seeds.map(publicKeyOf);
  return {
    signatures: await Promise.all([
      ...Array.from({ length: 40 }, (_, number) =>
        check(checks, request(number, { claimed: number - (number % 3 ? 1 : 0) })),
      ),
      checks.isSigned(message, signature.replace(/=+$/, ''), publicKey),
      checks.isSigned(message, signature, publicKey.slice(2)),
      checks.isSigned(message, signature, keys[2] ?? ''),
    ]),
    keys: await Promise.all([
      checks.areStrictKeys([]),
      checks.areStrictKeys(keys),
      checks.areStrictKeys([...keys, smallOrderKey]),
      checks.areStrictKeys([smallOrderKey, ...keys]),
      checks.areStrictKeys(['not a key']),
    ]),
  };
}

const EXPECTED = {
  signatures: [...Array.from({ length: 40 }, (_, number) => number % 3 === 0), false, false, false],
  keys: [true, true, false, false, false],
};

describe('signatures and keys are checked', () => {
  let thread: SignatureChecks;
  const lost: unknown[] = [];

  beforeAll(async () => {
    thread = startSignatureThread((error) => lost.push(error), await builtWorker('signatures.worker'));
  });
  afterAll(() => thread.close());

  test('in the calling thread', async () => {
    expect(await runAll(checksHere())).toEqual(EXPECTED);
  });

  test('in a separate thread with the same results', async () => {
    expect(await runAll(thread)).toEqual(EXPECTED);
    expect(lost).toEqual([]);
  });

  test('for a message of a megabyte', async () => {
    const [seed = new Uint8Array(32)] = seeds;
    const message = { function: 'test', text: 'ä'.repeat(500_000) };
    const signature = Buffer.from(signBytes(seed, messageBytes(message))).toString('base64');
    expect(await thread.isSigned(message, signature, publicKeyOf(seed))).toBe(true);
    expect(await thread.isSigned({ ...message, text: 'ä'.repeat(499_999) }, signature, publicKeyOf(seed))).toBe(false);
  });
});

test('if the thread ends during its work, every check still resolves', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'perpetua-thread-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'ends.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';\nparentPort.on('message', () => process.exit(1));\n`,
  );
  const lost: unknown[] = [];
  const checks = startSignatureThread((error) => lost.push(error), pathToFileURL(file));
  expect(await runAll(checks)).toEqual(EXPECTED);
  expect(await runAll(checks)).toEqual(EXPECTED);
  expect(lost).toHaveLength(1);
  await checks.close();
});

test('close is not reported as a loss, and checks in flight and later ones resolve', async () => {
  const lost: unknown[] = [];
  const checks = startSignatureThread((error) => lost.push(error), await builtWorker('signatures.worker'));
  expect(await check(checks, request(1))).toBe(true);
  const inFlight = Promise.all([1, 2, 3].map((number) => check(checks, request(number))));
  await new Promise(setImmediate);
  await checks.close();
  expect(await inFlight).toEqual([true, true, true]);
  expect(await check(checks, request(2))).toBe(true);
  expect(lost).toEqual([]);
});
