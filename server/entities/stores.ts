import type { ClientBase } from 'pg';
import { afterRevocation } from '../../protocol/apply.ts';
import type { Entities, Entity, EntityKind, EntityOf } from '../../protocol/entities.ts';
import { hasEnded } from '../../protocol/ieo.ts';
import type { Reference } from '../../protocol/operation.ts';
import type { Instant } from '../../protocol/recorded.ts';
import type { Revocation, Token } from '../../protocol/token.ts';
import type { Statement } from '../db/statement.ts';
import { beos } from './stores/beos.ts';
import { ieos } from './stores/ieos.ts';
import { names } from './stores/names.ts';
import { proposals } from './stores/proposals.ts';
import type { Row, Store } from './stores/store.ts';
import { tokens } from './stores/tokens.ts';

export const STORES: { readonly [Kind in EntityKind]: Store<Kind> } = {
  BEO: beos,
  IEO: ieos,
  TOKEN: tokens,
  PROPOSAL: proposals,
  NAME: names,
};
export const KINDS = Object.keys(STORES) as EntityKind[];

type Prepared = Omit<Statement, 'values'>;

const ofEachKind = (statement: (store: Store<EntityKind>) => Prepared) =>
  Object.fromEntries(KINDS.map((kind) => [kind, statement(STORES[kind] as Store<EntityKind>)])) as Readonly<
    Record<EntityKind, Prepared>
  >;

const LOAD = ofEachKind(({ table, idType, columns }) => ({
  name: `load-${table}`,
  text: `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id = ANY($1::${idType}[])`,
}));

const insert = ({ table, columns }: Store<EntityKind>): string => {
  const list = columns.join(', ');
  return `INSERT INTO ${table} (id, ${list}) SELECT id, ${list} FROM jsonb_populate_recordset(NULL::${table}, $1)`;
};

const ADD = ofEachKind((store) => ({ name: `add-${store.table}`, text: insert(store) }));

const SAVE = ofEachKind((store) => ({
  name: `save-${store.table}`,
  text: `${insert(store)}
         ON CONFLICT (id) DO UPDATE SET ${store.columns.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}`,
}));

/** What a transaction has read of the entities, and what it has changed since. */
export interface WorkingSet extends Entities {
  put(entity: Entity): void;
  /** What was put: of that, `added` was not read, and `updated` was. */
  changed(): { readonly added: readonly Entity[]; readonly updated: readonly Entity[] };
  /** Ends the tokens meant that are in here. @returns how many, and the statement that ends the others. */
  revoke(revocation: Revocation, at: { readonly acceptedAt: Instant; readonly seq: number }): Revoked;
}

interface Revoked {
  readonly count: number;
  readonly others: Statement;
}

/** A key of its own for every entity, whatever its kind. */
export const entityKey = (kind: EntityKind, id: string): string => `${kind}:${id}`;

function workingSet(loaded: readonly Entity[]): WorkingSet {
  const entities = new Map<string, Entity>();
  const underScope = new Map<string, Set<string>>();
  const added = new Map<string, Entity>();
  const updated = new Map<string, Entity>();
  const get = <Kind extends EntityKind>(kind: Kind, id: string) =>
    entities.get(entityKey(kind, id)) as EntityOf<Kind> | undefined;
  const all = <Kind extends EntityKind>(kind: Kind) =>
    [...entities.values()].filter((entity): entity is EntityOf<Kind> => entity.kind === kind);

  function hold(entity: Entity): void {
    entities.set(entityKey(entity.kind, entity.id), entity);
    if (entity.kind !== 'TOKEN') return;
    const ids = underScope.get(entity.scopeKey) ?? new Set();
    underScope.set(entity.scopeKey, ids.add(entity.id));
  }
  for (const entity of loaded) hold(entity);

  function put(entity: Entity): void {
    const key = entityKey(entity.kind, entity.id);
    const wasRead = entities.has(key) && !added.has(key);
    hold(entity);
    (wasRead ? updated : added).set(key, entity);
  }

  return {
    get,
    granted: (key) =>
      [...(underScope.get(key) ?? [])]
        .flatMap((id) => get('TOKEN', id) ?? [])
        .filter(({ revokedAt }) => revokedAt === null),
    put,
    changed: () => ({ added: [...added.values()], updated: [...updated.values()] }),
    revoke(revocation, at) {
      const here = all('TOKEN');
      const revoked = here.flatMap((token) => afterRevocation(revocation, token, { get }, at) ?? []);
      for (const token of revoked) put(token);
      return { count: revoked.length, others: revokeOthers(revocation, at, here, all('IEO').filter(hasEnded)) };
    },
  };
}

/** What afterRevocation says of tokens that are not loaded; some grantees may have ended within this transaction. */
const revokeOthers = (
  { beoId, granteeId, intent }: Revocation,
  { acceptedAt, seq }: { readonly acceptedAt: Instant; readonly seq: number },
  loaded: readonly Token[],
  ended: readonly { readonly id: string }[],
): Statement => ({
  name: 'revoke-tokens',
  text: `UPDATE tokens SET revoked_at = $1, seq = $2
         WHERE beo_id = $3::uuid AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)
           AND ($4::uuid IS NULL OR grantee_id = $4::uuid) AND ($5::text IS NULL OR scope -> 'intents' ? $5::text)
           AND id <> ALL($6::text[]) AND grantee_id <> ALL($7::uuid[])
           AND NOT EXISTS (SELECT FROM ieos WHERE ieos.id = grantee_id AND ieos.status IN ('REVOKED', 'DESTROYED'))`,
  values: [
    acceptedAt,
    seq,
    beoId,
    granteeId ?? null,
    intent ?? null,
    loaded.map(({ id }) => id),
    ended.map(({ id }) => id),
  ],
});

/** Reads what is referred to, one query a kind. */
export async function loadEntities(
  client: Pick<ClientBase, 'query'>,
  references: readonly Reference[],
): Promise<WorkingSet> {
  const scopeKeys = new Set(references.flatMap((reference) => ('scopeKey' in reference ? [reference.scopeKey] : [])));
  const loaded = await Promise.all([
    ...KINDS.map(async (kind): Promise<Entity[]> => {
      const ids = new Set(references.flatMap((named) => ('kind' in named && named.kind === kind ? [named.id] : [])));
      return ids.size === 0 ? [] : loadKind(client, kind, [...ids]);
    }),
    scopeKeys.size === 0 ? [] : loadGranted(client, [...scopeKeys]),
  ]);
  return workingSet(loaded.flat());
}

async function loadKind(client: Pick<ClientBase, 'query'>, kind: EntityKind, ids: string[]): Promise<Entity[]> {
  const { rows } = await client.query<Row>({ values: [ids], ...LOAD[kind] });
  return rows.map((row): Entity => STORES[kind].fromRow(row));
}

async function loadGranted(client: Pick<ClientBase, 'query'>, keys: string[]): Promise<Entity[]> {
  const { rows } = await client.query<Row>({
    name: 'load-granted',
    text: `SELECT id, ${tokens.columns.join(', ')} FROM tokens WHERE scope_key = ANY($1::text[]) AND revoked_at IS NULL`,
    values: [keys],
  });
  return rows.map(tokens.fromRow);
}

/** Writes entities as they are now, one statement a kind; whether or not there is one with the id. */
export const saveEntities = (entities: readonly Entity[]): readonly Statement[] => written(SAVE, entities);

/** Writes entities that nobody may have written before. @throws unique_violation, when it runs, where somebody has. */
export const addEntities = (entities: readonly Entity[]): readonly Statement[] => written(ADD, entities);

const written = (statements: typeof SAVE, entities: readonly Entity[]): readonly Statement[] =>
  KINDS.flatMap((kind) => {
    const ofKind = entities.filter((entity) => entity.kind === kind);
    if (ofKind.length === 0) return [];
    const toRow = STORES[kind].toRow as (entity: Entity) => Row;
    return { values: [JSON.stringify(ofKind.map(toRow))], ...statements[kind] };
  });
