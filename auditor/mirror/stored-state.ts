import type { ClientBase } from 'pg';
import { kindOf, referencesOf, subjectIds, subjectIn } from '../../protocol/apply.ts';
import type { Beo } from '../../protocol/entities/beo.ts';
import type { Entity, EntityKind, EntityOf } from '../../protocol/entities/entities.ts';
import { hasEnded } from '../../protocol/entities/ieo.ts';
import { ProtocolError } from '../../protocol/errors.ts';
import { BEGIN_EPOCH } from '../../protocol/ledger/epoch.ts';
import type { Reference, SubjectKind } from '../../protocol/operation.ts';
import { type AnyOperation, OPERATIONS } from '../../protocol/operations.ts';
import {
  loadEntities,
  revocationStatements,
  STORES,
  saveEntities,
  type WorkingSet,
} from '../../server/entities/stores.ts';
import type { Statement } from '../../server/platform/db/statement.ts';
import type { CheckedEntry } from '../audit/checked.ts';
import type { LedgerState } from '../audit/ledger-state.ts';

type Db = Pick<ClientBase, 'query'>;

/** The state of a few consecutive entries, with their read set from the database. */
export interface StoredState extends LedgerState {
  /** The statements that store what the entries have changed. */
  writes(): readonly Statement[];
}

const OPERATION_BY_NAME = new Map(OPERATIONS.map((operation) => [operation.name, operation]));

/**
 * Loads the state for as many of the entries as have subjects in the database. An entry can refer to one that the entry before
 * creates: it is left for the next call.
 * @returns the number of entries that the state is for, at least 1
 */
export async function loadState(
  db: Db,
  entries: readonly CheckedEntry[],
): Promise<{ readonly state: StoredState; readonly count: number }> {
  if (entries[0]?.functionName === BEGIN_EPOCH) {
    const open = await loadOpenRecoveries(db);
    return {
      state: stateOf(
        await loadEntities(
          db,
          open.map(({ id }) => ({ kind: 'BEO', id })),
        ),
        new Map(),
        open,
      ),
      count: 1,
    };
  }
  const until = entries.findIndex(({ functionName }) => functionName === BEGIN_EPOCH);
  const considered = until < 0 ? entries : entries.slice(0, until);
  const named = await loadSubjects(db, considered);
  const references: Reference[] = [];
  let count = 0;
  for (const entry of considered) {
    const found = allReferences(entry, named);
    if (!found && count > 0) break;
    references.push(...namedReferences(entry), ...(found ?? []));
    count += 1;
  }
  const [entities, nonces] = await Promise.all([
    loadEntities(db, references),
    loadNonceTimes(db, considered.slice(0, count)),
  ]);
  return { state: stateOf(entities, nonces, []), count };
}

/** The subjects of the entries. Some are found through a member of another one, such as the holder of a consent. */
async function loadSubjects(db: Db, entries: readonly CheckedEntry[]): Promise<WorkingSet> {
  const named = entries.flatMap(namedReferences);
  const first = await loadEntities(db, named);
  const through = entries.flatMap((entry): Reference[] => {
    const operation = operationOf(entry);
    if (!operation || Object.values(operation.subjects).every((subject) => !('of' in subject))) return [];
    try {
      const ids = subjectIds(operation, first, entry);
      return Object.entries(operation.subjects).map(([role, subject]) => ({
        kind: kindOf(subject, (other) => subjectIn(operation, other, ids, first)),
        id: ids[role] ?? '',
      }));
    } catch (error) {
      if (error instanceof ProtocolError) return [];
      throw error;
    }
  });
  return through.length === 0 ? first : loadEntities(db, [...named, ...through.filter(isLoadable)]);
}

const operationOf = ({ operation }: CheckedEntry): AnyOperation | undefined => OPERATION_BY_NAME.get(operation ?? '');

/** The entities whose ids are in the entry. */
function namedReferences(entry: CheckedEntry): Reference[] {
  const operation = operationOf(entry);
  if (!operation) return [];
  const { about, subjects } = operation;
  const own: Reference[] = 'creates' in about ? [{ kind: about.creates, id: entry.entityId }] : [];
  return [
    ...own,
    ...Object.entries(subjects).flatMap(([role, subject]): Reference[] => {
      const id = 'role' in about && about.role === role ? entry.entityId : entry.assigned[role];
      return id === undefined ? [] : [{ kind: subject.kind, id }];
    }),
  ].filter(isLoadable);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An entry can name any text; PostgreSQL accepts only an id, and no text with a zero byte. */
function isLoadable(reference: Reference): boolean {
  // A replay does not ask for it.
  if ('liveTokensOf' in reference) return false;
  if ('scopeKey' in reference) return !reference.scopeKey.includes('\0');
  return STORES[reference.kind].idType === 'uuid' ? UUID.test(reference.id) : !reference.id.includes('\0');
}

/** Everything that the transition may read; null if a subject is not loaded. */
function allReferences(entry: CheckedEntry, entities: WorkingSet): readonly Reference[] | null {
  const operation = operationOf(entry);
  if (!operation) return [];
  try {
    const ids = subjectIds(operation, entities, entry);
    const subjects: Record<string, Entity> = {};
    for (const role of Object.keys(operation.subjects)) {
      const entity = subjectIn(operation, role, ids, entities);
      if (!entity) return null;
      subjects[role] = entity;
    }
    return referencesOf(operation, entry, subjects).filter(isLoadable);
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    // A message that its schema rejected can have any form; the replay reports the entry.
    if (error instanceof TypeError) return [];
    throw error;
  }
}

async function loadNonceTimes(db: Db, entries: readonly CheckedEntry[]): Promise<Map<string, number>> {
  const marks = entries.flatMap(({ nonce }) => nonce ?? []);
  if (marks.length === 0) return new Map();
  const { rows } = await db.query<{ hash: Buffer; seen_at: string }>({
    name: 'mirror-nonces',
    text: 'SELECT hash, seen_at FROM nonces WHERE hash = ANY($1::bytea[])',
    values: [marks.map(bytesOf)],
  });
  return new Map(rows.map(({ hash, seen_at }) => [hash.toString('base64'), Date.parse(seen_at)]));
}

const bytesOf = (mark: string): Buffer => Buffer.from(mark, 'base64');

async function loadOpenRecoveries(db: Db): Promise<Beo[]> {
  const { columns, fromRow } = STORES.BEO;
  const { rows } = await db.query({
    name: 'mirror-open-recoveries',
    text: `SELECT id, ${columns.join(', ')} FROM beos WHERE status <> 'DESTROYED'
      AND recovery @? '$ ? (exists (@.guardians[*] ? (@.status == "PENDING")) || exists (@.requests[*]))'`,
  });
  return rows.map(fromRow);
}

/** The period of protocol §1, measured by the times of acceptance. */
const NONCE_MS = 10 * 60_000;

function stateOf(entities: WorkingSet, nonces: Map<string, number>, open: readonly Beo[]): StoredState {
  let now = 0;
  const newNonces = new Map<string, number>();

  /** What the transitions of an audit see: see createReplayedState. */
  function isLive(entity: Entity): boolean {
    if (entity.kind === 'BEO') return entity.status !== 'DESTROYED';
    if (entity.kind === 'TOKEN') {
      const [holder, grantee] = [entities.get('BEO', entity.beoId), entities.get('IEO', entity.grantee.id)];
      return entity.revokedAt === null && holder?.status !== 'DESTROYED' && !(grantee && hasEnded(grantee));
    }
    if (entity.kind === 'PROPOSAL') return entity.executedAt === null && Date.parse(entity.expiresAt) > now;
    if (entity.kind === 'NAME')
      return entity.holder !== null || !entity.availableAt || Date.parse(entity.availableAt) > now;
    return true;
  }

  function get<Kind extends EntityKind>(kind: Kind, id: string): EntityOf<Kind> | undefined {
    const entity = entities.get(kind, id);
    return entity && isLive(entity) ? entity : undefined;
  }

  return {
    get,
    granted: (scopeKey) => entities.granted(scopeKey).filter(isLive),
    put: entities.put,
    revoke: entities.revoke,
    prune(at) {
      now = Math.max(now, at);
    },
    isTaken: (kind: SubjectKind, id) => entities.get(kind, id) !== undefined,
    isNonceUsed(nonce, at) {
      const last = newNonces.get(nonce) ?? nonces.get(nonce);
      newNonces.set(nonce, at);
      return last !== undefined && at - last < NONCE_MS;
    },
    withOpenRecovery: () => open,
    writes() {
      const { added, updated, revocations } = entities.changed();
      return [
        ...(newNonces.size > 0 ? [saveNonceTimes(newNonces)] : []),
        ...saveEntities(updated),
        ...revocationStatements(revocations),
        ...saveEntities(added),
      ];
    },
  };
}

const saveNonceTimes = (times: ReadonlyMap<string, number>): Statement => ({
  name: 'save-mirror-nonces',
  text: `INSERT INTO nonces (hash, seen_at) SELECT hash, seen_at FROM unnest($1::bytea[], $2::timestamptz[]) AS n (hash, seen_at)
    ON CONFLICT (hash) DO UPDATE SET seen_at = EXCLUDED.seen_at`,
  values: [[...times.keys()].map(bytesOf), [...times.values()].map((at) => new Date(at).toISOString())],
});
