import type { Json } from '../../protocol/signing/canonical-json.ts';
import { signOperation } from '../_keys/secret.ts';
import { type Answer, fieldsOf } from '../_session/post.ts';

export interface ApiAnswer {
  readonly answer: Answer;
  /** The server's time of the response, in ms; null without a response. */
  readonly at: number | null;
  /** How long the server asks to wait (`Retry-After`), in ms. */
  readonly wait: number;
}

type Fields = Readonly<Record<string, Json>>;
type Request = { readonly method: 'GET' } | { readonly method: 'DELETE'; readonly body: Fields };

const TIMEOUT_MS = 20_000;
const CLOCK_ERRORS = ['TIMESTAMP_TOO_OLD', 'TIMESTAMP_IN_FUTURE'];

/** Calls the API of this site. Never throws: a failure is in the result. */
export async function callApi(path: string, request: Request = { method: 'GET' }): Promise<ApiAnswer> {
  try {
    const response = await fetch(path, {
      method: request.method,
      headers: { accept: 'application/json', ...('body' in request && { 'content-type': 'application/json' }) },
      ...('body' in request && { body: JSON.stringify(request.body) }),
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = fieldsOf(await response.json().catch(() => null));
    const date = Date.parse(response.headers.get('date') ?? '');
    const at = Number.isNaN(date) ? Date.now() : date;
    const wait = Number(response.headers.get('retry-after') ?? 0) * 1_000 || 0;
    if (response.ok) return { answer: { ok: true, body }, at, wait };
    const code = typeof body.code === 'string' ? body.code : 'INTERNAL';
    const { status } = response;
    return {
      answer: { ok: false, code, status, details: fieldsOf(body.details), clockSkew: Date.now() - at },
      at,
      wait,
    };
  } catch {
    return { answer: { ok: false, code: 'UNREACHABLE', status: 0, details: {}, clockSkew: 0 }, at: null, wait: 0 };
  }
}

/** Withdraws one consent; retries with the server's time where this device's clock is wrong. */
export async function withdrawConsent(seed: Uint8Array, tokenId: string): Promise<Answer> {
  const send = async (clockSkew: number) => {
    const body = await signOperation(seed, 'revokeToken', { tokenId }, { clockSkew });
    return (await callApi(`/api/consent/${encodeURIComponent(tokenId)}`, { method: 'DELETE', body })).answer;
  };
  const answer = await send(0);
  return !answer.ok && CLOCK_ERRORS.includes(answer.code) ? send(answer.clockSkew) : answer;
}
