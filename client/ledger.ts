import type { Succession } from '../protocol/ledger/relayer-keys.ts';
import type { Json } from '../protocol/signing/canonical-json.ts';
import { IntegrityError, PerpetuaError } from './errors.ts';
import { type Http, type HttpRequest, jsonOf, sleep } from './http.ts';
import { type Entry, isByUnknownKey, successionOf, verifyReceipt } from './receipts.ts';
import type { Row } from './rows.ts';
import { type Places, requireOneHistory, type SignedHead, type Trust, type Trusted } from './trust.ts';
import type { LedgerStatus } from './types.ts';

/** The signed head, and where the ledger is written. Protocol §4. */
export interface LedgerState extends SignedHead {
  /** The key of the transparency log, as a vkey of C2SP signed-note; null if the service has none. */
  readonly checkpoint_key: string | null;
  /** Who is asked to cosign the checkpoints. Take the keys of a policy from a source that you trust, not from here. */
  readonly witnesses: readonly {
    readonly name: string;
    /** As a vkey of C2SP signed-note. */
    readonly key: string;
    /** The number of entries in the last tree that it cosigned; null if there is none. */
    readonly cosigned_size: number | null;
  }[];
  readonly wallet_address: string;
  readonly network: { readonly kind: 'devnet' | 'arweave'; readonly gateway_url: string; readonly permanent: boolean };
  /** The number of entries that are final on the storage network. */
  readonly entries_final: number;
  readonly max_posting_delay_seconds: number;
}

/** One operation. The entry is verified; how far it has reached is the server's statement. */
export interface Transaction {
  readonly entry: Entry;
  readonly status: LedgerStatus;
  /** The transaction on the storage network; null before it is posted. */
  readonly l1Tx: string | null;
  readonly confirmations: number;
}

export interface LedgerReads {
  trusted(): Trusted | null;
  /** What is trusted; asks the server the first time. */
  known(signal: AbortSignal | undefined): Promise<Trusted>;
  state(signal: AbortSignal | undefined): Promise<LedgerState>;
  /** Remembers a verified entry, after at most one request. @throws {PerpetuaError} also if the server does not answer */
  remember(entry: Entry, signal?: AbortSignal): Promise<void>;
  /** Verifies an item; asks the server first for changes of the relayer's key if another one signed it. */
  read(item: string, id: string | null, signal: AbortSignal | undefined): Promise<Entry>;
  transaction(id: string, signal: AbortSignal | undefined): Promise<Transaction>;
  entries(after: number, limit: number, signal: AbortSignal | undefined): Promise<Transaction[]>;
  /** The latest entry of the identity or institution that a request names or creates; null if that cannot be found. */
  latestOf(row: Row, fields: Readonly<Record<string, Json>>, signal: AbortSignal | undefined): Promise<Entry | null>;
}

interface View {
  readonly id: string;
  readonly epoch: number;
  readonly seq: number;
  readonly status: LedgerStatus;
  readonly l1_tx: string | null;
  readonly confirmations?: number;
  readonly item: string;
}

/** A ledger, and the entries that changed its relayer's key. */
type Keys = Omit<Trusted, 'head'>;

export function createLedgerReads(http: Http, trust: Trust): LedgerReads {
  type Read = (request: Omit<HttpRequest, 'method'>) => Promise<string>;
  const read: Read = (request) => http.read(() => ({ method: 'GET', ...request }));
  const readOnce: Read = (request) => http.send({ method: 'GET', ...request });
  const get = async <Body>(request: Omit<HttpRequest, 'method'>): Promise<Body> => jsonOf<Body>(await read(request));

  let verifiedKeys: { readonly items: readonly string[]; readonly succession: Succession } | null = null;
  /** The keys of the relayer; null if it never changed its key. Verified again only after a change. */
  const keysOf = ({ ledgerId, relayerKeys: items = [] }: Keys): Succession | null => {
    if (items.length === 0) return null;
    if (verifiedKeys?.items !== items) verifiedKeys = { items, succession: successionOf(ledgerId, items) };
    return verifiedKeys.succession;
  };
  const ownKeys = (): Succession | null => keysOf(trust.current() ?? { ledgerId: '' });

  /**
   * Remembers the last of these verified places. If it is beyond the highest entry, the server must first show that this entry is still
   * in its place: otherwise another history could replace it, once it is longer.
   * @param stated the ledger of a head; that of the other places is the known one
   */
  const advance = async (places: Places, from: Read, signal?: AbortSignal, stated?: Keys): Promise<void> => {
    const ledger = stated ?? trust.current() ?? { ledgerId: '' };
    const head = trust.unconfirmed(places);
    if (head) {
      const there = places.find(({ seq }) => seq === head.seq) ?? (await entryAt(ledger, head.seq, from, signal));
      requireOneHistory(head, there);
      // Another call has remembered a higher one meanwhile.
      if (trust.current()?.head !== head) return advance(places, from, signal, stated);
    }
    trust.remember(ledger, places.at(-1) ?? null);
  };

  const entryAt = async (ledger: Keys, seq: number, from: Read, signal?: AbortSignal): Promise<Entry> => {
    const query = { after: seq - 1, limit: 1 };
    const view = jsonOf<View>(await from({ path: '/api/ledger/entries', query, minSeq: seq, signal }));
    const found = described(view, verifyReceipt(String(view.item), ledger.ledgerId, view.id, keysOf(ledger)));
    requireChain([found], seq - 1);
    return found.entry;
  };

  const state: LedgerReads['state'] = async (signal) => {
    const before = trust.current();
    const stated = await get<LedgerState>({ path: '/api/ledger', signal });
    trust.check(stated, before);
    const { ledger_id: ledgerId, relayer_keys: relayerKeys = [], head } = stated;
    const places = head.id === null ? [] : [{ ...head, id: head.id }];
    await advance(places, read, signal, { ledgerId, relayerKeys });
    return stated;
  };
  const known: LedgerReads['known'] = async (signal) => {
    if (!trust.current()) await state(signal);
    const trusted = trust.current();
    if (!trusted) throw new PerpetuaError('UNEXPECTED_RESPONSE', 'The server has no ledger.');
    return trusted;
  };
  const readItem: LedgerReads['read'] = async (item, id, signal) => {
    const { ledgerId } = await known(signal);
    if (isByUnknownKey(item, ledgerId, ownKeys())) await state(signal);
    return verifyReceipt(item, ledgerId, id, ownKeys());
  };

  return {
    trusted: trust.current,
    known,
    state,
    read: readItem,

    remember: (entry, signal) => advance([entry], readOnce, signal),

    async transaction(id, signal) {
      await known(signal);
      const path = `/api/transactions/${encodeURIComponent(id)}`;
      const { transaction } = await get<{ transaction: View }>({ path, signal });
      const found = described(transaction, await readItem(String(transaction.item), id, signal));
      await advance([found.entry], read, signal);
      return found;
    },

    async entries(after, limit, signal) {
      await known(signal);
      const text = await read({ path: '/api/ledger/entries', query: { after, limit }, signal });
      const lines = text.split('\n').filter((line) => line !== '');
      const found: Transaction[] = [];
      for (const line of lines) {
        const view = jsonOf<View>(line);
        found.push(described(view, await readItem(String(view.item), view.id, signal)));
      }
      requireChain(found, after);
      const entries = found.map(({ entry }) => entry);
      await advance(entries, read, signal);
      return found;
    },

    async latestOf({ createdId }, { beoId, ieoId, domain }, signal) {
      const kind = beoId === undefined && (ieoId !== undefined || createdId === 'ieo_id') ? 'ieos' : 'beos';
      const reference = beoId ?? ieoId;
      if (typeof (reference ?? domain) !== 'string') return null;
      const path = reference === undefined ? `domain/${domain}` : encodeURIComponent(String(reference));
      try {
        const body = await get<Record<string, { ledger: { seq: number } }>>({ path: `/api/${kind}/${path}`, signal });
        const [{ ledger: latest } = { ledger: { seq: 0 } }] = Object.values(body);
        const [found] = await this.entries(latest.seq - 1, 1, signal);
        return found?.entry ?? null;
      } catch (error) {
        if (error instanceof PerpetuaError && error.status === 404) return null;
        throw error;
      }
    },
  };
}

/** @throws {IntegrityError} ENTRY_INVALID where the description contradicts the verified entry */
function described(view: View, entry: Entry): Transaction {
  const { status, l1_tx: l1Tx, confirmations = 0 } = view;
  if (view.id !== entry.id || view.seq !== entry.seq || view.epoch !== entry.epoch) {
    throw new IntegrityError('ENTRY_INVALID', 'The description contradicts the entry.', { view });
  }
  return { entry, status, l1Tx, confirmations };
}

/** @throws {IntegrityError} ENTRY_INVALID unless the entries follow each other, and the number, without a gap */
function requireChain(read: readonly Transaction[], after: number): void {
  let last: Entry | null = null;
  for (const [index, { entry }] of read.entries()) {
    if (entry.seq !== after + index + 1 || (last && entry.prev !== last.id)) {
      const sentence = `Entry ${entry.seq} does not follow the one before it.`;
      throw new IntegrityError('ENTRY_INVALID', sentence, { entry, last });
    }
    last = entry;
  }
}

export interface WaitOptions {
  /** How long to wait, in ms; by default 2 hours. */
  readonly timeout?: number;
  /** The first pause between two reads, in ms; by default 2 s. Each is half as long again as the one before, up to a minute. */
  readonly interval?: number;
  /** Called whenever the status changed. */
  readonly onStatus?: (transaction: Transaction) => void;
  readonly signal?: AbortSignal;
}

const WAIT_MS = 2 * 3_600_000;
const INTERVAL_MS = 2_000;
const MAX_INTERVAL_MS = 60_000;

/** @throws {PerpetuaError} NOT_FINAL_YET */
export async function waitUntilFinal(
  { transaction }: LedgerReads,
  { now }: Http,
  id: string,
  { timeout = WAIT_MS, interval = INTERVAL_MS, onStatus, signal }: WaitOptions,
): Promise<Transaction> {
  const end = now() + timeout;
  let pause = interval;
  let status: LedgerStatus | null = null;
  while (true) {
    const read = await transaction(id, signal);
    if (read.status !== status) onStatus?.(read);
    status = read.status;
    if (status === 'FINAL') return read;
    if (now() + pause > end) {
      throw new PerpetuaError('NOT_FINAL_YET', `The operation is ${status} after the time to wait.`, {
        details: { status },
      });
    }
    await sleep(pause, signal);
    pause = Math.min(pause * 1.5, MAX_INTERVAL_MS);
  }
}
