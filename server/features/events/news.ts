import type { ClientBase } from 'pg';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { functionsOf, operationsYielding } from './functions.ts';
import { advanceHorizon, type Horizon, horizonAt, readHorizon } from './horizon.ts';

type Db = Pick<ClientBase, 'query'>;

/** Materialized, so that only ids of the right kind are cast: PostgreSQL may otherwise join before it filters by function. */
const entriesOf = (parameter: string): string =>
  `MATERIALIZED (SELECT e.seq, e.accepted_at, e.entity_id FROM unnest(${parameter}::text[]) AS wanted (name)
     JOIN ledger_entries e ON e.function = wanted.name AND e.seq > $1 AND e.seq <= $2)`;

/** Every institution that an entry may concern. */
const CONCERNED = `
  WITH of_tokens AS ${entriesOf('$3')}, of_beos AS ${entriesOf('$4')},
    of_ieos AS ${entriesOf('$5')}, of_proposals AS ${entriesOf('$6')}
  SELECT t.grantee_id AS id FROM of_tokens e JOIN tokens t ON t.id = e.entity_id
  UNION SELECT t.grantee_id FROM of_beos e JOIN tokens t ON t.beo_id = e.entity_id::uuid
    AND t.created_seq < e.seq AND (t.revoked_at IS NULL OR t.seq >= e.seq)
    AND (t.expires_at IS NULL OR t.expires_at > e.accepted_at)
  UNION SELECT entity_id::uuid FROM of_ieos
  UNION SELECT p.ieo_id FROM of_proposals e JOIN proposals p ON p.id = e.entity_id::uuid
  UNION SELECT concerned.id FROM records r CROSS JOIN LATERAL
      (SELECT r.ieo_id AS id UNION ALL SELECT t.grantee_id FROM tokens t WHERE t.beo_id = r.owner_id AND t.created_seq < r.superseded_seq
         AND (t.revoked_at IS NULL OR t.seq >= r.superseded_seq)) concerned
    WHERE r.superseded_seq > $1 AND r.superseded_seq <= $2`;

const isNotOfRecords = (type: string): boolean => type !== 'records.superseded';
const FUNCTIONS = (['TOKEN', 'BEO', 'IEO', 'PROPOSAL'] as const).map((kind) =>
  functionsOf(operationsYielding(kind, isNotOfRecords)),
);

/**
 * The institutions with a webhook_url that an entry after `afterSeq`, up to `untilSeq`, may concern. Some may turn out
 * to have no event: a first confirmation of a recovery, for example.
 */
export async function institutionsWithNews(db: Db, afterSeq: number, untilSeq: number): Promise<readonly string[]> {
  if (untilSeq <= afterSeq) return [];
  const { rows } = await db.query<{ id: string }>({
    name: 'institutions-with-news',
    text: `WITH concerned AS (${CONCERNED})
      SELECT i.id FROM concerned JOIN ieos i ON i.id = concerned.id WHERE i.contacts ->> 'webhookUrl' IS NOT NULL`,
    values: [afterSeq, untilSeq, ...FUNCTIONS],
  });
  return rows.map(({ id }) => id);
}

/** The SQL for those with a consent which expired after `after`, up to `until`. */
export const WITH_EXPIRIES = (after: string, until: string): string =>
  `SELECT i.id FROM ieos i WHERE i.contacts ->> 'webhookUrl' IS NOT NULL AND EXISTS
     (SELECT FROM tokens t WHERE t.grantee_kind = 'IEO' AND t.grantee_id = i.id
        AND t.expires_at > ${after}::timestamptz AND t.expires_at <= ${until}::timestamptz)`;

/** The institutions with a webhook_url that have a consent which expired after `after`, up to `until`. */
export async function institutionsWithExpiries(db: Db, after: Instant, until: Instant): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'institutions-with-expiries',
    text: WITH_EXPIRIES('$1', '$2'),
    values: [after, until],
  });
  return rows.map(({ id }) => id);
}

/** Entries of one step, so that it stays short where many accumulated while no process searched. */
const MAX_ENTRIES = 20_000;

/** The institutions with a webhook_url that may have events after `since`, and the horizon up to which they are known. */
export interface News {
  readonly institutions: readonly string[];
  readonly horizon: Horizon | null;
}

/**
 * One step of a loop that follows the ledger; the next step begins at the horizon of this one.
 * @param now milliseconds since 1970
 */
export async function readNews(db: Db, since: Horizon, now: number): Promise<News> {
  const settled = (await readHorizon(db)) ?? since;
  if ((await institutionsWithExpiries(db, settled.at, new Date(now).toISOString())).length > 0)
    await advanceHorizon(db, now);
  const head = await readHorizon(db);
  if (head === null) return { institutions: [], horizon: null };
  const horizon = head.seq - since.seq > MAX_ENTRIES ? await horizonAt(db, since.seq + MAX_ENTRIES) : head;
  const [withEntries, withExpiries] = [
    await institutionsWithNews(db, since.seq, horizon.seq),
    await institutionsWithExpiries(db, since.at, horizon.at),
  ];
  return { institutions: [...new Set([...withEntries, ...withExpiries])], horizon };
}
