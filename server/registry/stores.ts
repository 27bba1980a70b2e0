import type { ClientBase } from 'pg';
import type { Beo, Entities, Entity, EntityKind, EntityOf, Name } from '../../protocol/entities.ts';
import type { BeoId, TransactionId } from '../../protocol/ids.ts';
import type { Statement } from '../db/statement.ts';

type Row = Record<string, unknown>;

/** How entities of one kind are kept: the one place where a state becomes columns and back. */
interface Store<Kind extends EntityKind> {
  readonly table: string;
  readonly idType: 'uuid' | 'text';
  readonly columns: readonly string[];
  toRow(entity: EntityOf<Kind>): Row;
  fromRow(row: Row): EntityOf<Kind>;
}

const beos: Store<'BEO'> = {
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
  fromRow: beoFromRow,
};

export function beoFromRow(row: Row): Beo {
  return {
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
  };
}

const names: Store<'NAME'> = {
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
};

const STORES: { readonly [Kind in EntityKind]: Store<Kind> } = { BEO: beos, NAME: names };

const KINDS = Object.keys(STORES) as EntityKind[];

/** What a transaction has read of the entities, and what it has changed since. */
export interface WorkingSet extends Entities {
  put(entity: Entity): void;
  changed(): readonly Entity[];
}

/** A key of its own for every entity, whatever its kind. */
export const entityKey = (kind: EntityKind, id: string): string => `${kind}:${id}`;

function workingSet(loaded: readonly Entity[]): WorkingSet {
  const entities = new Map<string, Entity>(loaded.map((entity) => [entityKey(entity.kind, entity.id), entity]));
  const changed = new Map<string, Entity>();
  return {
    get: <Kind extends EntityKind>(kind: Kind, id: string) =>
      entities.get(entityKey(kind, id)) as EntityOf<Kind> | undefined,
    put(entity) {
      entities.set(entityKey(entity.kind, entity.id), entity);
      changed.set(entityKey(entity.kind, entity.id), entity);
    },
    changed: () => [...changed.values()],
  };
}

/** Reads the named entities, one query a kind. */
export async function loadEntities(
  client: Pick<ClientBase, 'query'>,
  references: readonly { readonly kind: EntityKind; readonly id: string }[],
): Promise<WorkingSet> {
  const loaded = await Promise.all(
    KINDS.map(async (kind): Promise<Entity[]> => {
      const ids = new Set(references.filter((reference) => reference.kind === kind).map(({ id }) => id));
      return ids.size === 0 ? [] : loadKind(client, kind, [...ids]);
    }),
  );
  return workingSet(loaded.flat());
}

async function loadKind(client: Pick<ClientBase, 'query'>, kind: EntityKind, ids: string[]): Promise<Entity[]> {
  const { table, idType, columns, fromRow } = STORES[kind];
  const { rows } = await client.query<Row>({
    name: `load-${table}`,
    text: `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id = ANY($1::${idType}[])`,
    values: [ids],
  });
  return rows.map((row): Entity => fromRow(row));
}

/** Writes entities as they are now, one statement a kind. */
export const saveEntities = (entities: readonly Entity[]): readonly Statement[] =>
  KINDS.flatMap((kind) => {
    const ofKind = entities.filter((entity) => entity.kind === kind);
    if (ofKind.length === 0) return [];
    const { table, columns } = STORES[kind];
    const toRow = STORES[kind].toRow as (entity: Entity) => Row;
    const list = columns.join(', ');
    return {
      name: `save-${table}`,
      text: `INSERT INTO ${table} (id, ${list}) SELECT id, ${list} FROM json_populate_recordset(NULL::${table}, $1)
             ON CONFLICT (id) DO UPDATE SET ${columns.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}`,
      values: [JSON.stringify(ofKind.map(toRow))],
    };
  });
