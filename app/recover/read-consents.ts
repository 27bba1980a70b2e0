import { INTENTS, type Intent } from '../../protocol/entities/intents.ts';
import { type Answer, fieldsOf } from '../_session/post.ts';
import { callApi } from './call-api.ts';

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
    const query: URLSearchParams = new URLSearchParams({ limit: String(PAGE_SIZE), ...(cursor && { cursor }) });
    const { answer } = await callApi(`/api/consent/history/${encodeURIComponent(domain)}?${query}`);
    if (!answer.ok) return null;
    found.push(...consentsIn(answer));
    cursor = typeof answer.body.next_cursor === 'string' ? answer.body.next_cursor : null;
  } while (cursor !== null);
  return found;
}

export function consentsIn({ body }: Extract<Answer, { ok: true }>): Consent[] {
  const tokens = Array.isArray(body.tokens) ? body.tokens : [];
  return tokens.map(fieldsOf).flatMap((token) => {
    const { token_id: tokenId, ieo_domain, granted_at, expires_at, status } = token;
    if (status !== 'ACTIVE' || typeof tokenId !== 'string') return [];
    const scope = fieldsOf(token.scope);
    return [
      {
        tokenId,
        domain: typeof ieo_domain === 'string' ? ieo_domain : null,
        intents: INTENTS.filter((intent) => textsIn(scope.intents).includes(intent)),
        categories: textsIn(scope.categories),
        grantedAt: String(granted_at),
        expiresAt: typeof expires_at === 'string' ? expires_at : null,
      },
    ];
  });
}

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
