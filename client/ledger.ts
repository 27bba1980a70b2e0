import type { Succession } from '../protocol/ledger/relayer-keys.ts';
import type { Json } from '../protocol/signing/canonical-json.ts';
import { IntegrityError, PerpetuaError } from './errors.ts';
import { type Http, type HttpRequest, jsonOf, sleep } from './http.ts';
import { type Entry, isByUnknownKey, type Place, successionOf, verifyReceipt } from './receipts.ts';
import type { Row } from './rows.ts';
import type { SignedHead, Trust, Trusted } from './trust.ts';
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
  remember(entry: Entry): void;
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

export function createLedgerReads(http: Http, trust: Trust): LedgerReads {
  const get = async <Body>(request: Omit<HttpRequest, 'method'>): Promise<Body> =>
    jsonOf<Body>(await http.read(() => ({ method: 'GET', ...request })));

  const state: LedgerReads['state'] = async (signal) => {
    const before = trust.current();
    const stated = await get<LedgerState>({ path: '/api/ledger', signal });
    trust.check(stated, before);
    return stated;
  };
  const known: LedgerReads['known'] = async (signal) => {
    if (!trust.current()) await state(signal);
    const trusted = trust.current();
    if (!trusted) throw new PerpetuaError('UNEXPECTED_RESPONSE', 'The server has no ledger.');
    return trusted;
  };
  let verifiedKeys: { readonly items: readonly string[]; readonly succession: Succession } | null = null;
  /** The verified keys of the relayer; null if it never changed its key. Verified again only after a change. */
  const relayerKeys = (): Succession | null => {
    const { ledgerId, relayerKeys: items = [] } = trust.current() ?? { ledgerId: '' };
    if (items.length === 0) return null;
    if (verifiedKeys?.items !== items) verifiedKeys = { items, succession: successionOf(ledgerId, items) };
    return verifiedKeys.succession;
  };
  const remember = (entry: Entry) => trust.remember(entry.ledgerId, entry);
  const read: LedgerReads['read'] = async (item, id, signal) => {
    const { ledgerId } = await known(signal);
    if (isByUnknownKey(item, ledgerId, relayerKeys())) await state(signal);
    return verifyReceipt(item, ledgerId, id, relayerKeys());
  };

  return {
    trusted: trust.current,
    known,
    state,
    remember,
    read,

    async transaction(id, signal) {
      await known(signal);
      const path = `/api/transactions/${encodeURIComponent(id)}`;
      const { transaction } = await get<{ transaction: View }>({ path, signal });
      const found = described(transaction, await read(String(transaction.item), id, signal));
      remember(found.entry);
      return found;
    },

    async entries(after, limit, signal) {
      const { head } = await known(signal);
      const query = { after, limit };
      const text = await http.read(() => ({ method: 'GET', path: '/api/ledger/entries', query, signal }));
      const lines = text.split('\n').filter((line) => line !== '');
      const found: Transaction[] = [];
      for (const line of lines) {
        const view = jsonOf<View>(line);
        found.push(described(view, await read(String(view.item), view.id, signal)));
      }
      requireChain(found, after, head);
      for (const { entry } of found.slice(-1)) remember(entry);
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

/** Entries must follow each other without a gap, and may not differ from the one that was already verified. */
function requireChain(read: readonly Transaction[], after: number, known: Place | null): void {
  let last: Place | null = known?.seq === after ? known : null;
  for (const [index, { entry }] of read.entries()) {
    const follows = entry.seq === after + index + 1 && (!last || entry.prev === last.id);
    const agrees = entry.seq !== known?.seq || entry.id === known.id;
    if (!follows || !agrees) {
      const sentence = `Entry ${entry.seq} does not follow the one before it, or replaces a verified one.`;
      throw new IntegrityError(agrees ? 'ENTRY_INVALID' : 'LEDGER_FORKED', sentence, { entry, last, known });
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
