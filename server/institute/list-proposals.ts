import type { Pool } from 'pg';
import { proposalView } from '../../protocol/entities/proposal.ts';
import type { LedgerStatus } from '../../protocol/entities/recorded.ts';
import type { Clock } from '../clock.ts';
import { available } from '../db/pool.ts';
import { statusOf } from '../entities/readers.ts';
import { ieos } from '../entities/stores/ieos.ts';
import { proposals } from '../entities/stores/proposals.ts';
import type { Row } from '../entities/stores/store.ts';

const COLUMNS = ['id', ...proposals.columns].map((column) => `e.${column}`).join(', ');

export type ListedProposal = Awaited<ReturnType<typeof listProposals>>[number];

/** The newest proposals, each with its institution. All of it is public on the ledger. */
export async function listProposals({ listPool, clock }: { listPool: Pool; clock: Clock }, limit: number) {
  const { rows } = await available(() =>
    listPool.query<Row>({
      name: 'proposals-newest',
      text: `SELECT ${COLUMNS}, ${statusOf('e.seq')} AS ledger_status, i.domain, i.display_name, i.status
        FROM proposals e JOIN ${ieos.table} i ON i.id = e.ieo_id ORDER BY e.opened_at DESC, e.id LIMIT $1`,
      values: [limit],
    }),
  );
  return rows.map((row) => ({
    ...proposalView(proposals.fromRow(row), row.ledger_status as LedgerStatus, clock.now()),
    institution: {
      ieo_id: row.ieo_id as string,
      domain: row.domain as string,
      display_name: row.display_name as string | null,
      status: row.status as string,
    },
  }));
}
