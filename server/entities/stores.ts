import type { ClientBase } from 'pg';
import type { Admission, Entity, EntityKind, EntityOf } from '../../protocol/entities/entities.ts';
import { afterRevocation, type RecordedRevocation } from '../../protocol/entities/revocation.ts';
import type { Token } from '../../protocol/entities/token.ts';
import type { Reference } from '../../protocol/operation.ts';
import { MAX_LIVE_TOKENS } from '../../protocol/operations/grant-consent.ts';
import type { Statement } from '../platform/db/statement.ts';
import { ALL } from './settle-revocations.ts';
import { beos } from './stores/beos.ts';
import type { Row, Store } from './stores/entity-store.ts';
import { ieos } from './stores/ieos.ts';
import { names } from './stores/names.ts';
import { proposals } from './stores/proposals.ts';
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

const LOAD = ofEachKind(({ table, view = table, idType, columns }) => ({
  name: `load-${table}`,
  text: `SELECT id, ${columns.join(', ')} FROM ${view} WHERE id = ANY($1::${idType}[])`,
}));

/** A name that was released is not stored any more, but for its digest. */
const LOAD_NAMES: Prepared = {
  name: 'load-names-and-retired',
  text: `${LOAD.NAME.text} UNION ALL SELECT asked.id, NULL, NULL, NULL, '', 0 FROM unnest($1::text[]) AS asked (id)
         JOIN retired_names ON digest = sha256(convert_to(asked.id, 'UTF8'))
         WHERE NOT EXISTS (SELECT FROM names WHERE names.id = asked.id)`,
};

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
export interface WorkingSet extends Admission {
  put(entity: Entity): void;
  /** Ends tokens. @returns the number of those that were put as new ones */
  revoke(revocation: RecordedRevocation): number;
  /** Entities that were put: `added` are new, `updated` were read. The revocations end tokens that are not among them. */
  changed(): {
    readonly added: readonly Entity[];
    readonly updated: readonly Entity[];
    readonly revocations: readonly RecordedRevocation[];
  };
}

/** A unique key across all kinds of entities. */
export const entityKey = (kind: EntityKind, id: string): string => `${kind}:${id}`;

function workingSet(loaded: readonly Entity[], liveBefore: ReadonlyMap<string, number>): WorkingSet {
  const entities = new Map<string, Entity>();
  const tokensByScope = new Map<string, Set<string>>();
  const added = new Map<string, Entity>();
  const updated = new Map<string, Entity>();
  const revocations: RecordedRevocation[] = [];
  const live = new Map(liveBefore);
  const get = <Kind extends EntityKind>(kind: Kind, id: string) =>
    entities.get(entityKey(kind, id)) as EntityOf<Kind> | undefined;
  const unrevoked = (ids: ReadonlySet<string> = new Set()): Token[] =>
    [...ids].flatMap((id) => get('TOKEN', id) ?? []).filter(({ revokedAt }) => revokedAt === null);

  function keep(entity: Entity): void {
    entities.set(entityKey(entity.kind, entity.id), entity);
    if (entity.kind !== 'TOKEN') return;
    const group = tokensByScope.get(entity.scopeKey) ?? new Set();
    tokensByScope.set(entity.scopeKey, group.add(entity.id));
  }
  for (const entity of loaded) keep(entity);

  function countLiveChange(before: Entity | undefined, { beoId, revokedAt }: Token): void {
    const wasLive = before?.kind === 'TOKEN' && before.revokedAt === null;
    live.set(beoId, (live.get(beoId) ?? 0) + Number(revokedAt === null) - Number(wasLive));
  }

  return {
    get,
    granted: (scopeKey) => unrevoked(tokensByScope.get(scopeKey)),
    liveTokens: (beoId) => live.get(beoId) ?? 0,
    put(entity) {
      const key = entityKey(entity.kind, entity.id);
      const wasRead = entities.has(key) && !added.has(key);
      if (entity.kind === 'TOKEN') countLiveChange(entities.get(key), entity);
      keep(entity);
      (wasRead ? updated : added).set(key, entity);
    },
    revoke(revocation) {
      revocations.push(revocation);
      if (revocation.granteeId === undefined && revocation.intent === undefined) live.delete(revocation.beoId);
      let count = 0;
      for (const [key, before] of entities) {
        if (before.kind !== 'TOKEN') continue;
        const after = afterRevocation(before, revocation, get('IEO', before.grantee.id));
        if (after === before) continue;
        entities.set(key, after);
        // A new token is stored as revoked. One that was read is stored as it was before: the revocation covers it.
        if (!added.has(key)) continue;
        added.set(key, after);
        count += 1;
      }
      return count;
    },
    changed: () => ({ added: [...added.values()], updated: [...updated.values()], revocations }),
  };
}

/** Loads the referenced entities, with one query per kind of reference. @param now in ms, for what has expired */
export async function loadEntities(
  client: Pick<ClientBase, 'query'>,
  references: readonly Reference[],
  now: number = Date.now(),
): Promise<WorkingSet> {
  const scopeKeys = unique(references.flatMap((reference) => ('scopeKey' in reference ? [reference.scopeKey] : [])));
  const holders = unique(
    references.flatMap((reference) => ('liveTokensOf' in reference ? [reference.liveTokensOf] : [])),
  );
  const [live, ...loaded] = await Promise.all([
    countLive(client, holders, now),
    ...KINDS.map((kind) => {
      const named = references.flatMap((reference) =>
        'kind' in reference && reference.kind === kind ? [reference.id] : [],
      );
      return load(client, kind, kind === 'NAME' ? LOAD_NAMES : LOAD[kind], unique(named));
    }),
    load(client, 'TOKEN', LOAD_GRANTED, scopeKeys),
  ]);
  return workingSet(loaded.flat(), live);
}

async function countLive(
  client: Pick<ClientBase, 'query'>,
  holders: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  if (holders.length === 0) return new Map();
  const { rows } = await client.query<{ holder: string; live: number }>({
    name: 'count-live-consents',
    // The function is slower than the sum, and only from MAX_LIVE_TOKENS on does it find fewer.
    text: `SELECT holder, CASE WHEN live < $2 THEN live ELSE count_live_consents(holder, $2, $3) END AS live FROM (
        SELECT holder, (SELECT coalesce(sum(live), 0)::bigint FROM live_consents
          WHERE beo_id = holder AND grantee_id = '${ALL}') AS live
        FROM unnest($1::uuid[]) AS asked (holder)) AS counted`,
    values: [holders, MAX_LIVE_TOKENS, new Date(now).toISOString()],
  });
  return new Map(rows.map(({ holder, live }) => [holder, live]));
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
  text: `SELECT ${tokenColumns} FROM effective_tokens
         WHERE scope_key = ANY($1::text[]) AND stored_revoked_at IS NULL AND revoked_at IS NULL`,
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

/** Each returns a row with the number `revoked` of consents that it ended. */
export const revocationStatements = (revocations: readonly RecordedRevocation[]): readonly Statement[] =>
  revocations.map(({ seq, beoId, granteeId = null, intent = null, at }) => ({
    name: 'revoke-consents',
    text: 'SELECT revoke_consents($1, $2, $3, $4, $5) AS revoked',
    values: [seq, beoId, granteeId, intent, at],
  }));
