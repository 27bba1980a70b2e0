import { setPageStatus } from '../../server/http/rest/page-status.ts';
import { publicError } from '../../server/http/trpc/trpc-errors.ts';

type Read<State> = State | { readonly state: 'busy' };

const STATUS: Readonly<Record<string, number>> = { open: 200, unknown: 404, locked: 423, busy: 503 };
const GONE = 410;

/** Reads what a link is for and sets the status of its page. `busy`: the database does not answer. */
export async function readLink<State extends { readonly state: string }>(
  reading: Promise<State>,
): Promise<Read<State>> {
  const link = await orBusy(reading);
  setPageStatus(STATUS[link.state] ?? GONE);
  return link;
}

async function orBusy<State>(reading: Promise<State>): Promise<Read<State>> {
  try {
    return await reading;
  } catch (failure) {
    if (publicError(failure).code === 'UNAVAILABLE') return { state: 'busy' };
    throw failure;
  }
}
