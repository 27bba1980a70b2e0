import { nameEntries } from '../../features/read/name-entries.ts';
import { latestEntries, ledgerState } from '../../ledger/read.ts';
import type { Context } from '../context.ts';
import { recentReadiness } from '../rest/shared-readiness.ts';
import { publicError } from './trpc-errors.ts';

const LATEST = 10;

/** The data of the home page. The ledger is null while the database is unavailable; readiness then reports it. */
export async function overview(context: Context) {
  const [ready, ledger, entries] = await Promise.all([
    recentReadiness(context),
    ledgerState(context).catch(nullIfUnavailable),
    latestEntries(context, LATEST)
      .then((latest) => nameEntries(context, latest))
      .catch(nullIfUnavailable),
  ]);
  return { readiness: ready, ledger, entries };
}

function nullIfUnavailable(failure: unknown): null {
  if (publicError(failure).code !== 'UNAVAILABLE') throw failure;
  return null;
}
