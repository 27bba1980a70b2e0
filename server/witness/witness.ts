import type { SignedCheckpoint } from '../../protocol/transparency/checkpoint.ts';
import { formatSignatures } from '../../protocol/transparency/note.ts';
import { cosign, type SignBytes } from '../../protocol/transparency/note-signatures.ts';
import { TransparencyError } from '../../protocol/transparency/transparency-error.ts';
import type { VerifierKey } from '../../protocol/transparency/verifier-key.ts';
import {
  type AddCheckpoint,
  decideAddCheckpoint,
  decodeAddCheckpoint,
  formatTreeSize,
  TREE_SIZE_TYPE,
} from '../../protocol/transparency/witness.ts';
import { verifyNatively } from '../crypto/ed25519.ts';
import type { LogList } from './log-list.ts';
import type { WitnessState } from './state-file.ts';

export interface WitnessAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface WitnessParts {
  readonly logs: LogList;
  readonly state: Pick<WitnessState, 'last' | 'store'>;
  readonly key: VerifierKey;
  readonly sign: SignBytes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Receives each checkpoint of a known log, with its signature, that was not shown to extend the one before: perhaps a fork. */
  readonly onInconsistent?: (checkpoint: SignedCheckpoint, oldSize: number) => void;
}

const TEXT = 'text/plain; charset=utf-8';
const textAnswer = (status: number, sentence: string): WitnessAnswer => ({ status, type: TEXT, body: `${sentence}\n` });

/**
 * The answers to add-checkpoint of C2SP tlog-witness. Requests of one log are decided one after the other, each after the head of
 * the one before is on the disk.
 * @throws {Error} if the state cannot be stored; nothing was signed then
 */
export function createWitness(parts: WitnessParts): (body: Uint8Array) => Promise<WitnessAnswer> {
  const turns = new Map<string, Promise<unknown>>();
  return async (body) => {
    let request: AddCheckpoint & SignedCheckpoint;
    try {
      request = decodeAddCheckpoint(body);
    } catch (error) {
      if (error instanceof TransparencyError) return textAnswer(400, error.message);
      throw error;
    }
    const { origin } = request.checkpoint;
    // Only known logs have a turn, so that there are no more than these.
    if (!parts.logs.has(origin)) return decide(parts, request);
    const answer = (turns.get(origin) ?? Promise.resolve()).then(() => decide(parts, request));
    turns.set(
      origin,
      answer.catch(() => undefined),
    );
    return answer;
  };
}

async function decide(parts: WitnessParts, request: AddCheckpoint & SignedCheckpoint): Promise<WitnessAnswer> {
  const { logs, state, key, sign, now } = parts;
  const { origin } = request.checkpoint;
  const log = { keys: logs.get(origin) ?? null, last: state.last(origin) };
  const decision = decideAddCheckpoint(request, log, verifyNatively);
  if (decision.status === 409) return { status: 409, type: TREE_SIZE_TYPE, body: formatTreeSize(decision.size) };
  if (decision.status !== 200) {
    if (decision.status === 422) parts.onInconsistent?.(request, request.oldSize);
    return textAnswer(decision.status, decision.message);
  }
  if (decision.head.size !== log.last?.size) await state.store(origin, decision.head);
  const signature = cosign(key, request.note.text, Math.floor(now() / 1_000), sign);
  return { status: 200, type: TEXT, body: formatSignatures([signature]) };
}
