import type { Answers, createCaller } from '../../server/http/trpc/router.ts';
import type { Settled } from '../_trpc/settled.ts';

export const HISTORY_PAGE = 20;
export const CONSENTS_PAGE = 10;

/** The pages of the lists, from the address. */
export interface Pages {
  /** The history is that before this seq; null for the newest entries. */
  readonly before: number | null;
  /** The cursor of the page of consents; null for the newest. */
  readonly consents: string | null;
}

/** What the server read when it rendered the page. */
export interface FirstAnswer {
  readonly pages: Pages;
  readonly explored: Settled<Answers['explore']>;
  readonly history: Settled<Answers['history']> | null;
  readonly consents: Settled<Answers['consents']> | null;
}

type Settle = <Value>(answer: Promise<Value>) => Promise<Settled<Value>>;

/** The queries of the lists, the same in the server and in the browser. One more entry shows whether a page follows. */
export const historyQuery = (entityId: string, { before }: Pages) => ({ entityId, limit: HISTORY_PAGE + 1, before });
export const consentsQuery = (reference: string, { consents: cursor }: Pages) => ({
  reference,
  limit: CONSENTS_PAGE,
  cursor,
});

/** Reads the entity with its history, and the consents of an identity. */
export async function firstAnswer(
  call: ReturnType<typeof createCaller>,
  reference: string,
  pages: Pages,
  settle: Settle,
): Promise<FirstAnswer> {
  const explored = await settle(call.explore({ reference }));
  const found = explored.data?.found;
  const id = found ? entityIdOf(found) : null;
  if (id === null) return { pages, explored, history: null, consents: null };
  const [history, consents] = await Promise.all([
    settle(call.history(historyQuery(id, pages))),
    found?.kind === 'identity' ? settle(call.consents(consentsQuery(id, pages))) : null,
  ]);
  return { pages, explored, history, consents };
}

type Explored = Answers['explore']['found'];

/** The id of an entity that has a history on the ledger. */
export function entityIdOf(explored: Explored): string | null {
  if (explored.kind === 'identity') return explored.identity.beo_id;
  if (explored.kind === 'institution') return explored.institution.ieo_id;
  if (explored.kind === 'proposal') return explored.proposal.proposal_id;
  return explored.kind === 'consent' ? explored.consent.token.token_id : null;
}
