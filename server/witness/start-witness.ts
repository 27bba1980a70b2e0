import { createPublicKey, sign } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { formatNote } from '../../protocol/transparency/note.ts';
import { COSIGNATURE_TYPE, formatVerifierKey, newVerifierKey } from '../../protocol/transparency/verifier-key.ts';
import { privateKeyObject } from '../crypto/node-ed25519.ts';
import { readFileIfExists, readOrCreateKey } from '../keys.ts';
import { listen } from './listen.ts';
import type { LogList } from './log-list.ts';
import { openState } from './state-file.ts';
import { createWitness } from './witness.ts';

export interface WitnessOptions {
  /** The name of the key: how operators of logs call this witness. */
  readonly name: string;
  readonly logs: LogList;
  /** Contains witness.key and state.json, which belong together. */
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

/** At most one line about inconsistent checkpoints in this time: whoever has one can send it again and again. */
const LOG_EVERY_MS = 10_000;

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
    let loggedAt = Number.NEGATIVE_INFINITY;
    const answer = createWitness({
      logs: options.logs,
      state,
      key,
      sign: (message) => sign(null, message, privateKey),
      now: Date.now,
      onInconsistent({ note, checkpoint: { origin, size } }, oldSize) {
        if (performance.now() - loggedAt < LOG_EVERY_MS) return;
        loggedAt = performance.now();
        log.warn({ origin, oldSize, size, note: formatNote(note) }, 'refused: not shown to extend the last tree');
      },
    });
    const { port, stop } = await listen(options, answer, (error) => log.error({ err: error }, 'a request failed'));
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
