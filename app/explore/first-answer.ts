import type { Answers, createCaller } from '../../server/http/trpc/router.ts';
import type { Settled } from '../_trpc/settled.ts';

export const HISTORY_PAGE = 20;
export const CONSENTS_PAGE = 10;

/** What the server had in hand when it rendered the page about something. */
export interface FirstAnswer {
  readonly explored: Settled<Answers['explore']>;
  readonly history: Settled<Answers['history']> | null;
  readonly consents: Settled<Answers['consents']> | null;
}

type Settle = <Value>(answer: Promise<Value>) => Promise<Settled<Value>>;

/** Looks it up, and what belongs to it: the history of an entity, the consents of an identity. */
export async function firstAnswer(
  call: ReturnType<typeof createCaller>,
  reference: string,
  settle: Settle,
): Promise<FirstAnswer> {
  const explored = await settle(call.explore({ reference }));
  const found = explored.data?.found;
  const id = found ? entityIdOf(found) : null;
  if (id === null) return { explored, history: null, consents: null };
  const [history, consents] = await Promise.all([
    settle(call.history({ entityId: id, limit: HISTORY_PAGE })),
    found?.kind === 'identity' ? settle(call.consents({ reference: id, limit: CONSENTS_PAGE })) : null,
  ]);
  return { explored, history, consents };
}

type Explored = Answers['explore']['found'];

/** The id under which the ledger keeps something that has a history. */
export function entityIdOf(explored: Explored): string | null {
  if (explored.kind === 'identity') return explored.identity.beo_id;
  if (explored.kind === 'institution') return explored.institution.ieo_id;
  if (explored.kind === 'proposal') return explored.proposal.proposal_id;
  return explored.kind === 'consent' ? explored.consent.token.token_id : null;
}
