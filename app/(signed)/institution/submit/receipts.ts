import type { TokenView } from '../../../../protocol/entities/token.ts';
import type { Batch, Item } from './use-sending.ts';

interface Submitted {
  readonly transaction_id: string;
  /** Null where the response was lost. */
  readonly receipt: string | null;
  readonly salt: string | null;
  readonly records: readonly {
    readonly row: number;
    readonly record_id: string | null;
    readonly record: Item['record'];
  }[];
}

/** The text of a file with what the service returns only once: transaction, receipt, salt and record ids of each batch. */
export function receiptsOf({ beo_id, beo_domain, ieo_id, token_id }: TokenView, batches: readonly Batch[]): string {
  const submissions = batches.flatMap(({ items, state }): Submitted[] => {
    if (state.kind !== 'accepted' && state.kind !== 'acceptedUnseen') return [];
    const receipt = state.kind === 'accepted' ? state.receipt : null;
    return [
      {
        transaction_id: state.kind === 'accepted' ? state.receipt.transactionId : state.transactionId,
        receipt: receipt?.receipt ?? null,
        salt: receipt?.salt ?? null,
        records: items.map(({ row, record }, index) => ({ row, record_id: receipt?.recordIds[index] ?? null, record })),
      },
    ];
  });
  return `${JSON.stringify({ format: 'perpetua-receipts', version: 1, beo_id, beo_domain, ieo_id, token_id, submissions }, null, 2)}\n`;
}
