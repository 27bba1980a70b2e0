import type { Context } from '../context.ts';
import { latestEntries, ledgerState } from '../ledger/read.ts';
import { type Readiness, readiness } from '../rest/readiness.ts';
import { told } from './errors.ts';

const LATEST = 10;
const FRESH_MS = 2_000;
const STALE_MS = 15_000;

/** What the first page watches, in one answer. The ledger is null while the database cannot be read; readiness then says so. */
export async function overview(context: Context) {
  const [ready, ledger, entries] = await Promise.all([
    sharedReadiness(context),
    ledgerState(context).catch(nullIfUnavailable),
    latestEntries(context, LATEST).catch(nullIfUnavailable),
  ]);
  return { readiness: ready, ledger, entries };
}

function nullIfUnavailable(failure: unknown): null {
  if (told(failure).code !== 'UNAVAILABLE') throw failure;
  return null;
}

interface Shared {
  last: { readonly value: Readiness; readonly at: number } | undefined;
  asking: Promise<Readiness> | undefined;
}

const shared = new WeakMap<Context, Shared>();

/** However many people watch, the storage network is asked once in two seconds, and nobody waits for it to answer again. */
async function sharedReadiness(context: Context): Promise<Readiness> {
  const state: Shared = shared.get(context) ?? { last: undefined, asking: undefined };
  shared.set(context, state);
  const age = state.last ? performance.now() - state.last.at : Number.POSITIVE_INFINITY;
  if (state.last && age < FRESH_MS) return state.last.value;
  state.asking ??= ask(context, state);
  if (!state.last || age > STALE_MS) return state.asking;
  state.asking.catch(() => {});
  return state.last.value;
}

async function ask(context: Context, state: Shared): Promise<Readiness> {
  try {
    const value = await readiness(context);
    state.last = { value, at: performance.now() };
    return value;
  } finally {
    state.asking = undefined;
  }
}
