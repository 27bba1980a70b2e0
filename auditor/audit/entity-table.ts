import { hash } from 'node:crypto';
import type { Entity, EntityKind, EntityOf } from '../../protocol/entities/entities.ts';
import type { Row, StateFile, Value } from './audit-state-file.ts';
import type { KeyFilter } from './key-filter.ts';

/** The entities of a kind that have not ended. */
export interface LiveEntities<Of extends Entity> {
  readonly size: number;
  get(id: string): Of | undefined;
  has(id: string): boolean;
  /** In the order in which they were created; read in pages, so that the entities may change meanwhile. */
  values(): Iterable<Of>;
  /** Those that changed last, the newest first. */
  newest(count: number): readonly Of[];
  random(count: number): readonly Of[];
}

/** One table of a state file. Ended entities that are still needed stay in it, but are not live. */
export interface EntityTable<Kind extends EntityKind> {
  readonly live: LiveEntities<EntityOf<Kind>>;
  /** Live or ended. */
  get(id: string): EntityOf<Kind> | undefined;
  put(entity: EntityOf<Kind>): void;
  /** The entity stays, but is not live any more. */
  end(entity: EntityOf<Kind>): void;
  delete(id: string): void;
  /** The live entities with this value in an indexed column. */
  where(column: string, value: Value): readonly EntityOf<Kind>[];
  /** The same in pages, so that the entities may end meanwhile. */
  eachWhere(column: string, value: Value): Iterable<EntityOf<Kind>>;
  /** The live entities with at most this value in an indexed column, the smallest first. */
  upTo(column: string, value: number): readonly EntityOf<Kind>[];
  /** The smallest value in an indexed column of a live entity, or infinity. */
  least(column: string): number;
}

/** The indexed columns of a kind, each with the value of an entity; null is not indexed. */
export type Columns<Kind extends EntityKind> = Readonly<Record<string, (entity: EntityOf<Kind>) => Value>>;

const PAGE = 256;
/** Entities, or ids without one, that are kept in memory after they were used. One entry asks for each of its several times. */
const MOST_CACHED = 2_000;

/** Where an id is stored; `entity` is null if there is no entity with this id. */
interface Place<Kind extends EntityKind> {
  readonly key: number;
  readonly row: number;
  readonly live: boolean;
  readonly entity: EntityOf<Kind> | null;
}

/**
 * 48 bits of a hash, which an index of integers holds in a third of the space of the id. Entities with the same ones are
 * distinguished by what is stored.
 */
export const shortKey = (text: string): number => hash('sha256', text, 'buffer').readUIntBE(0, 6);

/** As bytes, which the library copies faster than text. */
const storedForm = (entity: Entity): Uint8Array => Buffer.from(JSON.stringify(entity));

const parseStored = (stored: Value | undefined): unknown => JSON.parse(Buffer.from(stored as Uint8Array).toString());

/** @param keys the keys of all tables of the file */
export function createEntityTable<Kind extends EntityKind>(
  { file, keys }: { readonly file: StateFile; readonly keys: KeyFilter },
  kind: Kind,
  columns: Columns<Kind>,
): EntityTable<Kind> {
  const table = kind.toLowerCase();
  const names = Object.keys(columns);
  file
    .query(
      `CREATE TABLE IF NOT EXISTS ${table} (row INTEGER PRIMARY KEY, key INTEGER NOT NULL, live INTEGER NOT NULL,
       seq INTEGER NOT NULL, entity BLOB NOT NULL${names.map((name) => `, ${name} INTEGER`).join('')})`,
    )
    .run();
  file.query(`CREATE INDEX IF NOT EXISTS ${table}_key ON ${table} (key)`).run();
  for (const name of names) {
    const indexed = `live AND ${name} IS NOT NULL`;
    file.query(`CREATE INDEX IF NOT EXISTS ${table}_${name} ON ${table} (${name}) WHERE ${indexed}`).run();
  }
  const ofEach = (sql: (name: string) => string) => new Map(names.map((name) => [name, file.query(sql(name))]));
  const select = `SELECT row, live, entity FROM ${table}`;
  const find = file.query(`${select} WHERE key = ?`);
  const page = file.query(`${select} WHERE row > ? AND live ORDER BY row LIMIT ${PAGE}`);
  const newest = file.query(`${select} WHERE live ORDER BY seq DESC LIMIT ?`);
  const random = file.query(`${select} WHERE row IN (SELECT row FROM ${table} WHERE live ORDER BY random() LIMIT ?)`);
  const where = ofEach((name) => `${select} WHERE live AND ${name} = ? ORDER BY row`);
  const pageWhere = ofEach((name) => `${select} WHERE live AND ${name} = ? AND row > ? ORDER BY row LIMIT ${PAGE}`);
  const upTo = ofEach((name) => `${select} WHERE live AND ${name} <= ? ORDER BY ${name}, row`);
  const least = ofEach((name) => `SELECT min(${name}) AS least FROM ${table} WHERE live AND ${name} IS NOT NULL`);
  const insert = file.query(
    `INSERT INTO ${table} (live, seq, entity${names.map((name) => `, ${name}`).join('')}, key)
     VALUES (?, ?, ?${', ?'.repeat(names.length)}, ?)`,
  );
  const update = file.query(
    `UPDATE ${table} SET live = ?, seq = ?, entity = ?${names.map((name) => `, ${name} = ?`).join('')} WHERE row = ?`,
  );
  const remove = file.query(`DELETE FROM ${table} WHERE row = ?`);
  const cache = new Map<string, Place<Kind>>();
  for (const { key } of file.query(`SELECT key FROM ${table}`).each()) keys.add(Number(key));
  let size = Number(file.query(`SELECT count(*) AS live FROM ${table} WHERE live`).all()[0]?.live);

  const entitiesOf = (rows: readonly Row[] = []) => rows.map(({ entity }) => parseStored(entity) as EntityOf<Kind>);

  function placeOf(id: string): Place<Kind> {
    const cached = cache.get(id);
    if (cached) return cached;
    const key = shortKey(id);
    for (const { row, live, entity } of keys.has(key) ? find.all(key) : []) {
      const stored = parseStored(entity) as EntityOf<Kind>;
      if (stored.id === id) return keep(id, { key, row: Number(row), live: live === 1, entity: stored });
    }
    return keep(id, { key, row: 0, live: false, entity: null });
  }

  function keep(id: string, place: Place<Kind>): Place<Kind> {
    // A Map is ordered by insertion: the first id is the one that was set first.
    if (cache.size >= MOST_CACHED) cache.delete(cache.keys().next().value ?? '');
    cache.set(id, place);
    return place;
  }

  function set(entity: EntityOf<Kind>, live: boolean): void {
    const before = placeOf(entity.id);
    const { key } = before;
    let { row } = before;
    const values = [
      ...[live ? 1 : 0, entity.seq, storedForm(entity)],
      ...Object.values(columns).map((column) => column(entity)),
    ];
    if (before.entity) update.run(...values, row);
    else {
      keys.add(key);
      row = insert.run(...values, key).lastRow;
    }
    size += Number(live) - Number(before.live);
    keep(entity.id, { key, row, live, entity });
  }

  return {
    live: {
      get size() {
        return size;
      },
      get(id) {
        const { live, entity } = placeOf(id);
        return live && entity ? entity : undefined;
      },
      has: (id) => placeOf(id).live,
      *values() {
        for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.row ?? 0)) yield* entitiesOf(rows);
      },
      newest: (count) => entitiesOf(newest.all(count)),
      random: (count) => entitiesOf(random.all(count)),
    },
    get: (id) => placeOf(id).entity ?? undefined,
    put: (entity) => set(entity, true),
    end: (entity) => set(entity, false),
    delete(id) {
      const { key, row, live, entity } = placeOf(id);
      if (!entity) return;
      remove.run(row);
      size -= Number(live);
      keep(id, { key, row: 0, live: false, entity: null });
    },
    where: (column, value) => entitiesOf(where.get(column)?.all(value)),
    *eachWhere(column, value) {
      const query = pageWhere.get(column);
      for (let rows = query?.all(value, 0) ?? []; rows.length > 0; ) {
        yield* entitiesOf(rows);
        rows = query?.all(value, rows.at(-1)?.row ?? 0) ?? [];
      }
    },
    upTo: (column, value) => entitiesOf(upTo.get(column)?.all(value)),
    least: (column) => Number(least.get(column)?.all()[0]?.least ?? Number.POSITIVE_INFINITY),
  };
}
