import type { ClientBase } from 'pg';
import { type Audit, auditLedger } from '../../auditor/audit/audit.ts';
import type { StateFile } from '../../auditor/audit/audit-state-file.ts';
import type { ChainEnd } from '../../auditor/audit/chain-order.ts';
import type { CheckedEntry, Placed, Rules } from '../../auditor/audit/checked.ts';
import type { Checkers } from '../../auditor/audit/checkers.ts';
import { inChunks } from '../../auditor/audit/chunks.ts';
import { createEndedQueue } from '../../auditor/audit/ended-queue.ts';
import type { MirrorEntries, RefusedEntry } from '../../auditor/audit/entries-of-mirror.ts';
import type { FindingKind, Findings } from '../../auditor/audit/findings.ts';
import type { Erasure } from '../../auditor/audit/replay.ts';
import { createReplayedState } from '../../auditor/audit/replayed-state.ts';
import {
  insertHead,
  insertPlaced,
  insertRestoredBundle,
  noteSuperseded,
  retireNames,
} from '../../auditor/audit/restore-rows.ts';
import type { Entity } from '../../protocol/entities/entities.ts';
import { BEGIN_EPOCH, epochBeginning } from '../../protocol/ledger/epoch.ts';
import { currentKey, keyDigest, type Succession } from '../../protocol/ledger/relayer-keys.ts';
import { ConfigError } from '../../server/config.ts';
import { KINDS, saveEntities } from '../../server/entities/stores.ts';
import { createItemSigner } from '../../server/ledger/ans104.ts';
import { insertEntries } from '../../server/ledger/append.ts';
import { type ChainedEntry, chain } from '../../server/ledger/chain.ts';
import type { ArweaveClient } from '../../server/network/arweave-client.ts';
import type { KeyPair } from '../../server/platform/data-folder/key-files.ts';
import { runAll } from '../../server/platform/db/statement.ts';

/** Findings that do not affect the restored state. */
const TOLERATED: ReadonlySet<FindingKind> = new Set(['ABANDONED', 'LATE_POSTING', 'POSTDATED']);

export const isFatal = (findings: Findings): boolean =>
  [...findings.counts().keys()].some((kind) => !TOLERATED.has(kind));

/** The ledger on the network has breaches or is incomplete. Nothing was written. */
export class RestoreStopped extends Error {
  override readonly name = 'RestoreStopped';
  readonly findings: Findings;

  constructor(findings: Findings) {
    super('The ledger on the network has breaches.');
    this.findings = findings;
  }
}

/** An entry of a mirror fails a check. Nothing was written; the restore can be repeated without the entry. */
export class MirrorEntryRefused extends Error {
  override readonly name = 'MirrorEntryRefused';
  readonly entry: RefusedEntry;

  constructor(entry: RefusedEntry) {
    super(`Entry ${entry.seq} of the mirror fails a check.`);
    this.entry = entry;
  }
}

export interface RestoreParts {
  /** Inside a transaction that the caller commits. */
  readonly connection: ClientBase;
  readonly client: ArweaveClient;
  readonly wallet: string;
  readonly checkers: Checkers;
  /** Empty; the caller closes it. */
  readonly stateFile: StateFile;
  readonly rules: Rules;
  /** The key pairs in the key files, of which one must be the ledger's current one. */
  readonly relayers: readonly KeyPair[];
  readonly maxDelayMs: number;
  readonly mostBundles?: number;
  /** The database's clock, in ms. */
  readonly now: number;
  readonly onProgress: (done: number, listed: number) => void;
  /** What a database that a backup restored adds; absent for an empty database. */
  readonly backup?: KeptParts;
  /** The entries of a mirror after those on the network. */
  readonly mirror?: MirrorEntries;
}

/** The private rows and the unposted entries of a database that was restored from a backup. */
export interface KeptParts {
  /** Entries after the end of the network's ledger that the backup holds, in order. */
  entriesAfter(connection: ClientBase, end: ChainEnd | null): Promise<readonly ChainedEntry[]>;
  /** Receives what each entry erases beside the public state. */
  onErasure(entry: CheckedEntry, erasure: Erasure): void;
}

const CHUNK = 1_000;

/**
 * Writes the ledger on the network and the state that follows from it, with every check of `verify`, and begins a new epoch
 * (protocol §10).
 * @throws {RestoreStopped} at the first breach that affects the state.
 * @throws {MirrorEntryRefused} at the first entry of the mirror with a breach
 */
export async function restoreLedger(parts: RestoreParts): Promise<{ audit: Audit; beginning: ChainedEntry }> {
  const { connection, client } = parts;
  const height = await client.height();
  const budget = { day: '', bytes: 0 };
  const ended = createEndedQueue(parts.stateFile);
  const released: string[] = [];
  async function saveEnded(): Promise<void> {
    await retireNames(connection, released.splice(0));
    await saveAll(connection, ended.take());
  }

  const audit = await auditLedger({
    client,
    wallet: parts.wallet,
    checkers: parts.checkers,
    maxDelayMs: parts.maxDelayMs,
    ...(parts.mostBundles === undefined ? {} : { mostBundles: parts.mostBundles }),
    onProgress: parts.onProgress,
    state: createReplayedState(parts.stateFile, { onEnded: ended.add, onReleased: (domain) => released.push(domain) }),
    ...(parts.backup ? { onErasure: parts.backup.onErasure } : {}),
    async onBundle(fetched, placed, findings) {
      if (isFatal(findings)) throw new RestoreStopped(findings);
      if (placed.length === 0) return noteSuperseded(connection, fetched);
      addToBudget(budget, placed);
      await Promise.all([
        insertPlaced(connection, placed),
        insertRestoredBundle(connection, client, fetched, placed, height),
        saveEnded(),
      ]);
    },
  });
  if (isFatal(audit.findings)) throw new RestoreStopped(audit.findings);
  const kept = (await parts.backup?.entriesAfter(connection, audit.end)) ?? [];
  for (let at = 0; at < kept.length; at += CHUNK) {
    const entries = kept.slice(at, at + CHUNK);
    await audit.extend(entries);
    if (isFatal(audit.findings)) throw new RestoreStopped(audit.findings);
    await runAll(connection, [insertEntries(entries)]);
  }
  for await (const entries of parts.mirror?.after(audit.end) ?? []) await addFromMirror(connection, audit, entries);
  const beginning = await begin(parts, audit, budget);
  await saveEnded();
  return { audit, beginning };
}

/** Checks one entry at a time, so that the first one with a breach is known. */
async function addFromMirror(connection: ClientBase, audit: Audit, entries: readonly ChainedEntry[]): Promise<void> {
  for (const entry of entries) {
    await audit.extend([entry]);
    if (!isFatal(audit.findings)) continue;
    const breach = audit.findings.examples(Number.POSITIVE_INFINITY).find(({ kind }) => !TOLERATED.has(kind));
    throw new MirrorEntryRefused({ seq: entry.seq, problem: `${breach?.kind}: ${breach?.sentence}` });
  }
  await runAll(connection, [insertEntries(entries)]);
}

function addToBudget(budget: { day: string; bytes: number }, placed: readonly Placed[]): void {
  for (const { entry, item } of placed) {
    const day = entry.acceptedAt.slice(0, 10);
    budget.bytes = item.byteLength + (day === budget.day ? budget.bytes : 0);
    budget.day = day;
  }
}

/** Writes the first entry of the new epoch, the live entities and the head. */
async function begin(
  { connection, relayers, rules, now }: RestoreParts,
  audit: Audit,
  budget: { readonly day: string; readonly bytes: number },
): Promise<ChainedEntry> {
  const { end, replay } = audit;
  const relayer = currentPair(relayers, audit.relayerKeys);
  const last = end?.seq ?? 0;
  const epoch = (end?.epoch ?? 1) + 1;
  // Later than every signed timestamp: older requests are rejected, because their nonces may be lost.
  const at = new Date(
    Math.max(now, Date.parse(end?.acceptedAt ?? '') || 0, replay.point.latestTimestamp + 1),
  ).toISOString();
  const beginning = chain(
    createItemSigner(relayer.privateKey, relayer.publicKey),
    { epoch, seq: last, id: end?.id ?? null },
    {
      function: BEGIN_EPOCH,
      entity_id: rules.ledgerId,
      signer: null,
      signature: null,
      message: { ...epochBeginning(epoch, last) },
    },
    at,
  );
  await audit.extend([beginning]);
  if (isFatal(audit.findings)) throw new RestoreStopped(audit.findings);
  await runAll(connection, [insertEntries([beginning])]);
  for (const kind of KINDS) await saveAll(connection, replay.state.live[kind].values());
  const day = at.slice(0, 10);
  const head = {
    ledgerId: rules.ledgerId,
    relayerPublicKey: currentKey(audit.relayerKeys),
    epoch,
    epochBeganAt: at,
    seq: beginning.seq,
    id: beginning.id,
    acceptedAt: at,
    budgetDay: day,
    budgetBytes: beginning.item.length + (day === budget.day ? budget.bytes : 0),
  };
  await insertHead(
    connection,
    head,
    audit.bundles.pending.map(({ id }) => id),
  );
  return beginning;
}

/** @throws {ConfigError} if none of the pairs is the one that must sign the next entry */
function currentPair(relayers: readonly KeyPair[], succession: Succession): KeyPair {
  const current = currentKey(succession);
  const hexOf = ({ publicKey }: KeyPair) => publicKey.toString('hex');
  const found = relayers.find((pair) => hexOf(pair) === current);
  if (found) return found;
  const isOneOf = (keys: readonly string[]) => relayers.some((pair) => keys.includes(hexOf(pair)));
  if (isOneOf(succession.keys.map(({ publicKey }) => publicKey))) {
    throw new ConfigError(`The given relayer key was replaced by ${current}: give that key. Nothing was written.`);
  }
  if (relayers.some((pair) => keyDigest(hexOf(pair)) === succession.nextKeyDigest)) {
    throw new ConfigError(
      `The rotation to the given relayer key was never posted: give the key before it, ${current} (relayer.key.old), restore, and rotate again. Nothing was written.`,
    );
  }
  throw new ConfigError(
    `The relayer key does not belong to the ledger on the network, whose current key is ${current}. Nothing was written.`,
  );
}

async function saveAll(connection: ClientBase, entities: Iterable<Entity>): Promise<void> {
  for (const chunk of inChunks(entities, CHUNK)) await runAll(connection, saveEntities(chunk));
}
