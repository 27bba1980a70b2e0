import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Unanswered } from '../../../../client/write.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { submit } from '../../../_session/send.ts';
import { useSession } from '../../../_session/session.tsx';
import type { Signer } from '../../../_session/signer.ts';
import type { Failure } from '../../../_trpc/failure.ts';
import { useHolderObstacle } from '../holder-obstacle.ts';
import { sendable, withoutInvalid } from './batch-states.ts';
import { batchesByConsent } from './batches.ts';
import type { InvalidRow } from './invalid.ts';

/** One record, its row in the file or its position in the list, and the consent under which it is submitted. */
export interface Item {
  readonly row: number;
  readonly record: { readonly [member: string]: Json };
  readonly consent: TokenView;
}

/** What the submitter receives once and cannot request again. */
export interface Receipt {
  readonly transactionId: string;
  /** The signed data item, base64. */
  readonly receipt: string;
  /** Hex. */
  readonly salt: string;
  /** In the order of the records. */
  readonly recordIds: readonly string[];
}

type Delivered =
  | { readonly kind: 'accepted'; readonly receipt: Receipt }
  /** A repetition showed that it was accepted; the response with the salt was lost. */
  | { readonly kind: 'acceptedUnseen'; readonly transactionId: string }
  /** `invalid`: the records because of which the server refused all of them. */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly invalid: readonly InvalidRow[] }
  /** No response arrived: it may have been accepted. */
  | { readonly kind: 'unknown'; readonly unanswered: Unanswered };

/** Records that are sent in one request, under one consent. */
export interface Batch {
  readonly consent: TokenView;
  readonly items: readonly Item[];
  readonly state: { readonly kind: 'waiting' | 'now' } | Delivered;
}

interface Run {
  readonly isBusy: boolean;
  /** When a rate limit ends, ms; null without one. */
  readonly limitedUntil: number | null;
  /** Whether sending stopped because the key was not unlocked. */
  readonly isUnsigned: boolean;
  /** Whether the person stopped it; while it is busy, the part on its way is still finished. */
  readonly isStopped: boolean;
}

const IDLE: Run = { isBusy: false, isUnsigned: false, isStopped: false, limitedUntil: null };

export interface SendingState extends Run {
  readonly batches: readonly Batch[];
  /** Whether a record was accepted since the page was opened. */
  isDone(item: Pick<Item, 'record'> & { readonly consent: TokenView | null }): boolean;
  /** Whether receipts came that were not saved: they cannot be shown again. */
  readonly isUnsaved: boolean;
  /** The name of the file with all receipts; null before it was saved. */
  readonly savedAs: string | null;
  /** Records that the receipts were saved. */
  markSaved(fileName: string): void;
  send(items: readonly Item[]): Promise<void>;
  /** Sends what can be sent of what is left; repeats a batch without response with the same signature. */
  resume(): Promise<void>;
  /** Ends after the batch that is on its way. */
  stop(): void;
  /** Signs and sends again a batch without response that is not on the ledger. */
  resend(index: number): Promise<void>;
  clear(): void;
}

/** Refusals that concern one person or one batch; after any other, nothing more is sent. */
const OF_ONE_PERSON = /^(TOKEN|BEO|RECORD|CATEGORY|PERIOD|INTENT|STORAGE)_|^NOT_TOKEN_OWNER$/;

const doneKey = (consent: TokenView, record: Item['record']): string => `${consent.beo_id} ${JSON.stringify(record)}`;

/** The first screen does without it; loaded before anything is sent, so that it does not depend on the connection then. */
export const loadInvalid = () => import('./invalid.ts');
export const loadRememberSent = () => import('./remember-sent.ts');

/** The list of what was sent cannot be read, so nothing is sent: it could be sent twice. */
const UNREADABLE_LIST: Failure = { code: 'STORAGE_UNREADABLE', message: '' };

/**
 * Submits batches one after the other. A refused one ends the submission for its person; without a response, or with a refusal
 * that concerns everyone, nothing more is sent.
 */
export function useSending(): SendingState {
  const session = useSession();
  const obstacleOf = useHolderObstacle();
  const queries = useQueryClient();
  const [batches, setBatches] = useState<readonly Batch[]>([]);
  const [run, setRun] = useState<Run>(IDLE);
  const { isBusy } = run;
  const [saved, setSaved] = useState<{ count: number; name: string | null }>({ count: 0, name: null });
  const accepted = useRef(new Set<string>());
  const stopping = useRef(false);
  const receipts = batches.filter(({ state }) => state.kind === 'accepted').length;

  const setLimit = (limitedUntil: number | null) => setRun((before) => ({ ...before, limitedUntil }));

  const deliverBatch = async ({ consent, items, state }: Batch, key: Signer): Promise<Delivered> => {
    const obstacle = await obstacleOf(consent.beo_id);
    if (obstacle && state.kind !== 'unknown') return { kind: 'refused', failure: obstacle, invalid: [] };
    const records = items.map(({ record }) => record);
    const { rememberSent } = await loadRememberSent();
    const remembered = await rememberSent(consent, records);
    if (remembered.state === 'unreadable')
      return state.kind === 'unknown' ? state : { kind: 'refused', failure: UNREADABLE_LIST, invalid: [] };
    const fields = { targetBeo: consent.beo_id, consentToken: consent.token_id, records };
    const onLimited = (ms: number) => setLimit(Date.now() + ms);
    const unanswered = state.kind === 'unknown' ? state.unanswered : null;
    const posted = await submit(fields, { key, unanswered, onLimited });
    setLimit(null);
    if (posted.ok) {
      const { transactionId, answer } = posted;
      if (answer === null) return { kind: 'acceptedUnseen', transactionId };
      const { receipt, salt = '', record_ids: recordIds } = answer;
      return { kind: 'accepted', receipt: { transactionId, receipt, salt, recordIds } };
    }
    if (posted.unanswered !== null) return { kind: 'unknown', unanswered: posted.unanswered };
    await remembered.value();
    const { failure } = posted;
    return { kind: 'refused', failure, invalid: (await loadInvalid()).invalidIn(failure, items) };
  };

  async function sendAll(from: readonly Batch[]): Promise<void> {
    if (isBusy) return;
    stopping.current = false;
    setRun({ ...IDLE, isBusy: true });
    setBatches(from);
    const signer = await session.signer();
    const isUnsigned = !signer;
    let current = from;
    const refused = new Set<string>();
    const possible = sendable(from);
    for (const [index, batch] of from.entries()) {
      if (!signer || stopping.current) break;
      if (!possible.has(batch) || refused.has(batch.consent.beo_id)) continue;
      const setState = (state: Batch['state']) => {
        current = current.with(index, { ...batch, state });
        setBatches(current);
      };
      setState({ kind: 'now' });
      const delivered = await deliverBatch(batch, signer);
      setState(delivered);
      if (delivered.kind === 'unknown') break;
      if (delivered.kind === 'refused') {
        if (!OF_ONE_PERSON.test(delivered.failure.code)) break;
        refused.add(batch.consent.beo_id);
        continue;
      }
      for (const { record } of batch.items) accepted.current.add(doneKey(batch.consent, record));
    }
    setRun({ ...IDLE, isUnsigned, isStopped: stopping.current });
    await queries.invalidateQueries();
  }

  return {
    batches,
    ...run,
    isDone: ({ consent, record }) => consent !== null && accepted.current.has(doneKey(consent, record)),
    isUnsaved: receipts > saved.count,
    savedAs: receipts > saved.count ? null : saved.name,
    markSaved: (name) => setSaved({ count: receipts, name }),
    send: (items) =>
      sendAll(
        batchesByConsent(items).flatMap((batch): Batch[] =>
          batch[0] ? [{ consent: batch[0].consent, items: batch, state: { kind: 'waiting' } }] : [],
        ),
      ),
    resume: () => sendAll(withoutInvalid(batches)),
    stop: () => {
      stopping.current = true;
      setRun((before) => ({ ...before, isStopped: true }));
    },
    resend: (index) =>
      sendAll(
        batches.map((batch, position) => (position === index ? { ...batch, state: { kind: 'waiting' } } : batch)),
      ),
    clear: () => {
      setBatches([]);
      setSaved({ count: 0, name: null });
    },
  };
}
