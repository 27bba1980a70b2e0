import type { Context } from '../context.ts';
import { type Readiness, readiness } from './readiness.ts';

const FRESH_MS = 1_000;
const STALE_MS = 15_000;

interface Shared {
  last: { readonly value: Readiness; readonly at: number } | undefined;
  asking: Promise<Readiness> | undefined;
}

const shared = new WeakMap<Context, Shared>();

/**
 * Readiness at most one second old: the database and the storage network are queried once a second, whatever the number
 * of requests.
 */
export async function sharedReadiness(context: Context): Promise<Readiness> {
  const state = stateOf(context);
  return state.last && ageOf(state.last) < FRESH_MS ? state.last.value : ask(context, state);
}

/**
 * The last known readiness, refreshed in the background, so that pages do not wait for a network that does not respond.
 */
export async function recentReadiness(context: Context): Promise<Readiness> {
  const state = stateOf(context);
  const fresh = sharedReadiness(context);
  if (!state.last || ageOf(state.last) > STALE_MS) return fresh;
  fresh.catch(() => undefined);
  return state.last.value;
}

const ageOf = ({ at }: { readonly at: number }): number => performance.now() - at;

function stateOf(context: Context): Shared {
  const state = shared.get(context) ?? { last: undefined, asking: undefined };
  shared.set(context, state);
  return state;
}

function ask(context: Context, state: Shared): Promise<Readiness> {
  state.asking ??= readiness(context)
    .then((value) => {
      state.last = { value, at: performance.now() };
      return value;
    })
    .finally(() => {
      state.asking = undefined;
    });
  return state.asking;
}
