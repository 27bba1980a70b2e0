import type { ClientBase } from 'pg';
import { headAfter } from '../ledger/append.ts';
import type { Head } from '../ledger/head.ts';
import { type Charges, canBeSentAgain, decide, type Verdict } from './decide.ts';
import type { Submission } from './submission.ts';
import { type CommitParts, lookAround, mustBeNew, type Presumptions } from './work.ts';
import { write } from './write-work.ts';

/** How a batch is committed. */
export interface CommitOptions extends Presumptions {
  readonly charges: Charges;
  /** Called once the database is at work on this batch, and there is time for something else. */
  readonly meanwhile: () => void;
}

export interface Committed {
  /** What came of each operation. */
  readonly verdicts: readonly Verdict[];
  /** Where the batch has found the head of the ledger, and where it has left it. */
  readonly found: Head;
  readonly left: Head;
}

/**
 * Orders operations, applies and writes them, in one transaction: behind the lock of the ledger's head, or from where the head is
 * presumed to be.
 * @throws what the database throws, a not_null_violation where the head was elsewhere, a unique_violation where something was
 * there that was presumed not to be; nothing was kept then.
 * @throws {MustLook}
 */
export async function commit(
  parts: CommitParts,
  client: ClientBase,
  batch: readonly Submission[],
  { presumed, presumesNew, charges, meanwhile }: CommitOptions,
): Promise<Committed> {
  const work = await lookAround(parts, client, batch, { presumed, presumesNew }, meanwhile);
  const verdicts = await decide(parts, work, batch, charges);
  if (presumesNew && batch.some((submission, index) => isUnsure(submission, verdicts[index]))) throw new MustLook();
  // What holds the lock and stands still is ended by the database; what holds none must notice by itself.
  if (presumed && parts.clock.now() - Date.parse(work.at) > STANDING_STILL_MS) throw new MustLook();
  const left = headAfter(work.head, work.entries);
  const written = write(client, work, left, presumed === null);
  meanwhile();
  await written;
  for (const { receipt, others } of work.revocations) receipt.revokedCount += others.count;
  return { verdicts, found: work.head, left };
}

/**
 * The batch has to look at what it meets: it refuses what might be refused for another reason, or so much time has passed since
 * it looked that the look was in vain.
 */
export class MustLook extends Error {}

/**
 * A refusal that keeps no nonce, or that may stand where a name that is taken should. Whether a nonce is used, and whatever is
 * accepted, the write finds out.
 */
const isUnsure = ({ references }: Submission, verdict: Verdict | undefined): boolean =>
  verdict instanceof Error &&
  (canBeSentAgain(verdict) || (verdict.code !== 'NONCE_REUSED' && references.some(mustBeNew)));

const STANDING_STILL_MS = 5_000;
