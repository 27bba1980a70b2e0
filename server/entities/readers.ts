import type { Pool } from 'pg';
import { domainSyntaxProblem, normalDomain } from '../../protocol/domains.ts';
import type { EntityOf } from '../../protocol/entities/entities.ts';
import type { LedgerStatus } from '../../protocol/entities/recorded.ts';
import { refusal } from '../../protocol/errors.ts';
import { isTokenId, isTransactionId, isUuid } from '../../protocol/ids.ts';
import type { SubjectKind } from '../../protocol/operation.ts';
import { OPERATIONS } from '../../protocol/operations.ts';
import { available } from '../platform/db/pool.ts';
import { createBatcher } from '../platform/db/statement-batch.ts';
import type { Row } from './stores/entity-store.ts';
import { STORES } from './stores.ts';

/** An accepted entity, and the ledger status of its latest operation. */
export interface EntityRead<Kind extends SubjectKind> {
  readonly entity: EntityOf<Kind>;
  readonly status: LedgerStatus;
}

export interface EntityReader<Kind extends SubjectKind> {
  /**
   * By id, by the id of the creating transaction, or by domain if the kind has one (the alias rule, protocol §2).
   * @param path of the reference in the request
   * @throws VALIDATION_FAILED for any other text
   */
  byReference(reference: string, path: string): Promise<EntityRead<Kind> | null>;
  /** The same without the ledger status, for writes. */
  entity(reference: string, path: string): Promise<EntityOf<Kind> | null>;
  /** @throws DOMAIN_INVALID for a text that cannot be a domain. */
  byDomain(domain: string): Promise<EntityRead<Kind> | null>;
}

export type Readers = { readonly [Kind in SubjectKind]: EntityReader<Kind> };

/** The ledger status of the operation with a seq, as a SQL expression. */
export const statusOf = (seq: string): string =>
  `coalesce((SELECT CASE WHEN bundle.last_seq >= ${seq} AND bundle.status <> 'PREPARED' THEN bundle.status END
     FROM bundles bundle WHERE bundle.first_seq <= ${seq} ORDER BY bundle.first_seq DESC LIMIT 1), 'ACCEPTED')`;

/** The functions that create an entity of a kind, as a SQL list. */
const creatorsOf = (kind: SubjectKind): string =>
  OPERATIONS.filter(({ about }) => 'creates' in about && about.creates === kind)
    .map((operation) => `'${operation.function}'`)
    .join(', ');

export function createReaders(pool: Pool, suffix: string): Readers {
  return {
    BEO: createReader(pool, suffix, 'BEO'),
    IEO: createReader(pool, suffix, 'IEO'),
    TOKEN: createReader(pool, suffix, 'TOKEN'),
    PROPOSAL: createReader(pool, suffix, 'PROPOSAL'),
  };
}

function createReader<Kind extends SubjectKind>(pool: Pool, suffix: string, kind: Kind): EntityReader<Kind> {
  const { table, columns, fromRow } = STORES[kind];
  const entityOf = (row: Row) => fromRow(row) as EntityOf<Kind>;
  const list = ['id', ...columns].map((column) => `e.${column}`).join(', ');
  const alone = lookups(pool, kind, table, list, entityOf);
  const withStatus = lookups(
    pool,
    kind,
    `${table}-with-status`,
    `${list}, ${statusOf('e.seq')} AS ledger_status`,
    (row) => ({
      entity: entityOf(row),
      status: row.ledger_status as LedgerStatus,
    }),
  );

  async function byReference<Value>(lookUp: LookUps<Value>, reference: string, path: string): Promise<Value | null> {
    if (isId(kind, reference)) return lookUp('id', reference.toLowerCase());
    if (isTransactionId(reference)) return lookUp('transaction', reference);
    if (hasDomain(kind) && !domainSyntaxProblem(reference, suffix)) return lookUp('domain', normalDomain(reference));
    const forms = formsOf(kind);
    throw refusal('VALIDATION_FAILED', `The id must be ${forms}.`, { issues: [{ path, message: `must be ${forms}` }] });
  }

  return {
    byReference: (reference, path) => byReference(withStatus, reference, path),
    entity: (reference, path) => byReference(alone, reference, path),
    async byDomain(domain) {
      const problem = domainSyntaxProblem(domain, suffix);
      if (problem) throw problem;
      return withStatus('domain', normalDomain(domain));
    },
  };
}

type LookUps<Value> = (by: 'id' | 'domain' | 'transaction', key: string) => Promise<Value | null>;

/** Batched lookups by each form of a reference. */
function lookups<Value>(
  pool: Pool,
  kind: SubjectKind,
  name: string,
  selected: string,
  read: (row: Row) => Value,
): LookUps<Value> {
  const { table, view = table, idType } = STORES[kind];
  const batched = (by: string, joins: string) =>
    createBatcher<Value>(async (keys) => {
      const text = `SELECT asked.key, ${selected} FROM unnest($1::text[]) AS asked (key) ${joins}`;
      const { rows } = await pool.query<Row>({ name: `${name}-by-${by}`, text, values: [keys] });
      return new Map(rows.map((row) => [row.key as string, read(row)]));
    });
  const by = {
    id: batched('id', `JOIN ${view} e ON e.id = asked.key::${idType}`),
    domain: batched(
      'domain',
      `JOIN names n ON n.id = asked.key AND n.holder_kind = '${kind}' JOIN ${view} e ON e.id = n.holder_id`,
    ),
    transaction: batched(
      'transaction',
      `JOIN ledger_entries entry ON entry.id = asked.key AND entry.function IN (${creatorsOf(kind)})
       JOIN ${view} e ON e.id = entry.entity_id::${idType}`,
    ),
  };
  return (which, key) => available(async () => (await by[which](key)) ?? null);
}

const hasDomain = (kind: SubjectKind): boolean => kind === 'BEO' || kind === 'IEO';

const isId = (kind: SubjectKind, text: string): boolean => (kind === 'TOKEN' ? isTokenId(text) : isUuid(text));

function formsOf(kind: SubjectKind): string {
  if (kind === 'TOKEN') return 'tok_ and a UUID, or a transaction id';
  return hasDomain(kind) ? 'a UUID, a transaction id, or a domain' : 'a UUID or a transaction id';
}
