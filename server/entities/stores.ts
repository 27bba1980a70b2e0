import type { ClientBase } from 'pg';
import type { Entities, Entity, EntityKind, EntityOf } from '../../protocol/entities/entities.ts';
import type { Token } from '../../protocol/entities/token.ts';
import type { Reference } from '../../protocol/operation.ts';
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

type Prepared = Required<Omit<Statement, 'values'>>;

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

/** The entities that a batch has read, with its changes. */
export interface WorkingSet extends Entities {
  put(entity: Entity): void;
  /** Entities that were put: `added` are new, `updated` were read. */
  changed(): { readonly added: readonly Entity[]; readonly updated: readonly Entity[] };
}

/** A unique key across all kinds of entities. */
export const entityKey = (kind: EntityKind, id: string): string => `${kind}:${id}`;

function workingSet(loaded: readonly Entity[]): WorkingSet {
  const entities = new Map<string, Entity>();
  const tokensBy = { scope: new Map<string, Set<string>>(), holder: new Map<string, Set<string>>() };
  const added = new Map<string, Entity>();
  const updated = new Map<string, Entity>();
  const get = <Kind extends EntityKind>(kind: Kind, id: string) =>
    entities.get(entityKey(kind, id)) as EntityOf<Kind> | undefined;
  const unrevoked = (ids: ReadonlySet<string> = new Set()): Token[] =>
    [...ids].flatMap((id) => get('TOKEN', id) ?? []).filter(({ revokedAt }) => revokedAt === null);

  function keep(entity: Entity): void {
    entities.set(entityKey(entity.kind, entity.id), entity);
    if (entity.kind !== 'TOKEN') return;
    addTo(tokensBy.scope, entity.scopeKey, entity.id);
    addTo(tokensBy.holder, entity.beoId, entity.id);
  }
  for (const entity of loaded) keep(entity);

  return {
    get,
    granted: (scopeKey) => unrevoked(tokensBy.scope.get(scopeKey)),
    tokensOf: (beoId) => unrevoked(tokensBy.holder.get(beoId)),
    put(entity) {
      const key = entityKey(entity.kind, entity.id);
      const wasRead = entities.has(key) && !added.has(key);
      keep(entity);
      (wasRead ? updated : added).set(key, entity);
    },
    changed: () => ({ added: [...added.values()], updated: [...updated.values()] }),
  };
}

function addTo(groups: Map<string, Set<string>>, key: string, id: string): void {
  const group = groups.get(key) ?? new Set();
  groups.set(key, group.add(id));
}

/** Loads the referenced entities, with one query per kind of reference. */
export async function loadEntities(
  client: Pick<ClientBase, 'query'>,
  references: readonly Reference[],
): Promise<WorkingSet> {
  const scopeKeys = unique(references.flatMap((reference) => ('scopeKey' in reference ? [reference.scopeKey] : [])));
  const holders = unique(references.flatMap((reference) => ('tokensOf' in reference ? [reference.tokensOf] : [])));
  const loaded = await Promise.all([
    ...KINDS.map((kind) => {
      const named = references.flatMap((reference) =>
        'kind' in reference && reference.kind === kind ? [reference.id] : [],
      );
      return load(client, kind, LOAD[kind], unique(named));
    }),
    load(client, 'TOKEN', LOAD_GRANTED, scopeKeys),
    load(client, 'TOKEN', LOAD_TOKENS_OF, holders),
    load(client, 'IEO', LOAD_GRANTEES_OF, holders),
  ]);
  return workingSet(loaded.flat());
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

async function load(
  client: Pick<ClientBase, 'query'>,
  kind: EntityKind,
  statement: Prepared,
  keys: readonly string[],
): Promise<Entity[]> {
  if (keys.length === 0) return [];
  const { rows } = await client.query<Row>({ ...statement, values: [keys] });
  return rows.map((row): Entity => STORES[kind].fromRow(row));
}

const tokenColumns = ['id', ...tokens.columns].join(', ');

const LOAD_GRANTED: Prepared = {
  name: 'load-granted',
  text: `SELECT ${tokenColumns} FROM tokens WHERE scope_key = ANY($1::text[]) AND revoked_at IS NULL`,
};

const LOAD_TOKENS_OF: Prepared = {
  name: 'load-tokens-of',
  text: `SELECT ${tokenColumns} FROM tokens WHERE beo_id = ANY($1::uuid[]) AND revoked_at IS NULL`,
};

const LOAD_GRANTEES_OF: Prepared = {
  name: 'load-grantees-of',
  text: `SELECT id, ${ieos.columns.join(', ')} FROM ieos WHERE id IN
           (SELECT grantee_id FROM tokens WHERE beo_id = ANY($1::uuid[]) AND revoked_at IS NULL)`,
};

/** Inserts or updates entities; one statement per kind. */
export const saveEntities = (entities: readonly Entity[]): readonly Statement[] => written(SAVE, entities);

/** Inserts new entities. The statement fails with unique_violation if an id exists. */
export const addEntities = (entities: readonly Entity[]): readonly Statement[] => written(ADD, entities);

const written = (statements: typeof SAVE, entities: readonly Entity[]): readonly Statement[] =>
  KINDS.flatMap((kind) => {
    const ofKind = entities.filter((entity) => entity.kind === kind);
    if (ofKind.length === 0) return [];
    const toRow = STORES[kind].toRow as (entity: Entity) => Row;
    return { values: [JSON.stringify(ofKind.map(toRow))], ...statements[kind] };
  });
