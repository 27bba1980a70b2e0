import { told } from '../../server/http/trpc/errors.ts';

/** Where a link stands; `busy` where the database does not answer. Other failures are the error page's. */
export async function lookUp<State>(reading: Promise<State>): Promise<State | { readonly state: 'busy' }> {
  try {
    return await reading;
  } catch (failure) {
    if (told(failure).code === 'UNAVAILABLE') return { state: 'busy' };
    throw failure;
  }
}
