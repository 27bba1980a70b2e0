import type { Pool } from 'pg';
import { FINAL_CONFIRMATIONS } from '../../server/ledger/confirm.ts';
import type { Gateways } from '../../server/network/gateways.ts';
import { inTransaction } from '../../server/platform/db/transaction.ts';
import { type ListedBundle, listBundles } from '../audit/bundle-list.ts';
import { checkPostdating, checkPostingDelay, rangeProblem } from '../audit/check-posting.ts';
import type { Placed } from '../audit/checked.ts';
import type { Checkers } from '../audit/checkers.ts';
import { createFindings } from '../audit/findings.ts';
import { readBundles } from '../audit/read-bundles.ts';
import { insertRestoredBundle, noteSuperseded } from '../audit/restore-rows.ts';
import type { PostingFindings } from './posting-findings.ts';
import type { Outcome, Verifier } from './verifier.ts';

export interface NetworkParts {
  readonly pool: Pool;
  readonly gateways: Gateways;
  readonly wallet: string;
  readonly checkers: Checkers;
  /** Adds items to the verified ledger, or compares them with it. */
  readonly add: Verifier['add'];
  readonly end: Verifier['end'];
  /** The published maximum between acceptance and block. */
  readonly maxDelayMs: number;
  readonly postings: Pick<PostingFindings, 'add'>;
  /** By id. A deferred bundle is read again after READ_AGAIN_MS. */
  readonly deferred: Map<string, DeferredBundle>;
}

/** A bundle that is not as its tags describe, or whose entries are not those of the mirror, for example of an epoch that a restore ended. */
export interface DeferredBundle {
  /** When it was read; in ms of performance.now(). */
  readonly readAt: number;
  readonly fault: Fault | null;
}

const READ_AGAIN_MS = 10 * 60_000;

/**
 * Compares every bundle that was mined since with the verified entries, and stores where the entries are. Entries that the mirror does
 * not have yet are added: the network alone is a source, too.
 * @returns the first breach, or the first fault of a bundle; null if there is none
 */
export async function compareNetwork(parts: NetworkParts): Promise<Exclude<Outcome, { kind: 'added' }> | null> {
  const { pool, gateways, wallet, checkers, deferred } = parts;
  const height = await gateways.height();
  const { bundles } = await listBundles(gateways, wallet);
  await followConfirmations(pool, bundles, height);
  const { rows } = await pool.query<{ id: string }>(
    'SELECT l1_tx AS id FROM bundles UNION SELECT unnest(superseded_tx) FROM bundles',
  );
  const known = new Set(rows.map(({ id }) => id));
  const now = performance.now();
  for (const [id, { readAt }] of deferred) if (now - readAt >= READ_AGAIN_MS) deferred.delete(id);
  const unknown = bundles.filter(({ id }) => !known.has(id) && !deferred.has(id));
  let fault = bundles.map(({ id }) => deferred.get(id)?.fault ?? null).find((found) => found !== null) ?? null;
  for await (const fetched of readBundles({ client: gateways, wallet, checkers }, unknown)) {
    if (fetched.unreadable !== null || rangeProblem(fetched)) {
      const found = faultOf(fetched.bundle);
      deferred.set(fetched.bundle.id, { readAt: now, fault: found });
      fault ??= found;
      continue;
    }
    const placed = fetched.items.map(({ entry, start, end }) => ({
      entry,
      item: Buffer.from(fetched.bytes.buffer, fetched.bytes.byteOffset + start, end - start),
    }));
    const outcome = await parts.add(
      fetched.items.map(({ id }, index) => ({ id, item: placed[index]?.item ?? Buffer.of() })),
    );
    if (outcome.kind === 'breach') return outcome;
    if (outcome.kind === 'faulty') {
      fault ??= outcome;
      continue;
    }
    const all = placed.flatMap(({ entry, item }): Placed[] => (entry ? [{ entry, item }] : []));
    if ((parts.end()?.seq ?? 0) < fetched.bundle.lastSeq) continue;
    if (!(await isStored(pool, all))) {
      deferred.set(fetched.bundle.id, { readAt: now, fault: null });
      continue;
    }
    const { rowCount } = await pool.query('SELECT FROM bundles WHERE first_seq <= $2 AND last_seq >= $1', [
      fetched.bundle.firstSeq,
      fetched.bundle.lastSeq,
    ]);
    const isFirst = rowCount === 0;
    if (isFirst) await reportPosting(parts, fetched.bundle, all);
    await inTransaction(pool, (client) =>
      isFirst ? insertRestoredBundle(client, gateways, fetched, all, height) : noteSuperseded(client, fetched),
    );
  }
  return fault;
}

type Fault = Extract<Outcome, { kind: 'faulty' }>;

const faultOf = ({ id }: ListedBundle): Fault => ({
  kind: 'faulty',
  sentence: `The wallet posted transaction ${id}, which is not a bundle of entries as its tags describe.`,
});

async function reportPosting(
  { maxDelayMs, postings }: NetworkParts,
  bundle: ListedBundle,
  placed: readonly Placed[],
): Promise<void> {
  const findings = createFindings();
  checkPostingDelay(bundle, placed, maxDelayMs, findings);
  checkPostdating(bundle, placed, findings);
  for (const finding of findings.examples(findings.total)) {
    const there = placed.find(({ entry }) => entry.seq === finding.seq);
    if (there) await postings.add(finding, there.item);
  }
}

/** Bundles of an epoch that a restore ended have places of other entries. */
async function isStored(pool: Pool, placed: readonly Placed[]): Promise<boolean> {
  const { rows } = await pool.query<{ stored: number }>(
    'SELECT count(*)::int AS stored FROM ledger_entries WHERE id = ANY ($1::text[])',
    [placed.map(({ entry }) => entry.id)],
  );
  return rows[0]?.stored === placed.length;
}

/** Counts confirmations, and forgets bundles that a reorganisation removed. */
async function followConfirmations(pool: Pool, bundles: readonly ListedBundle[], height: number): Promise<void> {
  const listed = new Map(bundles.map((bundle) => [bundle.id, bundle]));
  const { rows } = await pool.query<{ first_seq: number; l1_tx: string }>(
    `SELECT first_seq, l1_tx FROM bundles WHERE status <> 'FINAL'`,
  );
  for (const { first_seq: firstSeq, l1_tx: id } of rows) {
    const bundle = listed.get(id);
    const confirmations = bundle ? height - bundle.height + 1 : 0;
    if (!bundle) await pool.query('DELETE FROM bundles WHERE first_seq = $1', [firstSeq]);
    else {
      await pool.query('UPDATE bundles SET confirmations = $2, status = $3, block_height = $4 WHERE first_seq = $1', [
        firstSeq,
        Math.max(1, confirmations),
        confirmations >= FINAL_CONFIRMATIONS ? 'FINAL' : 'CONFIRMED',
        bundle.height,
      ]);
    }
  }
}
