import type { Answers } from '../../server/http/trpc/router.ts';
import { pageOf } from './explore-address.ts';

/** The page of a match. That of a destroyed identity's domain says so, and links to the identity. */
export function addressOf(match: Answers['search']['matches'][number]): string {
  if (match.kind === 'institution') return pageOf(match.institution.domain);
  return pageOf(match.kind === 'entry' ? match.id : match.domain);
}
