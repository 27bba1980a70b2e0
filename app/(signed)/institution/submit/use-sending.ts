import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Json } from '../../../../protocol/canonical-json.ts';
import type { TokenView } from '../../../../protocol/token.ts';
import { type SignedBody, signedBody } from '../../../_keys/secret.ts';
import { useSession } from '../../../_session/session.tsx';
import type { Signer } from '../../../_session/signer.ts';
import { useWrites } from '../../../_session/write.tsx';
import { clockSkew } from '../../../_trpc/clock.ts';
import { failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/provider.tsx';
import { batchesOf } from './batches.ts';
import { type Delivered, deliver, type Receipt } from './deliver.ts';

/** One record, and where it comes from: the row of a file, or the place on the list. */
export interface Item {
  readonly row: number;
  readonly record: { readonly [member: string]: Json };
}

export interface Batch {
  readonly items: readonly Item[];
  readonly state: { readonly kind: 'waiting' | 'now' } | Delivered<SignedBody>;
}

export interface SendingState {
  readonly batches: readonly Batch[];
  readonly isBusy: boolean;
  /** When a limit lets it go on, ms; null where none is in the way. */
  readonly limitedUntil: number | null;
  /** Whether the person did not want to open the key. */
  readonly isUnsigned: boolean;
  /** What was taken under this consent since the page was opened, as JSON. */
  readonly taken: ReadonlySet<string>;
  send(items: readonly Item[]): Promise<void>;
  /** Sends what was refused or not sent yet; of a batch that was never answered, asks again with the same signature. */
  goOn(): Promise<void>;
  /** Has a batch that was never answered, and that the person did not find on the ledger, sent anew. */
  sendAnew(index: number): Promise<void>;
  clear(): void;
}

const PATIENCE_MS = 60_000;

export const isTaken = ({ state: { kind } }: Batch): boolean => kind === 'accepted' || kind === 'acceptedUnseen';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Submits batches one after the other, and stops at the first that is not taken. */
export function useSending(consent: TokenView): SendingState {
  const session = useSession();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const { track } = useWrites();
  const [batches, setBatches] = useState<readonly Batch[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [isUnsigned, setUnsigned] = useState(false);
  const [limitedUntil, setLimitedUntil] = useState<number | null>(null);
  const taken = useRef(new Set<string>());
  useLeavingWarning(isBusy);

  const deliverBatch = ({ items, state }: Batch, signer: Signer) =>
    deliver<SignedBody>({
      earlier: state.kind === 'unknown' ? state.body : undefined,
      sign: () => {
        const records = items.map(({ record }) => record);
        const fields = { targetBeo: consent.beo_id, consentToken: consent.token_id, records };
        return signedBody(signer.sign, 'submitRecords', fields, { clockSkew: clockSkew() });
      },
      async post(body) {
        try {
          const signal = AbortSignal.timeout(PATIENCE_MS);
          const answer = await client.operate.mutate({ function: 'submitRecords', body }, { signal });
          return { ok: true, receipt: receiptIn(answer) };
        } catch (error) {
          return { ok: false, failure: failureOf(error) };
        } finally {
          setLimitedUntil(null);
        }
      },
      pause,
      onLimited: (seconds) => setLimitedUntil(Date.now() + seconds * 1_000),
    });

  async function sendAll(from: readonly Batch[]): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setUnsigned(false);
    setBatches(from);
    const signer = await session.signer();
    setUnsigned(!signer);
    let standing = from;
    for (const [index, batch] of from.entries()) {
      if (!signer) break;
      if (isTaken(batch)) continue;
      const put = (state: Batch['state']) => {
        standing = standing.with(index, { items: batch.items, state });
        setBatches(standing);
      };
      put({ kind: 'now' });
      const delivered = await deliverBatch(batch, signer);
      put(delivered);
      if (delivered.kind === 'refused' || delivered.kind === 'unknown') break;
      for (const { record } of batch.items) taken.current.add(JSON.stringify(record));
      const id = delivered.kind === 'accepted' ? delivered.receipt.transactionId : delivered.transactionId;
      track({ id, function: 'submitRecords' });
    }
    setBusy(false);
    await queries.invalidateQueries();
  }

  return {
    batches,
    isBusy,
    limitedUntil,
    isUnsigned,
    taken: taken.current,
    send: (items) => sendAll(batchesOf(items).map((batch) => ({ items: batch, state: { kind: 'waiting' } }))),
    goOn: () => sendAll(batches),
    sendAnew: (index) =>
      sendAll(batches.map((batch, place) => (place === index ? { ...batch, state: { kind: 'waiting' } } : batch))),
    clear: () => setBatches([]),
  };
}

/** What a submission is answered with (protocol §4, §8). */
function receiptIn(answer: {
  readonly transactionId: string;
  readonly receipt: string;
  readonly [more: string]: Json;
}): Receipt {
  const { transactionId, receipt, salt, record_ids: ids } = answer;
  return {
    transactionId,
    receipt,
    salt: typeof salt === 'string' ? salt : '',
    recordIds: Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [],
  };
}

/** Asks before the page is left in the middle of it. */
function useLeavingWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [active]);
}
