import type { Name } from '../../../protocol/entities/entities.ts';
import type { TransactionId } from '../../../protocol/ids.ts';
import { defineStore } from './entity-store.ts';

export const names = defineStore<'NAME'>()({
  kind: 'NAME',
  table: 'names',
  idType: 'text',
  columns: ['holder_kind', 'holder_id', 'available_at', 'transaction_id', 'seq'],
  toRow: (name) => ({
    id: name.id,
    holder_kind: name.holder?.kind ?? null,
    holder_id: name.holder?.id ?? null,
    available_at: name.availableAt,
    transaction_id: name.transactionId,
    seq: name.seq,
  }),
  fromRow: (row) => ({
    kind: 'NAME',
    id: row.id as string,
    holder: row.holder_kind === null ? null : ({ kind: row.holder_kind, id: row.holder_id } as Name['holder']),
    availableAt: row.available_at as string | null,
    transactionId: row.transaction_id as TransactionId,
    seq: row.seq as number,
  }),
});
