import { sha256 } from '#digests';
import type { SignedCheckpoint } from '../../protocol/transparency/checkpoint.ts';
import { isSameHash } from '../../protocol/transparency/merkle.ts';
import {
  addSignatures,
  formatNote,
  formatSignatures,
  type Note,
  type NoteSignature,
  parseNote,
} from '../../protocol/transparency/note.ts';
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
import { verifyNatively } from '../../server/platform/crypto/ed25519.ts';
import type { LogList } from './log-list.ts';
import type { CosignedHead, WitnessState } from './witness-state-file.ts';

export interface WitnessAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * What may be wrong with a checkpoint that the log signed and the witness refused: `fork`, it has the size of the last cosigned one
 * and another root, which proves a fork; `rollback`, it is smaller, or an older one sent again; `unproven`, no proof shows that
 * it extends the last one.
 */
export type Doubt = 'fork' | 'rollback' | 'unproven';

export type SignedRequest = AddCheckpoint & SignedCheckpoint;

export interface WitnessParts {
  readonly logs: LogList;
  readonly state: Pick<WitnessState, 'last' | 'store'>;
  readonly key: VerifierKey;
  readonly sign: SignBytes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Receives each doubtful checkpoint, with the last one that was cosigned. The response waits for it. */
  readonly onDoubt?: (doubt: Doubt, request: SignedRequest, last: CosignedHead | null) => Promise<void>;
}

export interface Witness {
  /**
   * Answers the body of add-checkpoint. Requests of one log are decided one after the other. Nothing is signed before the tree
   * that it is for is on the disk.
   * @throws {Error} if the state cannot be stored
   */
  addCheckpoint(body: Uint8Array): Promise<WitnessAnswer>;
  /** The last checkpoint, with the cosignature, of the log whose origin has this SHA-256 in lower-case hex; null if there is none. */
  checkpoint(originDigest: string): string | null;
}

const TEXT = 'text/plain; charset=utf-8';
const textAnswer = (status: number, sentence: string): WitnessAnswer => ({ status, type: TEXT, body: `${sentence}\n` });

/** A witness of C2SP tlog-witness, without sign-subtree. */
export function createWitness(parts: WitnessParts): Witness {
  const turns = new Map<string, Promise<unknown>>();
  const served = new Map<string, { readonly head: CosignedHead; readonly note: string }>();

  /** Cosigns what is stored when it is asked for, once for each tree: a restart may come between storing and signing. */
  function lastCosigned(origin: string): string | null {
    const head = parts.state.last(origin);
    if (!head?.note) return null;
    const known = served.get(origin);
    if (known?.head === head) return known.note;
    const stored = parseNote(Buffer.from(head.note));
    const note = formatNote(addSignatures(stored, [cosignatureOf(parts, stored)]));
    served.set(origin, { head, note });
    return note;
  }

  const origins = new Map([...parts.logs.keys()].map((origin) => [sha256(origin), origin] as const));
  return {
    checkpoint(originDigest) {
      const origin = origins.get(originDigest);
      return origin === undefined ? null : lastCosigned(origin);
    },
    async addCheckpoint(body) {
      let request: SignedRequest;
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
    },
  };
}

async function decide(parts: WitnessParts, request: SignedRequest): Promise<WitnessAnswer> {
  const { logs, state } = parts;
  const { origin } = request.checkpoint;
  const keys = logs.get(origin) ?? null;
  const last = state.last(origin);
  const decision = decideAddCheckpoint(request, { keys, last }, verifyNatively);
  if (decision.status !== 200) {
    const doubt = doubtAbout(request, last, decision.status);
    if (doubt) await parts.onDoubt?.(doubt, request, last);
    if (decision.status === 409) return { status: 409, type: TREE_SIZE_TYPE, body: formatTreeSize(decision.size) };
    return textAnswer(decision.status, decision.message);
  }
  await state.store(origin, { ...decision.head, note: formatNote(signedByLog(request.note, keys ?? [])) });
  return { status: 200, type: TEXT, body: formatSignatures([cosignatureOf(parts, request.note)]) };
}

const cosignatureOf = ({ key, sign, now }: WitnessParts, { text }: Note): NoteSignature =>
  cosign(key, text, Math.floor(now() / 1_000), sign);

function doubtAbout(
  { checkpoint: { size, root } }: SignedRequest,
  last: CosignedHead | null,
  status: 400 | 403 | 404 | 409 | 422,
): Doubt | null {
  // The log did not sign it.
  if (status === 403 || status === 404) return null;
  if (last && size === last.size && !isSameHash(root, last.root)) return 'fork';
  // With the checkpoint of the empty tree, a log asks for the size that was cosigned last.
  if (last && size < last.size) return size === 0 ? null : 'rollback';
  return status === 422 ? 'unproven' : null;
}

/** The note without signatures that were not verified. */
const signedByLog = ({ text, signatures }: Note, keys: readonly VerifierKey[]): Note => ({
  text,
  signatures: signatures.filter(({ name, keyId }) => keys.some((key) => key.name === name && key.keyId === keyId)),
});
