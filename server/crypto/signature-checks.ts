import { Worker } from 'node:worker_threads';
import { isKeyHex } from '../../protocol/signing/ed25519.ts';
import { type JsonObject, messageBytes } from '../../protocol/signing/message.ts';
import { signatureBytes } from './ed25519.ts';
import { answersTo, type Check, packed } from './signature-batch.ts';

/** Checks Ed25519 keys and signatures, about 50 µs each. */
export interface SignatureChecks {
  /** Whether each of some keys (hex) is the canonical encoding of a point of prime order. */
  areStrictKeys(publicKeys: readonly string[]): Promise<boolean>;
  /** Whether a signature (base64) is a key's (hex) over the canonical JSON of a message. */
  isSigned(message: JsonObject, signature: string, publicKey: string): Promise<boolean>;
  close(): Promise<void>;
}

type Ask = (check: Check) => Promise<boolean> | boolean;

/** Checks in the calling thread. */
export const checksHere = (): SignatureChecks =>
  checksBy(
    (check) => answersTo(packed([check]))[0] === 1,
    async () => undefined,
  );

/** The worker needs little heap: the buffers lie outside it. */
const LITTLE = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/**
 * Checks in a worker thread, in one message per turn of the event loop, which keeps the serving thread free. If the worker
 * ends, the checks run in the calling thread.
 * @param file the built `signatures.worker.js`; by default the one next to the built server.
 */
export function startSignatureThread(
  onLost: (error: unknown) => void,
  file = new URL('./signatures.worker.js', import.meta.url),
): SignatureChecks {
  type Asked = { readonly check: Check; readonly answer: (good: boolean) => void };
  let thread: Worker | null = new Worker(file, { resourceLimits: LITTLE });
  let asked: Asked[] = [];
  let lastBatch = 0;
  const underWay = new Map<number, readonly Asked[]>();

  const settle = (batch: readonly Asked[], answers: Uint8Array) => {
    for (const [index, { answer }] of batch.entries()) answer(answers[index] === 1);
  };
  const answerHere = (batch: readonly Asked[]) => settle(batch, answersTo(packed(batch.map(({ check }) => check))));
  const answerAllHere = () => {
    for (const batch of underWay.values()) answerHere(batch);
    underWay.clear();
  };
  const lose = (error: unknown) => {
    if (!thread) return;
    thread = null;
    onLost(error);
    answerAllHere();
  };

  thread.on('message', ({ batch, answers }: { batch: number; answers: Uint8Array }) => {
    settle(underWay.get(batch) ?? [], answers);
    underWay.delete(batch);
  });
  thread.on('error', lose);
  thread.on('exit', () => lose(new Error('The thread that checks signatures has ended.')));

  const flush = () => {
    const batch = asked;
    asked = [];
    if (!thread) return answerHere(batch);
    const bytes = packed(batch.map(({ check }) => check));
    lastBatch += 1;
    underWay.set(lastBatch, batch);
    thread.postMessage({ batch: lastBatch, bytes }, [bytes.buffer]);
  };

  return checksBy(
    (check) =>
      new Promise((answer) => {
        if (asked.length === 0) setImmediate(flush);
        asked.push({ check, answer });
      }),
    async () => {
      const ending = thread;
      thread = null;
      await ending?.terminate();
      answerAllHere();
    },
  );
}

function checksBy(ask: Ask, close: SignatureChecks['close']): SignatureChecks {
  return {
    async areStrictKeys(publicKeys) {
      if (!publicKeys.every(isKeyHex)) return false;
      const answers = publicKeys.map((publicKey) => ask({ publicKey: Buffer.from(publicKey, 'hex'), signed: null }));
      return (await Promise.all(answers)).every(Boolean);
    },
    async isSigned(message, signature, publicKey) {
      const bytes = signatureBytes(signature);
      if (bytes === null || !isKeyHex(publicKey)) return false;
      const signed = { message: messageBytes(message), signature: bytes };
      return ask({ publicKey: Buffer.from(publicKey, 'hex'), signed });
    },
    close,
  };
}
