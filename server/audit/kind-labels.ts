import type { EntityKind } from '../../protocol/entities/entities.ts';
import type { SubjectKind } from '../../protocol/operation.ts';

/** What a person calls the kinds of entities: one, and many. */
export const KIND_LABELS: Readonly<Record<EntityKind, readonly [one: string, many: string]>> = {
  BEO: ['identity', 'identities'],
  IEO: ['institution', 'institutions'],
  TOKEN: ['consent', 'consents'],
  PROPOSAL: ['proposal', 'proposals'],
  NAME: ['name', 'names'],
};

export const SUBJECT_KINDS: readonly SubjectKind[] = ['BEO', 'IEO', 'TOKEN', 'PROPOSAL'];

/** How many of each kind, in words; `before` stands between the number and the noun. */
export const numbered = (kinds: readonly EntityKind[], count: (kind: EntityKind) => number, before = ''): string =>
  kinds.map((kind) => `${count(kind)} ${before}${KIND_LABELS[kind][count(kind) === 1 ? 0 : 1]}`).join(', ');
