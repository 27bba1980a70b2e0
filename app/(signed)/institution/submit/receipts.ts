import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { fileStamp } from '../file-stamp.ts';
import type { Batch, Item } from './use-submission-sending.ts';

type Submitted = {
  readonly beo_id: string;
  readonly beo_domain: string | null;
  readonly token_id: string;
  readonly transaction_id: string;
  /** Null where the response was lost. */
  readonly receipt: string | null;
  readonly salt: string | null;
  readonly records: readonly {
    readonly row: number;
    readonly record_id: string | null;
    /** Left out of what this browser keeps. */
    readonly record?: Item['record'];
  }[];
};

/** What the service returns only once for a batch: transaction, receipt, salt and record ids; null before it was accepted. */
export function receiptOf({ consent, items, state }: Batch, withRecords = true): Submitted | null {
  if (state.kind !== 'accepted' && state.kind !== 'acceptedUnseen') return null;
  const { beo_id, beo_domain, token_id } = consent;
  const receipt = state.kind === 'accepted' ? state.receipt : null;
  return {
    beo_id,
    beo_domain,
    token_id,
    transaction_id: state.kind === 'accepted' ? state.receipt.transactionId : state.transactionId,
    receipt: receipt?.receipt ?? null,
    salt: receipt?.salt ?? null,
    records: items.map(({ row, record }, index) => ({
      row,
      record_id: receipt?.recordIds[index] ?? null,
      ...(withRecords && { record }),
    })),
  };
}

/** The text of a file of receipts. */
export const receiptsText = (ieoId: string, submissions: readonly Json[]): string =>
  `${JSON.stringify({ format: 'perpetua-receipts', version: 2, ieo_id: ieoId, submissions }, null, 2)}\n`;

const ID_SHOWN = 8;

/** The name of a file of receipts: institution, day, time, and the beginning of the id of the first entry. */
export function receiptsFileName(domain: string, batches: readonly Batch[], now: Date): string {
  const [first] = batches.flatMap(({ state }) => {
    if (state.kind === 'accepted') return [state.receipt.transactionId];
    return state.kind === 'acceptedUnseen' ? [state.transactionId] : [];
  });
  return `perpetua-receipts-${domain}-${fileStamp(now)}${first ? `-${first.slice(0, ID_SHOWN)}` : ''}.json`;
}
