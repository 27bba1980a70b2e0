import { setMaxListeners } from 'node:events';
import { formatCheckpoint, parseCheckpoint } from '../../../protocol/transparency/checkpoint.ts';
import { EMPTY_ROOT, type Hash } from '../../../protocol/transparency/merkle.ts';
import type { Note, NoteSignature } from '../../../protocol/transparency/note.ts';
import { signNote } from '../../../protocol/transparency/note-signatures.ts';
import { TransparencyError } from '../../../protocol/transparency/transparency-error.ts';
import {
  type AddCheckpoint,
  encodeAddCheckpoint,
  readWitnessResponse,
  type WitnessResponse,
} from '../../../protocol/transparency/witness.ts';
import { verifyNatively } from '../../platform/crypto/ed25519.ts';
import type { Witness } from '../../settings/witness-list.ts';
import type { LogIdentity } from './log-identity.ts';

/** The original fetch, before Next replaces it with one that traces and caches. */
const plainFetch = globalThis.fetch;

/** For one request and its whole response. */
const DEADLINE_MS = 10_000;
/** A response has a few signature lines; those of ML-DSA-44, which are ignored, have 3 kB. */
const MAX_RESPONSE_BYTES = 65_536;
/** Each conflict names a size for the next proof. An honest witness needs one, or a few if others ask it too. */
const MAX_REQUESTS = 4;

/** Why a witness did not cosign, as a sentence without the name of the witness. */
export class WitnessProblem extends Error {
  override readonly name = 'WitnessProblem';
  /** The size that it reported, if that is larger than the tree of this log. */
  readonly largerSize: number | null;
  /** Whether this log may have forked, or its database gone back in time. */
  readonly isAlarm: boolean;

  constructor(
    message: string,
    { largerSize = null, isAlarm = largerSize !== null }: { largerSize?: number | null; isAlarm?: boolean } = {},
  ) {
    super(message);
    this.largerSize = largerSize;
    this.isAlarm = isAlarm;
  }
}

/**
 * One request add-checkpoint of C2SP tlog-witness.
 * @throws {WitnessProblem} without a response that this protocol allows, within ten seconds and 64 KiB
 */
async function addCheckpoint(
  { url, key }: Witness,
  request: AddCheckpoint,
  stopping: AbortSignal,
): Promise<WitnessResponse> {
  // Not AbortSignal.any of a timeout: Node may collect it as garbage, and then it never aborts.
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, DEADLINE_MS);
  stopping.addEventListener('abort', end);
  if (stopping.aborted) end();
  try {
    const response = await plainFetch(`${url}/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'accept-encoding': 'identity' },
      body: encodeAddCheckpoint(request),
      redirect: 'manual',
      signal: ending.signal,
    });
    const answer = { status: response.status, body: await limitedBody(response) };
    return readWitnessResponse(answer, request.note.text, key, verifyNatively);
  } catch (error) {
    if (error instanceof WitnessProblem) throw error;
    if (error instanceof TransparencyError) throw new WitnessProblem(`Its response is invalid. ${error.message}`);
    if (ending.signal.aborted) throw new WitnessProblem(`It did not answer within ${DEADLINE_MS / 1_000} seconds.`);
    throw new WitnessProblem(`It cannot be reached (${causeOf(error)}).`);
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', end);
  }
}

async function limitedBody(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MAX_RESPONSE_BYTES)
      throw new WitnessProblem(`Its response is larger than ${MAX_RESPONSE_BYTES / 1024} KiB.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The code of a failed connection, such as ECONNREFUSED. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return String((cause as { code?: unknown }).code ?? 'no connection').slice(0, 100);
}

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'It regards the request as malformed.',
  403: 'It does not accept the key of this log: give its operator checkpoint_key of GET /api/ledger.',
  404: 'It does not know this log: give its operator checkpoint_key of GET /api/ledger.',
  422: 'It reports that this tree does not extend the one it cosigned: the log has forked, or the witness is wrong.',
};

const refusalOf = (status: number): WitnessProblem =>
  new WitnessProblem(REFUSALS[status] ?? `It answers with status ${status}.`, { isAlarm: status === 422 });

export interface Wanted {
  /** The checkpoint, signed by the log. */
  readonly note: Note;
  /** The size that the witness cosigned last, as far as is known. */
  readonly from: number;
  /** The proof that the tree of this checkpoint extends a smaller one of the log. */
  readonly proofFrom: (oldSize: number) => Promise<readonly Hash[]>;
}

/**
 * Asks a witness to cosign a checkpoint, with proofs from the size that it reports.
 * @throws {WitnessProblem} if it does not; errors of proofFrom
 */
export async function requestCosignature(
  witness: Witness,
  { note, from, proofFrom }: Wanted,
  stopping: AbortSignal,
): Promise<readonly NoteSignature[]> {
  const { size } = parseCheckpoint(note.text);
  let oldSize = Math.min(from, size);
  for (let request = 1; request <= MAX_REQUESTS; request += 1) {
    const response = await addCheckpoint(witness, { oldSize, proof: await proofFrom(oldSize), note }, stopping);
    if (response.kind === 'cosigned') return response.signatures;
    if (response.kind === 'refused') throw refusalOf(response.status);
    if (response.size > size) throw new WitnessProblem(largerTree(response.size, size), { largerSize: response.size });
    if (response.size === oldSize) throw new WitnessProblem('It reports a conflict with the size that it gave itself.');
    oldSize = response.size;
  }
  throw new WitnessProblem('It reports another size with every answer.');
}

const largerTree = (reported: number, size: number): string =>
  `It reports that it cosigned a tree of ${reported} entries, but this log has ${size}: the database went back in time, the log has forked, or the witness is wrong.`;

/** What a witness reports to have cosigned last. */
export interface WitnessedSize {
  readonly name: string;
  /** 0 if it never cosigned a checkpoint of this log. */
  readonly size: number;
}

/**
 * The size of the tree that each witness cosigned last, in the order of the witnesses; null for one that does not report it within
 * ten seconds. Needs no database: it asks with the checkpoint of the empty tree, which every tree extends, and which changes
 * nothing at a witness that has cosigned more. The sizes are on the word of the witnesses.
 */
export const sizesOfWitnesses = (
  witnesses: readonly Witness[],
  log: LogIdentity,
  stopping: AbortSignal = new AbortController().signal,
): Promise<(WitnessedSize | null)[]> => {
  const text = formatCheckpoint({ origin: log.key.name, size: 0, root: EMPTY_ROOT, extensions: [] });
  const note = { text, signatures: [signNote(log.key, text, log.sign)] };
  // One listener for each witness.
  setMaxListeners(0, stopping);
  return Promise.all(
    witnesses.map(async (witness) => {
      try {
        const response = await addCheckpoint(witness, { oldSize: 0, proof: [], note }, stopping);
        if (response.kind === 'refused') return null;
        return { name: witness.key.name, size: response.kind === 'conflict' ? response.size : 0 };
      } catch (error) {
        if (error instanceof WitnessProblem) return null;
        throw error;
      }
    }),
  );
};
