import type { ClientBase } from 'pg';
import { type ProtocolError, refusal } from '../../protocol/errors.ts';
import type { Head } from '../ledger/head.ts';
import type { Statement } from '../platform/db/statement.ts';
import type { Batch } from './batch.ts';
import { type PlugIn, stateOf } from './plug-in.ts';
import type { Reserve, Submission } from './submission.ts';

/** Operations a day (UTC) that an identity, each of its guardians, and the institute about it may order beyond the budget. */
export const RESERVED_PER_DAY = 20;

interface BudgetParts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether the backlog is at its bound: without that, nothing is beyond the budget. */
  readonly isTight: () => boolean;
  /** Whether operations after this head are beyond the operator's budget. */
  readonly isOver: (head: Head) => boolean;
}

interface Used extends Reserve {
  uses: number;
  /** Of `uses`, those of this batch. */
  added: number;
}

interface BudgetState {
  /** By `nameOf`: the uses of today, including those of this batch. */
  readonly used: Map<string, Used>;
  readonly changed: Set<Used>;
}

/**
 * Refuses operations beyond the operator's budget. Those that only take rights away or recover an identity are accepted from
 * a reserve that each identity has for itself, so that no stranger can use it up. Protocol §6.
 */
export function createBudgetPlugIn({ now, isTight, isOver }: BudgetParts): PlugIn<never, BudgetState> {
  const plugIn: PlugIn<never, BudgetState> = {
    async load(client, submissions) {
      const reserves = submissions.flatMap(({ reserve }) => reserve ?? []);
      const used = new Map<string, Used>();
      if (reserves.length > 0 && isTight()) {
        const { rows } = await client.query<{ entity_id: string; by: string; uses: number }>({
          name: 'load-reserve-uses',
          text: `SELECT entity_id, by, uses FROM reserve_uses
                 WHERE day = $1::date AND entity_id = ANY($2::uuid[])`,
          values: [new Date(now()).toISOString().slice(0, 10), reserves.map(({ identityId }) => identityId)],
        });
        for (const { entity_id, by, uses } of rows) {
          const row = { identityId: entity_id, by, uses, added: 0 };
          used.set(nameOf(row), row);
        }
      }
      return { used, changed: new Set() };
    },

    check(batch, { reserve }) {
      if (!isOver(batch.head)) return;
      if (reserve === null) throw overBudget();
      if (usesOf(batch, reserve) >= RESERVED_PER_DAY) throw reserveUsedUp();
    },

    apply(batch, { reserve }: Submission) {
      if (reserve === null || !isOver(batch.head)) return;
      const { used, changed } = stateOf(plugIn, batch);
      const row = used.get(nameOf(reserve)) ?? { ...reserve, uses: 0, added: 0 };
      row.uses += 1;
      row.added += 1;
      used.set(nameOf(reserve), row);
      changed.add(row);
    },

    write(batch) {
      const { changed } = stateOf(plugIn, batch);
      return changed.size > 0 ? [saveUses(batch, [...changed])] : [];
    },
  };

  const usesOf = (batch: Batch, reserve: Reserve): number =>
    stateOf(plugIn, batch).used.get(nameOf(reserve))?.uses ?? 0;

  return plugIn;
}

/** Deletes the uses of earlier days. */
export async function deleteOldUses(db: Pick<ClientBase, 'query'>, now: number): Promise<void> {
  const text = 'DELETE FROM reserve_uses WHERE day < $1::date';
  await db.query({ name: 'delete-reserve-uses', text, values: [new Date(now).toISOString().slice(0, 10)] });
}

const nameOf = ({ identityId, by }: Reserve): string => `${identityId} ${by}`;

const overBudget = (): ProtocolError =>
  refusal('UNAVAILABLE', 'The network budget for today is used up and the backlog is full; try again later.');

const reserveUsedUp = (): ProtocolError =>
  refusal(
    'UNAVAILABLE',
    `The network budget for today is used up, and so are the ${RESERVED_PER_DAY} operations a day that may still be sent for this identity or institution; try again after midnight UTC.`,
  );

const saveUses = ({ at }: Batch, used: readonly Used[]): Statement => ({
  name: 'save-reserve-uses',
  text: `INSERT INTO reserve_uses (day, entity_id, by, uses)
         SELECT $1::date, * FROM unnest($2::uuid[], $3::text[], $4::int[])
         ON CONFLICT (day, entity_id, by) DO UPDATE SET uses = reserve_uses.uses + EXCLUDED.uses`,
  values: [
    at.slice(0, 10),
    used.map(({ identityId }) => identityId),
    used.map(({ by }) => by),
    used.map(({ added }) => added),
  ],
});
