import { Worker } from 'node:worker_threads';
import { isKeyHex } from '../../protocol/signing/ed25519.ts';
import { type JsonObject, messageBytes } from '../../protocol/signing/message.ts';
import { signatureBytes } from './ed25519.ts';
import { answersTo, type Check, packed } from './signature-batch.ts';

/** Says what Ed25519 keys and signatures are worth. It takes some 50 µs to know, each. */
export interface SignatureChecks {
  /** Whether each of some keys (hex) is the canonical encoding of a point of prime order. */
  areStrictKeys(publicKeys: readonly string[]): Promise<boolean>;
  /** Whether a signature (base64) is a key's (hex) over the canonical JSON of a message. */
  isSigned(message: JsonObject, signature: string, publicKey: string): Promise<boolean>;
  close(): Promise<void>;
}

type Ask = (check: Check) => Promise<boolean> | boolean;

/** In the thread that asks. */
export const checksHere = (): SignatureChecks =>
  checksBy(
    (check) => answersTo(packed([check]))[0] === 1,
    async () => undefined,
  );

/** What passes through the thread lies outside its heap. */
const LITTLE = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/**
 * In a thread of their own, which one turn of the event loop asks everything at once: for the thread that serves, a question then
 * costs a fraction of its answer. Should the thread end, they are answered here.
 * @param file the built `signatures.worker.js`; beside the built server where it is not given.
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
