import type { Pool } from 'pg';
import type { z } from 'zod';
import type { IeoStatus } from '../../../protocol/entities/ieo.ts';
import { proposalView } from '../../../protocol/entities/proposal.ts';
import type { LedgerStatus } from '../../../protocol/entities/recorded.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { listedProposal, proposalPage } from '../../../protocol/read-responses.ts';
import { type Readers, statusOf } from '../../entities/readers.ts';
import type { Row } from '../../entities/stores/entity-store.ts';
import { ieos } from '../../entities/stores/ieos.ts';
import { proposals } from '../../entities/stores/proposals.ts';
import type { Clock } from '../../platform/db/clock.ts';
import type { Cursors } from '../../platform/db/cursor.ts';
import { available } from '../../platform/db/pool.ts';

interface Parts {
  readonly listPool: Pool;
  readonly clock: Clock;
  readonly cursors: Cursors;
}

export type ListedProposal = z.output<typeof listedProposal>;

const SCOPE = 'proposals';
const COLUMNS = ['id', ...proposals.columns].map((column) => `e.${column}`).join(', ');
const SELECT = `SELECT ${COLUMNS}, ${statusOf('e.seq')} AS ledger_status, i.domain, i.display_name, i.status
  FROM proposals e JOIN ${ieos.table} i ON i.id = e.ieo_id`;

/**
 * The proposals, newest first, each with its institution. All of it is public on the ledger.
 * @throws VALIDATION_FAILED for a cursor of another list
 */
export async function listProposals(
  { listPool, clock, cursors }: Parts,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
): Promise<z.output<typeof proposalPage>> {
  const after = cursor === null ? [] : cursors.open(SCOPE, cursor);
  const { rows } = await available(() =>
    listPool.query<Row>({
      name: `proposals-${after.length > 0 ? 'after' : 'first'}`,
      text: `${SELECT} ${after.length > 0 ? 'WHERE (e.opened_at, e.id) < ($2::timestamptz, $3::uuid)' : ''}
        ORDER BY e.opened_at DESC, e.id DESC LIMIT $1`,
      values: [limit + 1, ...after],
    }),
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    proposals: page.map((row) => listed(row, clock.now())),
    next_cursor:
      rows.length > limit && last ? cursors.seal(SCOPE, [last.opened_at as string, last.id as string]) : null,
  };
}

/**
 * One proposal, by its id or the id of the transaction that opened it.
 * @throws VALIDATION_FAILED, PROPOSAL_NOT_FOUND
 */
export async function readProposal(
  { readers, listPool, clock }: Parts & { readonly readers: Readers },
  reference: string,
): Promise<ListedProposal> {
  const proposal = await readers.PROPOSAL.entity(reference, 'proposalId');
  if (!proposal) throw refusal('PROPOSAL_NOT_FOUND');
  const { rows } = await available(() =>
    listPool.query<Row>({ name: 'proposal-by-id', text: `${SELECT} WHERE e.id = $1`, values: [proposal.id] }),
  );
  const [row] = rows;
  if (!row) throw refusal('PROPOSAL_NOT_FOUND');
  return listed(row, clock.now());
}

const listed = (row: Row, now: number): ListedProposal => ({
  ...proposalView(proposals.fromRow(row), row.ledger_status as LedgerStatus, now),
  institution: {
    ieo_id: row.ieo_id as string,
    domain: row.domain as string,
    display_name: row.display_name as string | null,
    status: row.status as IeoStatus,
  },
});
