import type { Beo } from '../../../protocol/entities/beo.ts';
import type { BeoId, TransactionId } from '../../../protocol/ids.ts';
import { defineStore } from './entity-store.ts';

export const beos = defineStore<'BEO'>()({
  kind: 'BEO',
  table: 'beos',
  idType: 'uuid',
  columns: [
    'domain',
    'public_key',
    'key_version',
    'status',
    'created_at',
    'updated_at',
    'locked_at',
    'recovery',
    'transaction_id',
    'seq',
  ],
  toRow: (beo) => ({
    id: beo.id,
    domain: beo.domain,
    public_key: beo.publicKey,
    key_version: beo.keyVersion,
    status: beo.status,
    created_at: beo.createdAt,
    updated_at: beo.updatedAt,
    locked_at: beo.lockedAt,
    recovery: beo.recovery,
    transaction_id: beo.transactionId,
    seq: beo.seq,
  }),
  fromRow: (row) => ({
    kind: 'BEO',
    id: row.id as BeoId,
    domain: row.domain as string | null,
    publicKey: row.public_key as string | null,
    keyVersion: row.key_version as number,
    status: row.status as Beo['status'],
    createdAt: row.created_at as string,
    updatedAt: row.updated_at as string,
    lockedAt: row.locked_at as string | null,
    recovery: row.recovery as Beo['recovery'],
    transactionId: row.transaction_id as TransactionId,
    seq: row.seq as number,
  }),
});
