import { ledgerState } from '../../ledger/read.ts';
import type { Context } from '../context.ts';
import { recentReadiness } from '../rest/shared-readiness.ts';
import { publicError } from './trpc-errors.ts';

/** The ledger in numbers, and the readiness. The ledger is null while the database is unavailable; readiness then reports it. */
export async function overview(context: Context) {
  const [readiness, ledger] = await Promise.all([
    recentReadiness(context),
    ledgerState(context).catch(nullIfUnavailable),
  ]);
  return { readiness, ledger };
}

function nullIfUnavailable(failure: unknown): null {
  if (publicError(failure).code !== 'UNAVAILABLE') throw failure;
  return null;
}
