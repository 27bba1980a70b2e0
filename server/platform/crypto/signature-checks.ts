import { Worker } from 'node:worker_threads';
import { isKeyHex } from '../../../protocol/signing/ed25519.ts';
import type { JsonObject } from '../../../protocol/signing/message.ts';
import { messageBytes } from '../../../protocol/signing/message-bytes.ts';
import { signatureBytes } from './ed25519.ts';
import { type Check, encodeChecks, runChecks } from './signature-batch.ts';

/** Checks Ed25519 keys and signatures, about 50 µs each. */
export interface SignatureChecks {
  /** Whether all keys (hex) are canonical encodings of points of prime order. */
  areStrictKeys(publicKeys: readonly string[]): Promise<boolean>;
  /** Verifies a signature (base64) of a key (hex) over the canonical JSON of a message. */
  isSigned(message: JsonObject, signature: string, publicKey: string): Promise<boolean>;
  close(): Promise<void>;
}

type RunCheck = (check: Check) => Promise<boolean> | boolean;

/** Checks in the calling thread. */
export const checksHere = (): SignatureChecks =>
  checksWith(
    (check) => runChecks(encodeChecks([check]))[0] === 1,
    async () => undefined,
  );

/** The worker needs little heap, because buffers are outside it. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/**
 * Checks in a worker thread, in one message per turn of the event loop, which keeps the serving thread free. If the worker
 * ends, the checks run in the calling thread.
 * @param file the built `signatures.worker.js`; by default the one next to the built server.
 */
export function startSignatureThread(
  onLost: (error: unknown) => void,
  file = new URL('./signatures.worker.js', import.meta.url),
): SignatureChecks {
  type Pending = { readonly check: Check; readonly resolve: (isValid: boolean) => void };
  let thread: Worker | null = new Worker(file, { resourceLimits: RESOURCE_LIMITS });
  let pending: Pending[] = [];
  let lastBatch = 0;
  const inFlight = new Map<number, readonly Pending[]>();

  const settle = (batch: readonly Pending[], results: Uint8Array) => {
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] === 1);
  };
  const runHere = (batch: readonly Pending[]) =>
    settle(batch, runChecks(encodeChecks(batch.map(({ check }) => check))));
  const runAllHere = () => {
    for (const batch of inFlight.values()) runHere(batch);
    inFlight.clear();
  };
  const lose = (error: unknown) => {
    if (!thread) return;
    thread = null;
    onLost(error);
    runAllHere();
  };

  thread.on('message', ({ batch, results }: { batch: number; results: Uint8Array }) => {
    settle(inFlight.get(batch) ?? [], results);
    inFlight.delete(batch);
  });
  thread.on('error', lose);
  thread.on('exit', () => lose(new Error('The signature thread has ended.')));

  const flush = () => {
    const batch = pending;
    pending = [];
    if (!thread) return runHere(batch);
    const bytes = encodeChecks(batch.map(({ check }) => check));
    lastBatch += 1;
    inFlight.set(lastBatch, batch);
    thread.postMessage({ batch: lastBatch, bytes }, [bytes.buffer]);
  };

  return checksWith(
    (check) =>
      new Promise((resolve) => {
        if (pending.length === 0) setImmediate(flush);
        pending.push({ check, resolve });
      }),
    async () => {
      const ending = thread;
      thread = null;
      await ending?.terminate();
      runAllHere();
    },
  );
}

function checksWith(run: RunCheck, close: SignatureChecks['close']): SignatureChecks {
  return {
    async areStrictKeys(publicKeys) {
      if (!publicKeys.every(isKeyHex)) return false;
      const results = publicKeys.map((publicKey) => run({ publicKey: Buffer.from(publicKey, 'hex'), signed: null }));
      return (await Promise.all(results)).every(Boolean);
    },
    async isSigned(message, signature, publicKey) {
      const bytes = signatureBytes(signature);
      if (bytes === null || !isKeyHex(publicKey)) return false;
      const signed = { message: messageBytes(message), signature: bytes };
      return run({ publicKey: Buffer.from(publicKey, 'hex'), signed });
    },
    close,
  };
}
