import type { Answers, createCaller } from '../../server/http/trpc/router.ts';
import type { Settled } from '../_trpc/settled.ts';

export const HISTORY_PAGE = 20;
export const CONSENTS_PAGE = 10;

/** What the server read when it rendered the page. */
export interface FirstAnswer {
  readonly explored: Settled<Answers['explore']>;
  readonly history: Settled<Answers['history']> | null;
  readonly consents: Settled<Answers['consents']> | null;
}

type Settle = <Value>(answer: Promise<Value>) => Promise<Settled<Value>>;

/** Reads the entity with its history, and the consents of an identity. */
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

/** The id of an entity that has a history on the ledger. */
export function entityIdOf(explored: Explored): string | null {
  if (explored.kind === 'identity') return explored.identity.beo_id;
  if (explored.kind === 'institution') return explored.institution.ieo_id;
  if (explored.kind === 'proposal') return explored.proposal.proposal_id;
  return explored.kind === 'consent' ? explored.consent.token.token_id : null;
}
