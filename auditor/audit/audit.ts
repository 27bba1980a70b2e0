import { BEGIN_EPOCH } from '../../protocol/ledger/epoch.ts';
import { Ans104Error } from '../../protocol/ledger/item-tags.ts';
import type { Succession } from '../../protocol/ledger/relayer-keys.ts';
import { leafHashOf } from '../../protocol/transparency/ledger-log.ts';
import { appendLeaves, EMPTY_FRONTIER } from '../../protocol/transparency/merkle.ts';
import { encodeBundle } from '../../server/ledger/ans104.ts';
import type { AssertedRecoveries } from './asserted-recoveries.ts';
import { type AuditPoint, bundlesAfter, digestOf, encodeTree, finalBundles, treeOf } from './audit-point.ts';
import { entriesIn, type ListedBundle, listBundles, overlapping, type PendingBundle, UNPLACED } from './bundle-list.ts';
import { type ChainEnd, createChainOrder, type Placement } from './chain-order.ts';
import { checkPostdating, checkPostingDelay, checkRange } from './check-posting.ts';
import type { CheckedBundle, CheckedEntry, Placed } from './checked.ts';
import { createEpochStarts, type EpochStarts } from './epoch-starts.ts';
import { createFindings, type Findings } from './findings.ts';
import { createMisplacedEntries } from './misplaced-entries.ts';
import { type FetchedBundle, type ReadParts, readBundles } from './read-bundles.ts';
import { createRelayerKeys } from './relayer-keys.ts';
import { BEGINNING, createReplay, type OnErasure, type Replay } from './replay.ts';
import type { ReplayedState } from './replayed-state.ts';
import { count, emptyTally, type Tally } from './tally.ts';

export interface AuditParts extends ReadParts {
  /** The maximum number of transactions to list for the wallet. */
  readonly mostBundles?: number;
  /** The published maximum between acceptance and block. */
  readonly maxDelayMs: number;
  /** Receives the findings before the first entry is read: they remain if the audit throws. */
  readonly onFindings?: (findings: Findings) => void;
  /** The state before the first entry, which the audit changes. */
  readonly state: ReplayedState;
  /** Receives what each replayed entry erases beside the public state. */
  readonly onErasure?: OnErasure;
  /** Where an earlier audit ended; `state` is then its state. */
  readonly from?: AuditPoint;
  /** Receives the point after the last bundle that is FINAL, if there is no gap before it. */
  readonly onPoint?: (point: AuditPoint) => Promise<void>;
  /** Receives the number of entries read and of entries listed. */
  readonly onProgress?: (done: number, listed: number) => void;
  /** Awaited for each bundle, in order, with the entries that it adds to the chain; none if it was paid twice. */
  readonly onBundle?: (fetched: FetchedBundle, placed: readonly Placed[], findings: Findings) => Promise<void>;
}

export interface Audit {
  readonly findings: Findings;
  readonly replay: Replay<ReplayedState>;
  readonly network: Tally;
  /** Entries that are not on the network but came from a database or a service: see `extend`. */
  readonly beyond: Tally;
  /** The oldest entry of `beyond`. */
  readonly firstBeyond: CheckedEntry | null;
  readonly bundles: { readonly mined: number; readonly pending: readonly PendingBundle[] };
  readonly assertedRecoveries: AssertedRecoveries;
  /** Ids of bundles whose entries were all in other bundles. */
  readonly paidTwice: readonly string[];
  /** The relayer's keys up to the end of the chain. */
  readonly relayerKeys: Succession;
  readonly end: ChainEnd | null;
  /** The last entry on the network. */
  readonly networkEnd: ChainEnd | null;
  /** False if entries are missing: the state is then not that of the whole ledger. */
  readonly complete: boolean;
  /** Adds items that are not on the network yet, in order, with the same checks. */
  extend(items: readonly { readonly id: string; readonly item: Uint8Array }[]): Promise<void>;
}

/**
 * Reads a ledger from the network, by wallet, and checks every item, the chain and the replayed transitions (protocol §10).
 * Breaches are collected, not thrown.
 * @throws {GatewayError} if the gateway does not respond
 */
export async function auditLedger(parts: AuditParts): Promise<Audit> {
  const { client, checkers } = parts;
  const { from, onPoint } = parts;
  const { bundles, pending } = await listBundles(client, parts.wallet, parts.mostBundles);
  const unread = from ? bundlesAfter(bundles, from) : bundles;
  const final = onPoint ? finalBundles(bundles, await client.height()) : 0;
  const findings = createFindings(from?.findings);
  parts.onFindings?.(findings);
  const keys = createRelayerKeys(checkers.rules, findings, from?.keys);
  const starts = await readEpochStarts(parts, overlapping(bundles));
  const order = createChainOrder(starts, keys, findings, from?.end);
  const replay = createReplay(parts.state, findings, { from: from?.replay ?? BEGINNING, onErasure: parts.onErasure });
  const network = { ...(from?.network ?? emptyTally()) };
  const beyond = emptyTally();
  const paidTwice = [...(from?.paidTwice ?? [])];
  const unreadable: FetchedBundle[] = [];
  let firstBeyond: CheckedEntry | null = null;
  const misplaced = createMisplacedEntries(findings, keys);
  const { assertedRecoveries } = parts.state;
  let tree = from ? treeOf(from) : EMPTY_FRONTIER;

  /** Null if the key that signed the entry was not the relayer's there. */
  function placeOf(entry: CheckedEntry): Placement | null {
    // A restore with the previous key can leave out entries of the next one.
    if (keys.isRelayers(entry) || (keys.isKnown(entry.owner) && order.isAbandoned(entry))) return order.place(entry);
    findings.add({ kind: 'RELAYER_SIGNATURE', sentence: keys.problemOf(entry) }, entry);
    return null;
  }

  /** @returns the entries that continue the chain */
  function addBundle(checked: CheckedBundle, tally: Tally, bundle: ListedBundle | null) {
    const placed: Placed[] = [];
    let repeated = 0;
    for (const { id, start, end, genuine, entry, problems } of checked.items) {
      const placement = genuine && entry ? placeOf(entry) : null;
      if (placement === 'repeated') {
        repeated += 1;
        continue;
      }
      for (const problem of problems) findings.add(problem, entry ?? { id });
      if (!entry || placement === null) continue;
      if (placement === 'misplaced') misplaced.add(entry, bundle);
      if (placement !== 'next') {
        keys.leaveOut(entry);
        continue;
      }
      keys.follow(entry);
      const result = order.completeTo === entry.seq ? replay.apply(entry) : null;
      count(tally, entry, result);
      if (result?.recovery && result.recovery.assertedKeys.length > 0) {
        const { newPublicKey, assertedKeys: guardianKeys } = result.recovery;
        assertedRecoveries.add({ seq: entry.seq, id, beoId: entry.entityId, newPublicKey, guardianKeys });
      }
      placed.push({ entry, item: Buffer.from(checked.bytes.buffer, checked.bytes.byteOffset + start, end - start) });
    }
    if (bundle && repeated > 0 && repeated === checked.items.length) paidTwice.push(bundle.id);
    return placed;
  }

  /** What another audit needs to continue here; null if something must be compared at the end. */
  function pointAfter(count: number): AuditPoint | null {
    const { end } = order;
    const { snapshot } = keys;
    if (!end || end.seq !== order.completeTo || end.seq !== tree.size) return null;
    if (unreadable.length > 0 || !misplaced.none || !snapshot) return null;
    // What a database has is compared by each run itself.
    if (findings.counts().has('STATE')) return null;
    return {
      ...{
        bundles: count,
        bundlesDigest: digestOf(bundles.slice(0, count)),
        end,
        tree: encodeTree(tree),
        keys: snapshot,
      },
      ...{ findings: findings.snapshot, replay: replay.point, state: parts.state.rest, network: { ...network } },
      paidTwice: [...paidTwice],
    };
  }

  const listed = unread.reduce((sum, bundle) => sum + entriesIn(bundle), 0);
  let done = 0;
  let read = bundles.length - unread.length;
  for await (const fetched of readBundles(parts, unread)) {
    const { bundle } = fetched;
    if (bundle.firstSeq !== UNPLACED) order.forgetBefore(bundle.firstSeq);
    if (fetched.unreadable === null) {
      const placed = addBundle(fetched, network, bundle);
      if (read < final)
        tree = appendLeaves(
          tree,
          placed.map(({ entry }) => leafHashOf(entry.id)),
        );
      checkRange(fetched, findings);
      checkPostingDelay(bundle, placed, parts.maxDelayMs, findings);
      checkPostdating(bundle, placed, findings);
      await parts.onBundle?.(fetched, placed, findings);
    } else unreadable.push(fetched);
    done += entriesIn(bundle);
    parts.onProgress?.(done, listed);
    read += 1;
    const point = read === final ? pointAfter(read) : null;
    if (point) await onPoint?.(point);
  }
  const networkEnd = order.end;
  await misplaced.compare(parts, bundles);
  keys.compareLeftOut();
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
    get relayerKeys() {
      return keys.succession;
    },
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
        const [first] = addBundle(await checkers.check(bundle), beyond, null);
        firstBeyond ??= first?.entry ?? null;
      } catch (error) {
        if (!(error instanceof Ans104Error)) throw error;
        const sentence = `The service's bytes of the entries after ${order.end?.seq ?? 0} are not data items: ${error.message}`;
        findings.add({ kind: 'ITEM_MALFORMED', sentence }, { seq: (order.end?.seq ?? 0) + 1 });
      }
    },
  };
}

/** Overlapping bundles may hold entries of an epoch that a restore ended; the replay needs the end of each epoch first. */
async function readEpochStarts(parts: AuditParts, bundles: readonly ListedBundle[]): Promise<EpochStarts> {
  const starts = createEpochStarts();
  for await (const { items } of readBundles(parts, bundles)) {
    for (const { entry, genuine } of items) {
      if (genuine && entry?.functionName === BEGIN_EPOCH && entry.publicFacts !== null) starts.add(entry);
    }
  }
  return starts;
}

/** An unreadable bundle is a finding only if no other bundle holds its entries. */
function reportUnreadable(unreadable: readonly FetchedBundle[], readUpTo: number, findings: Findings): void {
  for (const { bundle, unreadable: reason } of unreadable) {
    if (bundle.lastSeq <= readUpTo) continue;
    const range = bundle.firstSeq === UNPLACED ? 'unknown entries' : `entries ${bundle.firstSeq} to ${bundle.lastSeq}`;
    const sentence = `The bundle for ${range} cannot be read: ${reason}`;
    findings.add({ kind: 'BUNDLE_UNREADABLE', sentence }, { id: bundle.id });
  }
}
