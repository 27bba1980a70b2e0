import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { keysOfHead } from '../../protocol/ledger/relayer-keys.ts';
import { toBase64 } from '../../protocol/signing/encoding.ts';
import type { CheckpointPolicy, VerifiedCheckpoint } from '../../protocol/transparency/checkpoint.ts';
import { formatNote } from '../../protocol/transparency/note.ts';
import type { SignedHead } from '../../server/ledger/read.ts';
import { GatewayError } from '../../server/network/arweave-client.ts';
import type { Gateways } from '../../server/network/gateways.ts';
import type { Checkers } from '../audit/checkers.ts';
import type { ServiceApi } from '../audit/service-api.ts';
import { ServiceApiError } from '../audit/service-api.ts';
import { compareCheckpoint, splitViewBreach } from './compare-checkpoint.ts';
import { compareHead } from './compare-head.ts';
import { compareNetwork, type DeferredBundle } from './compare-network.ts';
import { isSignedHead } from './evidence.ts';
import { createHeldStatements } from './held-statements.ts';
import { type MirrorRow, type StoredBreach, saveBreach, saveServedHead, type Trust } from './mirror-rows.ts';
import { openPostingFindings } from './posting-findings.ts';
import { readStream, SourceError, type StreamLine } from './read-stream.ts';
import { type Breach, type Item, type Outcome, openVerifier } from './verifier.ts';
import { recordEvidence } from './write-evidence.ts';

export interface FollowParts {
  readonly pool: Pool;
  readonly checkers: Checkers;
  readonly gateways: Gateways;
  readonly trust: Trust;
  readonly stored: MirrorRow;
  readonly dataDir: string;
  /** Null for a mirror that reads the network alone. */
  readonly api: Pick<ServiceApi, 'entriesAfter' | 'ledger' | 'checkpoint'> | null;
  /** Which checkpoints of the service are accepted; null if none are compared. */
  readonly policy: CheckpointPolicy | null;
  /** Between two looks at the network, and at the log. */
  readonly networkMs: number;
  readonly note: (line: string) => void;
}

/** Where the mirror reads: the stream and the head of the service, the checkpoints of its log, and the network. */
type Source = 'service' | 'log' | 'network';

export interface Following {
  /** The seq of the last verified entry. */
  verifiedTo(): number;
  /** The latest head that the service signed over a verified entry. */
  head(): SignedHead | null;
  breach(): StoredBreach | null;
  /** What does not work at the moment, by source, which proves nothing; and what was found about postings. */
  problems(): Readonly<Record<Source | 'postings', string | null>>;
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const STOP_MS = 5_000;
/** The other sources wait meanwhile. */
const LOOK_BACK_MS = 60_000;
/** Entries that are checked together; and so at most this many are replayed in one transaction. */
const MOST_TOGETHER = 250;
/** The service may count 60 reads a minute. */
const HEAD_EVERY_MS = 5_000;

/** Follows a ledger until it is stopped, or until the relayer has signed what it should not have. */
export async function follow(parts: FollowParts): Promise<Following> {
  const { pool, trust, api, policy, note } = parts;
  const stopping = new AbortController();
  const problems: Record<Source, string | null> = { service: null, log: null, network: null };
  const postings = await openPostingFindings(parts);
  let verifier = await openVerifier(parts);
  let { head, breach } = parts.stored;
  let headReadAt = 0;
  const heldHeads = createHeldStatements(headKeys);
  const heldCheckpoints = createHeldStatements(checkpointKeys);
  let behind: string | null = null;
  let isRecording = false;
  const deferred = new Map<string, DeferredBundle>();
  /** One source at a time adds entries. */
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  function report(source: Source, problem: string | null): void {
    if (problem !== null && problem !== problems[source]) note(problem);
    problems[source] = problem;
  }

  async function record(found: Breach): Promise<void> {
    if (breach || isRecording) return;
    isRecording = true;
    try {
      const file = await recordEvidence(parts, found, verifier.end()?.seq ?? 0);
      const stored = { kind: found.kind, sentence: found.sentence, file };
      await saveBreach(pool, stored);
      breach = stored;
    } finally {
      isRecording = false;
    }
    note(`The relayer has broken the rules of the ledger: ${found.sentence} The evidence is in ${breach.file}.`);
    stopping.abort();
  }

  /** After an unexpected error the verifier may know more than the database has. */
  async function add(items: readonly Item[]): Promise<Outcome> {
    try {
      return await verifier.add(items);
    } catch (error) {
      verifier = await openVerifier(parts);
      throw error;
    }
  }

  /** @throws {SourceError} if the service sends what does not continue the ledger */
  async function settle(outcome: Outcome): Promise<void> {
    if (outcome.kind === 'breach') return record(outcome.breach);
    if (outcome.kind === 'diverged') return lookBack(outcome.sentence);
    if (outcome.kind === 'faulty') throw new SourceError(outcome.sentence);
  }

  /**
   * Finds where the ledger of the service leaves the verified one: at two entries for one place, or at the start of an epoch. It
   * steps back until a page has the verified entries, then reads forward from there.
   */
  async function lookBack(sentence: string): Promise<void> {
    const end = verifier.end()?.seq ?? 0;
    const until = performance.now() + LOOK_BACK_MS;
    let isFound = false;
    for (let back = 1, from = end; api && from > 0 && !isFound; back *= 8) {
      from = Math.max(0, end - back);
      for (let at = from; at < end && performance.now() < until && !stopping.signal.aborted; ) {
        const page = await api.entriesAfter(at);
        const outcome = await add(page);
        if (outcome.kind === 'breach') return record(outcome.breach);
        if (outcome.kind !== 'added' || page.length === 0) break;
        isFound = true;
        at += page.length;
      }
    }
    throw new SourceError(sentence);
  }

  const isSigned = (found: SignedHead): boolean =>
    keysOfHead(verifier.keys(), found.seq).some((key) => isSignedHead(found, trust.ledger_id, key));

  async function consider(found: SignedHead): Promise<void> {
    const end = verifier.end();
    if (!end || found.seq > end.seq) {
      const rival = heldHeads.hold(found);
      if (!rival || !isSigned(rival) || !isSigned(found)) return;
      const sentence = `The service signed two heads for epoch ${found.epoch}, seq ${found.seq}.`;
      return record({ kind: 'head', sentence, finding: null, items: [], heads: [rival, found], checkpoints: [] });
    }
    if (!isSigned(found)) {
      throw new SourceError('The service sends a head that the relayer of this ledger has not signed.');
    }
    const comparison = await compareHead(pool, end, found);
    behind = comparison.kind === 'behind' ? comparison.sentence : null;
    if (comparison.kind === 'breach') return record(comparison.breach);
    if (comparison.kind === 'verified' && (!head || isLater(found, head))) {
      head = found;
      await saveServedHead(pool, found);
    }
    if (comparison.kind === 'behind' && found.epoch > end.epoch) await lookBack(comparison.sentence);
  }

  async function take(lines: readonly StreamLine[]): Promise<void> {
    let items: Item[] = [];
    const flush = async () => {
      for (; items.length > 0 && !breach; items = items.slice(MOST_TOGETHER)) {
        await settle(await add(items.slice(0, MOST_TOGETHER)));
      }
    };
    for (const line of lines) {
      if ('item' in line) items.push({ id: line.id, item: Buffer.from(line.item, 'base64') });
      else {
        await flush();
        if ('head' in line) await consider(line.head);
        else note(`The service has closed the stream: ${line.message}`);
      }
    }
    await flush();
    for (const reached of heldHeads.reached(verifier.end()?.seq ?? 0)) await consider(reached);
  }

  function missingEntries(): string | null {
    const overdue = heldHeads.overdue();
    return (
      overdue &&
      `The service signed at ${overdue.at} that the ledger has entry ${overdue.seq}, but sends none after ${verifier.end()?.seq ?? 0}.`
    );
  }

  async function followService(url: string): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      try {
        for await (const lines of readStream(url, verifier.end()?.seq ?? 0, stopping.signal)) {
          await inTurn(() => take(lines));
          if (breach) return;
          report('service', behind ?? missingEntries());
          pause = FIRST_PAUSE_MS;
          await refreshHead();
        }
      } catch (error) {
        if (!isExpected(error)) note(`The mirror failed and tries again: ${String(error)}`);
        report('service', sentenceOf(error));
      }
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }

  /** The heads of the stream come between entries; a later one is over those that followed. */
  async function refreshHead(): Promise<void> {
    if (!api || performance.now() - headReadAt < HEAD_EVERY_MS) return;
    headReadAt = performance.now();
    const served = await api.ledger();
    await inTurn(() => consider(served.head));
  }

  /** Looks at a source again and again. `look` returns what is missing or wrong there. */
  async function watch(source: Source, look: () => Promise<string | null>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        report(source, await look());
      } catch (error) {
        if (!isExpected(error)) note(`The mirror failed and tries again: ${String(error)}`);
        report(source, sentenceOf(error));
      }
      await sleep(parts.networkMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function lookAtNetwork(): Promise<string | null> {
    const outcome = await compareNetwork({
      ...parts,
      wallet: trust.wallet_address,
      add: (items) => inTurn(() => add(items)),
      end: () => verifier.end(),
      maxDelayMs: trust.max_posting_delay_seconds * 1000,
      postings,
      deferred,
    });
    if (outcome?.kind === 'breach') await record(outcome.breach);
    return outcome?.kind === 'breach' ? null : (outcome?.sentence ?? null);
  }

  async function compareHeldCheckpoints(accepted: CheckpointPolicy): Promise<void> {
    const end = verifier.end()?.seq ?? 0;
    const reached = heldCheckpoints.reached(end);
    try {
      for (const { note } of reached) {
        const comparison = await compareCheckpoint(pool, accepted, formatNote(note), end);
        if (comparison.kind === 'breach') await record(comparison.breach);
      }
    } catch (error) {
      for (const signed of reached) heldCheckpoints.hold(signed);
      throw error;
    }
  }

  async function lookAtLog(source: Pick<ServiceApi, 'checkpoint'>, accepted: CheckpointPolicy): Promise<string | null> {
    await compareHeldCheckpoints(accepted);
    const text = await source.checkpoint();
    const comparison = text === null ? null : await compareCheckpoint(pool, accepted, text, verifier.end()?.seq ?? 0);
    if (comparison?.kind === 'ahead') {
      const { signed } = comparison;
      const rival = heldCheckpoints.hold(signed);
      if (rival) await record(splitViewBreach(signed.checkpoint.size, [rival.note, signed.note]).breach);
    }
    if (comparison?.kind === 'breach') await record(comparison.breach);
    const size = heldCheckpoints.overdue()?.checkpoint.size;
    if (size === undefined) return comparison?.kind === 'doubtful' ? comparison.sentence : null;
    return `The log signed a checkpoint of ${size} entries, but the service sends none after ${verifier.end()?.seq ?? 0}.`;
  }

  const loops: Promise<void>[] = [];
  if (!breach) {
    loops.push(watch('network', lookAtNetwork));
    if (trust.url !== null) loops.push(followService(trust.url));
    if (api && policy) loops.push(watch('log', () => lookAtLog(api, policy)));
  }
  return {
    verifiedTo: () => verifier.end()?.seq ?? 0,
    head: () => head,
    breach: () => breach,
    problems: () => ({ ...problems, postings: postings.sentence() }),
    async stop() {
      stopping.abort();
      // A gateway may be waited for much longer. What is not committed then is read again.
      await Promise.race([Promise.all(loops), sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** Heads of the service. Their signatures may need a later key of the relayer. */
export const headKeys = {
  seqOf: ({ seq }: SignedHead) => seq,
  placeOf: ({ epoch, seq }: SignedHead) => `${epoch}/${seq}`,
  contentOf: ({ id }: SignedHead) => String(id),
};

const checkpointKeys = {
  seqOf: ({ checkpoint }: VerifiedCheckpoint) => checkpoint.size,
  placeOf: ({ checkpoint }: VerifiedCheckpoint) => String(checkpoint.size),
  contentOf: ({ checkpoint }: VerifiedCheckpoint) => toBase64(checkpoint.root),
};

const isLater = (one: SignedHead, other: SignedHead): boolean =>
  one.epoch === other.epoch && one.seq === other.seq
    ? one.at > other.at
    : one.epoch > other.epoch || (one.epoch === other.epoch && one.seq > other.seq);

const isExpected = (error: unknown): boolean =>
  error instanceof SourceError || error instanceof ServiceApiError || error instanceof GatewayError;

const sentenceOf = (error: unknown): string =>
  isExpected(error) ? (error as Error).message : 'The mirror failed: see its log.';
