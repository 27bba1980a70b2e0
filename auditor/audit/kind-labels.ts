import type { EntityKind } from '../../protocol/entities/entities.ts';
import type { SubjectKind } from '../../protocol/operation.ts';

/** The kinds of entities in reports, in the singular and the plural. */
export const KIND_LABELS: Readonly<Record<EntityKind, readonly [one: string, many: string]>> = {
  BEO: ['identity', 'identities'],
  IEO: ['institution', 'institutions'],
  TOKEN: ['consent', 'consents'],
  PROPOSAL: ['proposal', 'proposals'],
  NAME: ['name', 'names'],
};

export const SUBJECT_KINDS: readonly SubjectKind[] = ['BEO', 'IEO', 'TOKEN', 'PROPOSAL'];

/** The number of each kind as text, with `before` between the number and the label. */
export const numbered = (kinds: readonly EntityKind[], count: (kind: EntityKind) => number, before = ''): string =>
  kinds.map((kind) => `${count(kind)} ${before}${KIND_LABELS[kind][count(kind) === 1 ? 0 : 1]}`).join(', ');
