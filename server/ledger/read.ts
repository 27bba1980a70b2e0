import type { Pool } from 'pg';
import { z } from 'zod';
import type { Instant, LedgerStatus } from '../../protocol/entities/recorded.ts';
import { ledgerStatus } from '../../protocol/entities/views.ts';
import { refusal } from '../../protocol/errors.ts';
import { isTransactionId } from '../../protocol/ids.ts';
import * as shapes from '../../protocol/response-shapes.ts';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import { formatVerifierKey, type VerifierKey } from '../../protocol/transparency/verifier-key.ts';
import { available } from '../platform/db/pool.ts';
import type { SourceQuestions } from './ask-sources.ts';
import { readBacklog } from './entries.ts';
import type { Fence } from './fence.ts';
import { type Head, readHead } from './head.ts';
import { keyItemsUpTo } from './key-entries.ts';
import type { RelayerSigner } from './relayer-signer.ts';

export interface NetworkFacts {
  readonly kind: 'devnet' | 'arweave';
  readonly gatewayUrl: string;
  readonly walletAddress: string;
}

export interface LedgerReadParts {
  readonly pool: Pool;
  /** The primary: of a standby, the head would be an older one. */
  readonly headPool: Pool;
  /** For pages of entries. */
  readonly listPool: Pool;
  readonly relayer: Pick<RelayerSigner, 'with'>;
  readonly fence: Pick<Fence, 'check'>;
  readonly headQuestions: Pick<SourceQuestions, 'settled'>;
  /** In a mirror, which signs nothing: the latest head that the relayer signed over verified entries. */
  readonly servedHead?: (() => SignedHead | null) | undefined;
  /** Null if the service publishes no checkpoints. */
  readonly transparencyLog: { readonly key: VerifierKey } | null;
  readonly witnessStates: () => Promise<
    readonly { readonly name: string; readonly vkey: string; readonly cosignedSize: number | null }[]
  >;
  readonly network: NetworkFacts;
  readonly maxPostingDelaySeconds: number;
  readonly now: () => number;
}

export const signedHead = z
  .object({
    epoch: z.int().min(1),
    seq: shapes.count,
    id: shapes.transactionId.nullable(),
    at: shapes.time,
    signature: shapes.signature,
  })
  .describe('The latest entry. The relayer signs the canonical JSON of the other members and ledger_id.');

export type SignedHead = z.output<typeof signedHead>;

export const ledgerHead = z
  .object({
    ledger_id: shapes.digest,
    head: signedHead,
    relayer_public_key: shapes.hexKey.describe('The key that signs now.'),
    relayer_keys: shapes
      .list(shapes.base64)
      .describe(
        'The signed entries that committed the relayer to a next key or changed its key, in order. They prove that the first key, whose SHA-256 is ledger_id, authorized the current one.',
      ),
    checkpoint_key: z
      .string()
      .nullable()
      .describe('The key of the checkpoints of the transparency log, as a vkey of C2SP signed-note.'),
    witnesses: z
      .array(
        z.object({
          name: z.string(),
          key: z.string().describe('As a vkey of C2SP signed-note.'),
          cosigned_size: shapes.count.nullable().describe('The number of entries in the last tree that it cosigned.'),
        }),
      )
      .describe(
        'The witnesses that are asked to cosign the checkpoints. Verify cosignatures only with keys from elsewhere.',
      ),
    wallet_address: shapes.networkTransactionId.describe('The address of the wallet that posts the ledger.'),
    network: z.object({ kind: z.enum(['devnet', 'arweave']), gateway_url: shapes.url, permanent: z.boolean() }),
    entries_final: shapes.count.describe('The number of entries that are permanent on the storage network.'),
    max_posting_delay_seconds: z.number().min(0),
  })
  .meta({ id: 'Ledger' });

export type LedgerState = z.output<typeof ledgerHead>;

/**
 * The head, signed by the relayer, which makes a later equivocation provable. Protocol §4.
 * @throws UNAVAILABLE if this process does not have the current key, or the database has lost operations
 */
export async function ledgerState(parts: LedgerReadParts): Promise<LedgerState> {
  const { pool, headPool, network, transparencyLog } = parts;
  const { head, signed } = await headOf(parts);
  const [backlog, witnesses, keyItems] = await available(() =>
    Promise.all([readBacklog(pool), parts.witnessStates(), keyItemsUpTo(headPool, head.ledgerId, head.seq)]),
  );
  return {
    ledger_id: head.ledgerId,
    head: signed,
    relayer_public_key: head.relayerPublicKey,
    relayer_keys: keyItems.map(({ item }) => item.toString('base64')),
    checkpoint_key: transparencyLog && formatVerifierKey(transparencyLog.key),
    witnesses: witnesses.map(({ name, vkey, cosignedSize }) => ({ name, key: vkey, cosigned_size: cosignedSize })),
    wallet_address: network.walletAddress,
    network: { kind: network.kind, gateway_url: network.gatewayUrl, permanent: network.kind === 'arweave' },
    entries_final: backlog.finalSeq,
    max_posting_delay_seconds: parts.maxPostingDelaySeconds,
  };
}

/**
 * The head, and the one that is served, which is signed. A signed head of a database that went back in time would prove a rollback, so
 * the fence compares it first.
 * @throws UNAVAILABLE if this process does not have the current key, or the database has lost operations; in a mirror before its first head
 */
async function headOf(parts: LedgerReadParts): Promise<{ readonly head: Head; readonly signed: SignedHead }> {
  const { headPool, relayer, servedHead, fence, headQuestions, now } = parts;
  // The questions wait for a database that is not reachable; a reader does not.
  await available(() => readHead(headPool));
  await headQuestions.settled();
  const at = new Date(now()).toISOString();
  const head = await available(() => readHead(headPool));
  if (servedHead) {
    const signed = servedHead();
    if (signed) return { head, signed };
    throw refusal('UNAVAILABLE', 'This mirror has no signed head of verified entries yet; try again shortly.');
  }
  if (await available(() => fence.check(headPool))) {
    throw refusal(
      'UNAVAILABLE',
      'The database has lost operations, so its head is not signed until the operator has restored it.',
    );
  }
  const { epoch, seq, id } = head;
  const place = { epoch, seq, id, at };
  const bytes = Buffer.from(canonicalJson({ ledger_id: head.ledgerId, ...place }));
  const signature = relayer.with(head.relayerPublicKey).sign(bytes).toString('base64');
  return { head, signed: { ...place, signature } };
}

export const readSignedHead = async (parts: LedgerReadParts): Promise<SignedHead> => (await headOf(parts)).signed;

interface EntryRow {
  id: string;
  epoch: number;
  seq: number;
  function: string;
  entity_id: string;
  accepted_at: Instant;
  item: Buffer;
  status: LedgerStatus;
  l1_tx: string | null;
  confirmations: number;
}

/** The status of the entry `e`, from its bundle: see BUNDLE. */
export const PLACE = `CASE WHEN b.status IS NULL OR b.status = 'PREPARED' THEN 'ACCEPTED' ELSE b.status END AS status,
  CASE WHEN b.status <> 'PREPARED' THEN b.l1_tx END AS l1_tx, coalesce(b.confirmations, 0) AS confirmations`;

export const BUNDLE = `LEFT JOIN LATERAL (SELECT * FROM bundles WHERE first_seq <= e.seq ORDER BY first_seq DESC LIMIT 1) b
  ON b.last_seq >= e.seq`;

export const SUMMARY = 'e.id, e.epoch, e.seq, e.function, e.entity_id, e.accepted_at';

/** A line of GET /api/ledger/entries. */
export const entryLine = z.object({
  id: shapes.transactionId,
  epoch: z.int().min(1),
  seq: shapes.seq,
  status: ledgerStatus,
  l1_tx: shapes.networkTransactionId.nullable().describe('The transaction of the storage network that contains it.'),
  item: shapes.base64.describe('The signed entry: an ANS-104 data item.'),
});

export const transactionView = entryLine
  .extend({
    prev: shapes.transactionId.nullable().describe('The id of the entry before it.'),
    function: z.string(),
    entity_id: z.string(),
    accepted_at: shapes.time,
    confirmations: shapes.count,
  })
  .meta({ id: 'Transaction', description: 'A ledger entry and its progress.' });

export type TransactionView = z.output<typeof transactionView>;

/**
 * The status of one operation. Protocol §4.
 * @throws TRANSACTION_NOT_FOUND, also for an invalid transaction id.
 */
export async function readTransaction({ pool }: Pick<LedgerReadParts, 'pool'>, id: string): Promise<TransactionView> {
  if (!isTransactionId(id)) throw refusal('TRANSACTION_NOT_FOUND');
  const { rows } = await available(() =>
    pool.query<EntryRow & { prev: string | null }>({
      name: 'transaction',
      text: `SELECT ${SUMMARY}, e.item, ${PLACE}, (SELECT id FROM ledger_entries WHERE seq = e.seq - 1) AS prev
        FROM ledger_entries e ${BUNDLE} WHERE e.id = $1`,
      values: [id],
    }),
  );
  const [row] = rows;
  if (!row) throw refusal('TRANSACTION_NOT_FOUND');
  return {
    id: row.id,
    epoch: row.epoch,
    seq: row.seq,
    prev: row.prev,
    function: row.function,
    entity_id: row.entity_id,
    status: row.status,
    accepted_at: row.accepted_at,
    l1_tx: row.l1_tx,
    confirmations: row.confirmations,
    item: row.item.toString('base64'),
  };
}

/** The ids of the entries before and after one. */
export interface Neighbours {
  readonly previous: string | null;
  readonly next: string | null;
}

export async function readNeighbours({ pool }: Pick<LedgerReadParts, 'pool'>, seq: number): Promise<Neighbours> {
  const { rows } = await available(() =>
    pool.query<{ id: string; seq: number }>({
      name: 'neighbours-of-entry',
      text: 'SELECT id, seq FROM ledger_entries WHERE seq IN ($1::bigint - 1, $1::bigint + 1)',
      values: [seq],
    }),
  );
  const idOf = (wanted: number) => rows.find((row) => row.seq === wanted)?.id ?? null;
  return { previous: idOf(seq - 1), next: idOf(seq + 1) };
}

export type EntrySummary = Omit<EntryRow, 'item'>;

/** Selects the entries with an entity's id and those with the seqs `elsewhere`. */
export interface EntriesWanted {
  readonly entityId: string;
  readonly elsewhere: readonly number[];
}

/** The selected entries, newest first; only those below the seq `before`, if given. */
export async function entriesOf(
  { listPool }: Pick<LedgerReadParts, 'listPool'>,
  { entityId, elsewhere }: EntriesWanted,
  limit: number,
  before: number | null,
): Promise<EntrySummary[]> {
  const { rows } = await available(() =>
    listPool.query<EntrySummary>({
      name: 'entries-of-entity',
      text: `WITH wanted AS (
          (SELECT seq FROM ledger_entries WHERE entity_id = $1 AND seq < $3 ORDER BY seq DESC LIMIT $2)
          UNION SELECT seq FROM unnest($4::bigint[]) AS seq WHERE seq < $3)
        SELECT ${SUMMARY}, ${PLACE} FROM wanted JOIN ledger_entries e USING (seq) ${BUNDLE} ORDER BY e.seq DESC LIMIT $2`,
      values: [entityId, limit, before ?? Number.MAX_SAFE_INTEGER, elsewhere],
    }),
  );
  return rows;
}

export type Progress = Pick<EntrySummary, 'id' | 'function' | 'status' | 'l1_tx' | 'confirmations'>;

/** The relay status of operations, without unknown ones. */
export async function progressOf(
  { listPool }: Pick<LedgerReadParts, 'listPool'>,
  ids: readonly string[],
): Promise<Progress[]> {
  const { rows } = await available(() =>
    listPool.query<Progress>({
      name: 'progress',
      text: `SELECT e.id, e.function, ${PLACE} FROM ledger_entries e ${BUNDLE} WHERE e.id = ANY ($1::text[])`,
      values: [ids],
    }),
  );
  return rows;
}

/**
 * What determines the entries after `after`: the last of them and the bundles that contain them.
 * @returns isFinal if the page is full and every entry of it is FINAL, so that it never changes
 */
export async function versionOfEntries(
  { listPool }: Pick<LedgerReadParts, 'listPool'>,
  after: number,
  limit: number,
): Promise<{ readonly version: string; readonly isFinal: boolean }> {
  const { rows } = await available(() =>
    listPool.query<{ last: string | null; bundles: string; final: boolean | null }>({
      name: 'version-of-entries',
      text: `WITH page AS (SELECT min(seq) AS first, max(seq) AS last, count(*) AS entries
          FROM (SELECT seq FROM ledger_entries WHERE seq > $1 ORDER BY seq LIMIT $2) AS found)
        SELECT (SELECT id FROM ledger_entries WHERE seq = page.last) AS last, placed.bundles,
          page.entries = $2 AND placed.covered = page.entries AS final
        FROM page, LATERAL (
          SELECT md5(coalesce(string_agg(b.first_seq || b.l1_tx || b.status, ' ' ORDER BY b.first_seq), '')) AS bundles,
            sum(least(b.last_seq, page.last) - greatest(b.first_seq, page.first) + 1)
              FILTER (WHERE b.status = 'FINAL') AS covered
          FROM bundles b WHERE b.first_seq <= page.last AND b.last_seq >= page.first) AS placed`,
      values: [after, limit],
    }),
  );
  const [row] = rows;
  return { version: `${row?.last} ${row?.bundles}`, isFinal: row?.final === true };
}

const PAGE = 32;

/** Entries after `after`, oldest first, as JSON Lines; read page by page while they are sent. Protocol §4. */
export async function* entryLines(
  { listPool }: Pick<LedgerReadParts, 'listPool'>,
  after: number,
  limit: number,
): AsyncGenerator<string> {
  let last = after;
  let remaining = limit;
  while (remaining > 0) {
    const wanted = Math.min(remaining, PAGE);
    const { rows } = await available(() =>
      listPool.query<EntryRow>({
        name: 'entries-after',
        text: `SELECT ${SUMMARY}, e.item, ${PLACE} FROM ledger_entries e ${BUNDLE} WHERE e.seq > $1 ORDER BY e.seq LIMIT $2`,
        values: [last, wanted],
      }),
    );
    if (rows.length > 0) yield rows.map(line).join('');
    last = rows.at(-1)?.seq ?? last;
    remaining -= rows.length;
    if (rows.length < wanted) return;
  }
}

/** Of a page of a stream; a single larger entry is a page of its own. */
const MAX_PAGE_BYTES = 256 * 1024;
const MAX_PAGE_ENTRIES = 250;

/** The entries after a seq as JSON Lines, as many as a page holds; null if there is none. */
export async function pageAfter(
  { listPool }: Pick<LedgerReadParts, 'listPool'>,
  seq: number,
): Promise<{ readonly text: string; readonly last: number } | null> {
  const { rows } = await available(() =>
    listPool.query<EntryRow>({
      name: 'stream-page',
      text: `WITH page AS (
          SELECT seq, sum(octet_length(item)) OVER (ORDER BY seq) - octet_length(item) AS bytes_before
          FROM (SELECT seq, item FROM ledger_entries WHERE seq > $1 ORDER BY seq LIMIT $2) AS next)
        SELECT ${SUMMARY}, e.item, ${PLACE} FROM page JOIN ledger_entries e USING (seq) ${BUNDLE}
        WHERE bytes_before < $3 ORDER BY e.seq`,
      values: [seq, MAX_PAGE_ENTRIES, MAX_PAGE_BYTES],
    }),
  );
  const last = rows.at(-1)?.seq;
  return last === undefined ? null : { text: rows.map(line).join(''), last };
}

const line = ({ id, epoch, seq, status, l1_tx, item }: EntryRow): string =>
  `${JSON.stringify({ id, epoch, seq, status, l1_tx, item: item.toString('base64') })}\n`;
