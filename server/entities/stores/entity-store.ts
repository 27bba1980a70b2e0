import type { EntityKind, EntityOf } from '../../../protocol/entities/entities.ts';

export type Row = Record<string, unknown>;

/** How entities of one kind are stored: the only place that maps an entity to columns and back. */
export interface Store<Kind extends EntityKind> {
  readonly kind: Kind;
  readonly table: string;
  /** Where entities are read, if not in the table. */
  readonly view?: string;
  readonly idType: 'uuid' | 'text';
  readonly columns: readonly string[];
  toRow(entity: EntityOf<Kind>): Row;
  fromRow(row: Row): EntityOf<Kind>;
}

/** Checks that both directions have every column. Curried, because TypeScript infers either all type arguments of a call or none. */
export const defineStore =
  <Kind extends EntityKind>() =>
  <const Column extends string>(
    store: Omit<Store<Kind>, 'columns' | 'toRow' | 'fromRow'> & {
      readonly columns: readonly Column[];
      toRow(entity: EntityOf<Kind>): Readonly<Record<'id' | NoInfer<Column>, unknown>>;
      fromRow(row: Readonly<Record<'id' | NoInfer<Column>, unknown>>): EntityOf<Kind>;
    },
  ): Store<Kind> =>
    store;
