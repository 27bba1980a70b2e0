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
