import type { Page } from '../../client/reads.ts';
import type { Token, TokenPage } from '../../client/types.ts';
import { INTENTS, type Intent } from '../../protocol/entities/intents.ts';
import { type Answered, read } from '../_session/send.ts';

/** A consent that is in force. */
export interface Consent {
  readonly tokenId: string;
  /** Null where the grantee has none. */
  readonly domain: string | null;
  readonly intents: readonly Intent[];
  /** Codes, or `["*"]` for all. */
  readonly categories: readonly string[];
  /** ISO 8601. */
  readonly grantedAt: string;
  readonly expiresAt: string | null;
}

const PAGE_SIZE = 200;

/** Every consent of an identity that is in force, newest first; null where a page could not be read. */
export async function activeConsents(domain: string): Promise<Consent[] | null> {
  const found: Consent[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = { limit: PAGE_SIZE, cursor };
    const answer: Answered<TokenPage> = await read((client) => client.getConsentHistory(domain, page));
    if (!answer.ok) return null;
    found.push(...consentsIn(answer.body));
    cursor = answer.body.next_cursor;
  } while (cursor !== null);
  return found;
}

type TokenFacts = Pick<Token, 'token_id' | 'ieo_domain' | 'granted_at' | 'expires_at' | 'status'> & {
  readonly scope: Pick<Token['scope'], 'intents' | 'categories'>;
};

export const consentsIn = ({ tokens }: { readonly tokens: readonly TokenFacts[] }): Consent[] =>
  tokens
    .filter(({ status }) => status === 'ACTIVE')
    .map((token) => ({
      tokenId: token.token_id,
      domain: token.ieo_domain,
      intents: INTENTS.filter((intent) => token.scope.intents.includes(intent)),
      categories: token.scope.categories,
      grantedAt: token.granted_at,
      expiresAt: token.expires_at,
    }));
