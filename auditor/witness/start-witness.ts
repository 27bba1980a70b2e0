import { createPublicKey, sign } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { formatNote } from '../../protocol/transparency/note.ts';
import { COSIGNATURE_TYPE, formatVerifierKey, newVerifierKey } from '../../protocol/transparency/verifier-key.ts';
import { privateKeyObject } from '../../server/platform/crypto/node-ed25519.ts';
import { readFileIfExists, readOrCreateKey } from '../../server/platform/data-folder/key-files.ts';
import { recordFork } from './fork-file.ts';
import { listen } from './listen.ts';
import type { LogList } from './log-list.ts';
import { createWitness, type Doubt, type WitnessParts } from './witness.ts';
import { openState } from './witness-state-file.ts';

export interface WitnessOptions {
  /** The name of the key: how operators of logs call this witness. */
  readonly name: string;
  readonly logs: LogList;
  /** Contains witness.key and state.json, which belong together, and proofs of forks. */
  readonly directory: string;
  readonly host: string;
  readonly port: number;
}

export interface RunningWitness {
  /** The verifier key, for WITNESSES and for policies. */
  readonly vkey: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** At most one line about each doubt about a log in this time: whoever has such a checkpoint can send it again and again. */
const LOG_EVERY_MS = 10_000;

const SENTENCES: Readonly<Record<Doubt, string>> = {
  fork: 'refused: the log signed two trees of one size',
  rollback: 'refused: the checkpoint is older than the last one, or the log went back',
  unproven: 'refused: not shown to extend the last tree',
};

/**
 * Starts a witness.
 * @throws {WitnessError} if its state is in use, missing or damaged; {ConfigError} if its key is damaged; {TransparencyError} for a
 *   name that a key cannot have
 */
export async function startWitness(
  options: WitnessOptions,
  log: Pick<Logger, 'error' | 'warn'>,
): Promise<RunningWitness> {
  const keyFile = join(options.directory, 'witness.key');
  const state = await openState(options.directory, readFileIfExists(keyFile) !== null);
  try {
    const privateKey = privateKeyObject(readOrCreateKey(keyFile));
    const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
    const publicKey = Buffer.from(x ?? '', 'base64url').toString('hex');
    const key = newVerifierKey(options.name, COSIGNATURE_TYPE, publicKey);
    const witness = createWitness({
      logs: options.logs,
      state,
      key,
      sign: (message) => sign(null, message, privateKey),
      now: Date.now,
      onDoubt: recorderOf(options, log),
    });
    const { port, stop } = await listen(options, witness, (error) => log.error({ err: error }, 'a request failed'));
    return {
      vkey: formatVerifierKey(key),
      port,
      async stop() {
        await stop();
        await state.close();
      },
    };
  } catch (error) {
    await state.close();
    throw error;
  }
}

/** Logs doubtful checkpoints, and writes the first proof that a log has forked. */
function recorderOf(
  { logs, directory }: Pick<WitnessOptions, 'logs' | 'directory'>,
  log: Pick<Logger, 'error' | 'warn'>,
): NonNullable<WitnessParts['onDoubt']> {
  const loggedAt = new Map<string, number>();
  return async (doubt, { note, checkpoint: { origin, size }, oldSize }, last) => {
    const sent = formatNote(note);
    const keys = (logs.get(origin) ?? []).map(formatVerifierKey);
    const isProof = doubt === 'fork' && last !== null && last.note !== null;
    const file = isProof ? await recordFork(directory, { origin, keys, checkpoints: [last.note, sent] }) : null;
    const subject = `${doubt} ${origin}`;
    const now = performance.now();
    if (now - (loggedAt.get(subject) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    loggedAt.set(subject, now);
    const level = doubt === 'fork' ? 'error' : 'warn';
    log[level]({ origin, oldSize, size, lastSize: last?.size ?? null, file, note: sent }, SENTENCES[doubt]);
  };
}
