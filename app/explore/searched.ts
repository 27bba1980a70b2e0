import type { Answers, createCaller } from '../../server/http/trpc/router.ts';
import type { Failure } from '../_trpc/failure.ts';
import type { Settled } from '../_trpc/settled.ts';
import { pageOf } from '../_ui/explore-address.ts';
import { addressOf } from '../_ui/match-address.ts';
import { isId } from '../_ui/reference.ts';

type Found = Answers['search'];

/** What a search leads to: one page, a list of several, nothing, or a failure. */
export type Outcome =
  | { readonly kind: 'page'; readonly href: string }
  | { readonly kind: 'several'; readonly found: Found }
  | { readonly kind: 'none'; readonly missing: Found['missing'] }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The longest text that is searched for; the server has the same limit. */
export const MAX_TYPED = 200;

const isMalformed = (typed: string): boolean => typed.length > MAX_TYPED || /\p{Cc}/u.test(typed);

/** Searches for a typed text. An id, a domain in full and a single match have a page. */
export async function searched(
  call: ReturnType<typeof createCaller>,
  typed: string,
  settle: (answer: Promise<Found>) => Promise<Settled<Found>>,
): Promise<Outcome> {
  if (isMalformed(typed)) return { kind: 'malformed' };
  if (isId(typed)) return { kind: 'page', href: pageOf(typed) };
  const { data, failure } = await settle(call.search({ typed }));
  if (!data) return { kind: 'failed', failure };
  const [first, ...others] = data.matches;
  if (!first) return { kind: 'none', missing: data.missing };
  const isOnly = others.length === 0 && !data.hasMore;
  return isOnly || isDomainOf(first, typed)
    ? { kind: 'page', href: addressOf(first) }
    : { kind: 'several', found: data };
}

/** Whether the text is the domain of a match, with the suffix. */
function isDomainOf(match: Found['matches'][number], typed: string): boolean {
  if (match.kind === 'entry') return false;
  const domain = match.kind === 'institution' ? match.institution.domain : match.domain;
  return domain === typed.toLowerCase();
}
