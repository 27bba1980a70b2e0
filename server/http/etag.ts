import { hash } from 'node:crypto';
import type { RestResponse } from './http.ts';

/** For content that never changes (RFC 8246). */
export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** A cache may store the content, and must ask before it reuses it. */
export const REVALIDATE = 'no-cache';

/** A strong ETag of what determines a response, quoted. */
export const etagOf = (content: string | Uint8Array): string => `"${hash('sha256', content, 'hex').slice(0, 32)}"`;

/** Whether If-None-Match names an ETag: RFC 9110 §13.1.2. */
export const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) === true;

/** A response with status 200, or 304 if the client has it. Its own Cache-Control counts; otherwise it is revalidated. */
export function revalidated(response: RestResponse, ifNoneMatch: string | undefined): RestResponse {
  if (response.status !== 200) return response;
  const { body } = response;
  const isComplete = typeof body === 'string' || body instanceof Uint8Array;
  const etag = response.headers.etag ?? (isComplete ? etagOf(body) : null);
  if (etag === null) return response;
  const headers = { 'cache-control': REVALIDATE, ...response.headers, etag };
  if (!matches(ifNoneMatch, etag)) return { status: 200, headers, body };
  const { 'content-type': _, ...kept } = headers as Record<string, string>;
  return { status: 304, headers: kept, body: null };
}
