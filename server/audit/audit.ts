import { BEGIN_EPOCH } from '../../protocol/ledger/epoch.ts';
import { Ans104Error } from '../../protocol/ledger/item-tags.ts';
import { encodeBundle } from '../ledger/ans104.ts';
import { type AssertedRecoveries, createAssertedRecoveries } from './asserted-recoveries.ts';
import { entriesIn, type ListedBundle, listBundles, overlapping, type PendingBundle, UNPLACED } from './bundle-list.ts';
import { type ChainEnd, createChainOrder, type EpochStart } from './chain-order.ts';
import type { CheckedBundle, CheckedEntry, Placed } from './checked.ts';
import { createFindings, type Findings } from './findings.ts';
import { latePosting, postdated, wrongRange } from './judge-bundle.ts';
import type { Ended } from './living-state.ts';
import { createReplay, type Replay } from './replay.ts';
import { createStrays } from './strays.ts';
import { count, emptyTally, type Tally } from './tally.ts';
import { type WalkedBundle, type WalkParts, walk } from './walk.ts';

export interface AuditParts extends WalkParts {
  /** How many transactions of the wallet are listed at most. */
  readonly mostBundles?: number;
  /** The published maximum between acceptance and block. */
  readonly maxDelayMs: number;
  /** Is handed everything that has ended, which the replay forgets. */
  readonly onEnded?: (ended: Ended) => void;
  /** Entries read so far, of those the network lists. */
  readonly onProgress?: (done: number, listed: number) => void;
  /** Called in order, and waited for, with what each bundle adds to the chain: nothing, where it was paid twice. */
  readonly onBundle?: (walked: WalkedBundle, placed: readonly Placed[], findings: Findings) => Promise<void>;
}

export interface Audit {
  readonly findings: Findings;
  readonly replay: Replay;
  readonly network: Tally;
  /** Entries that somebody else than the network told: see `extend`. */
  readonly beyond: Tally;
  /** The oldest of them. */
  readonly firstBeyond: CheckedEntry | null;
  readonly bundles: { readonly mined: number; readonly pending: readonly PendingBundle[] };
  readonly assertedRecoveries: AssertedRecoveries;
  /** Bundles whose entries had all been there already. */
  readonly paidTwice: readonly string[];
  readonly end: ChainEnd | null;
  /** Where the network ended. */
  readonly networkEnd: ChainEnd | null;
  /** False where entries are missing, and the state is therefore not that of the whole ledger. */
  readonly complete: boolean;
  /** Goes on with items that are not on the network yet, in order, with the same checks. */
  extend(items: readonly { readonly id: string; readonly item: Uint8Array }[]): Promise<void>;
}

/**
 * Reads a ledger from the network, by wallet, and checks every item, the chain and the replayed transitions (protocol §10).
 * What is wrong is collected, not thrown.
 * @throws {GatewayError} when the gateway does not answer.
 */
export async function auditLedger(parts: AuditParts): Promise<Audit> {
  const { client, checkers } = parts;
  const { bundles, pending } = await listBundles(client, parts.wallet, parts.mostBundles);
  const findings = createFindings();
  const order = createChainOrder(await readEpochStarts(parts, overlapping(bundles)), findings);
  const replay = createReplay(findings, parts.onEnded);
  const network = emptyTally();
  const beyond = emptyTally();
  const paidTwice: string[] = [];
  const unreadable: WalkedBundle[] = [];
  let firstBeyond: CheckedEntry | null = null;
  const strays = createStrays(findings);
  const assertedRecoveries = createAssertedRecoveries();

  /** @returns the entries that continue the chain */
  function take(checked: CheckedBundle, tally: Tally, bundle: ListedBundle | null) {
    const placed: Placed[] = [];
    let again = 0;
    for (const { id, start, end, genuine, entry, problems } of checked.items) {
      const placement = genuine && entry ? order.place(entry) : null;
      if (placement === 'again') {
        again += 1;
        continue;
      }
      for (const problem of problems) findings.add(problem, entry ?? { id });
      if (!entry || placement === null) continue;
      if (placement === 'stray') strays.add(entry, bundle);
      if (placement !== 'next') continue;
      const judged = order.completeTo === entry.seq ? replay.apply(entry) : null;
      count(tally, entry, judged);
      if (judged?.recovery && judged.recovery.assertedKeys.length > 0) {
        const { newPublicKey, assertedKeys: guardianKeys } = judged.recovery;
        assertedRecoveries.add({ seq: entry.seq, id, beoId: entry.entityId, newPublicKey, guardianKeys });
      }
      placed.push({ entry, item: Buffer.from(checked.bytes.buffer, checked.bytes.byteOffset + start, end - start) });
    }
    if (bundle && again > 0 && again === checked.items.length) paidTwice.push(bundle.id);
    return placed;
  }

  const listed = bundles.reduce((sum, bundle) => sum + entriesIn(bundle), 0);
  let done = 0;
  for await (const walked of walk(parts, bundles)) {
    const { bundle } = walked;
    if (bundle.firstSeq !== UNPLACED) order.forgetBefore(bundle.firstSeq);
    if (walked.unreadable === null) {
      const placed = take(walked, network, bundle);
      wrongRange(walked, findings);
      latePosting(bundle, placed, parts.maxDelayMs, findings);
      postdated(bundle, placed, findings);
      await parts.onBundle?.(walked, placed, findings);
    } else unreadable.push(walked);
    done += entriesIn(bundle);
    parts.onProgress?.(done, listed);
  }
  const networkEnd = order.end;
  await strays.lookUp(parts, bundles);
  reportUnreadable(unreadable, order.completeTo, findings);

  return {
    findings,
    replay,
    network,
    beyond,
    assertedRecoveries,
    bundles: { mined: bundles.length, pending },
    paidTwice,
    networkEnd,
    get firstBeyond() {
      return firstBeyond;
    },
    get end() {
      return order.end;
    },
    get complete() {
      return order.completeTo === (order.end?.seq ?? 0);
    },
    async extend(items) {
      if (items.length === 0) return;
      order.forgetBefore(order.end?.seq ?? 0);
      try {
        const bundle = encodeBundle(items.map(({ id, item }) => ({ id, bytes: item })));
        const [first] = take(await checkers.check(bundle), beyond, null);
        firstBeyond ??= first?.entry ?? null;
      } catch (error) {
        if (!(error instanceof Ans104Error)) throw error;
        const sentence = `Of the entries after ${order.end?.seq ?? 0} the service holds bytes that are not theirs: ${error.message}`;
        findings.add({ kind: 'ITEM_MALFORMED', sentence }, { seq: (order.end?.seq ?? 0) + 1 });
      }
    },
  };
}

/** Where bundles overlap, older epochs may have written on; the entries that ended them must be known beforehand. */
async function readEpochStarts(parts: AuditParts, bundles: readonly ListedBundle[]): Promise<EpochStart[]> {
  const starts: EpochStart[] = [];
  for await (const { items } of walk(parts, bundles)) {
    for (const { entry, genuine } of items) {
      if (genuine && entry?.functionName === BEGIN_EPOCH && entry.publicFacts !== null) starts.push(entry);
    }
  }
  return starts;
}

/** A copy that cannot be read is no loss where another one could: the transaction was then simply paid twice. */
function reportUnreadable(unreadable: readonly WalkedBundle[], readUpTo: number, findings: Findings): void {
  for (const { bundle, unreadable: reason } of unreadable) {
    if (bundle.lastSeq <= readUpTo) continue;
    const range = bundle.firstSeq === UNPLACED ? 'unknown entries' : `entries ${bundle.firstSeq} to ${bundle.lastSeq}`;
    const sentence = `The bundle for ${range} cannot be read: ${reason}`;
    findings.add({ kind: 'BUNDLE_UNREADABLE', sentence }, { id: bundle.id });
  }
}
