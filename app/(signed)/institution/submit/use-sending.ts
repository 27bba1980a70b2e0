import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { type SignedBody, signedBody } from '../../../_keys/secret.ts';
import { useSession } from '../../../_session/session.tsx';
import type { Signer } from '../../../_session/signer.ts';
import { useWrites } from '../../../_session/write.tsx';
import { clockSkew } from '../../../_trpc/clock.ts';
import { failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/provider.tsx';
import { batchesOf } from './batches.ts';
import { type Delivered, deliver, type Receipt } from './deliver.ts';

/** One record and its row in the file, or its position in the list. */
export interface Item {
  readonly row: number;
  readonly record: { readonly [member: string]: Json };
}

export interface Batch {
  readonly items: readonly Item[];
  readonly state: { readonly kind: 'waiting' | 'now' } | Delivered<SignedBody>;
}

interface Run {
  readonly isBusy: boolean;
  /** When a rate limit ends, ms; null without one. */
  readonly limitedUntil: number | null;
  /** Whether sending stopped because the key was not unlocked. */
  readonly isUnsigned: boolean;
}

export interface SendingState extends Run {
  readonly batches: readonly Batch[];
  /** The records that were accepted under this consent since the page was opened, as JSON. */
  readonly accepted: ReadonlySet<string>;
  send(items: readonly Item[]): Promise<void>;
  /** Sends what was refused or not sent yet; repeats a batch without response with the same signature. */
  resume(): Promise<void>;
  /** Signs and sends again a batch without response that is not on the ledger. */
  resend(index: number): Promise<void>;
  clear(): void;
}

const TIMEOUT_MS = 60_000;

export const isAccepted = ({ state: { kind } }: Batch): boolean => kind === 'accepted' || kind === 'acceptedUnseen';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Submits batches one after the other, and stops at the first that is not accepted. */
export function useSending(consent: TokenView): SendingState {
  const session = useSession();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const { track } = useWrites();
  const [batches, setBatches] = useState<readonly Batch[]>([]);
  const [run, setRun] = useState<Run>({ isBusy: false, isUnsigned: false, limitedUntil: null });
  const { isBusy } = run;
  const accepted = useRef(new Set<string>());
  useLeavingWarning(isBusy);

  const setLimit = (limitedUntil: number | null) => setRun((before) => ({ ...before, limitedUntil }));

  const deliverBatch = ({ items, state }: Batch, signer: Signer) =>
    deliver<SignedBody>({
      unansweredBody: state.kind === 'unknown' ? state.body : undefined,
      sign: () => {
        const records = items.map(({ record }) => record);
        const fields = { targetBeo: consent.beo_id, consentToken: consent.token_id, records };
        return signedBody(signer.sign, 'submitRecords', fields, { clockSkew: clockSkew() });
      },
      async post(body) {
        try {
          const signal = AbortSignal.timeout(TIMEOUT_MS);
          const response = await client.operate.mutate({ function: 'submitRecords', body }, { signal });
          return { ok: true, receipt: receiptIn(response) };
        } catch (error) {
          return { ok: false, failure: failureOf(error) };
        } finally {
          setLimit(null);
        }
      },
      pause,
      onLimited: (seconds) => setLimit(Date.now() + seconds * 1_000),
    });

  async function sendAll(from: readonly Batch[]): Promise<void> {
    if (isBusy) return;
    setRun({ isBusy: true, isUnsigned: false, limitedUntil: null });
    setBatches(from);
    const signer = await session.signer();
    const isUnsigned = !signer;
    let current = from;
    for (const [index, batch] of from.entries()) {
      if (!signer) break;
      if (isAccepted(batch)) continue;
      const setState = (state: Batch['state']) => {
        current = current.with(index, { items: batch.items, state });
        setBatches(current);
      };
      setState({ kind: 'now' });
      const delivered = await deliverBatch(batch, signer);
      setState(delivered);
      if (delivered.kind === 'refused' || delivered.kind === 'unknown') break;
      for (const { record } of batch.items) accepted.current.add(JSON.stringify(record));
      const id = delivered.kind === 'accepted' ? delivered.receipt.transactionId : delivered.transactionId;
      track({ id, function: 'submitRecords' });
    }
    setRun({ isBusy: false, isUnsigned, limitedUntil: null });
    await queries.invalidateQueries();
  }

  return {
    batches,
    ...run,
    accepted: accepted.current,
    send: (items) => sendAll(batchesOf(items).map((batch) => ({ items: batch, state: { kind: 'waiting' } }))),
    resume: () => sendAll(batches),
    resend: (index) =>
      sendAll(
        batches.map((batch, position) => (position === index ? { ...batch, state: { kind: 'waiting' } } : batch)),
      ),
    clear: () => setBatches([]),
  };
}

/** The response to a submission (protocol §4, §8). */
function receiptIn(response: {
  readonly transactionId: string;
  readonly receipt: string;
  readonly [more: string]: Json;
}): Receipt {
  const { transactionId, receipt, salt, record_ids: ids } = response;
  return {
    transactionId,
    receipt,
    salt: typeof salt === 'string' ? salt : '',
    recordIds: Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [],
  };
}

/** Warns before the page is left while records are sent. */
function useLeavingWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [active]);
}
