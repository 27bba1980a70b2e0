import type { Json } from '../../protocol/canonical-json.ts';
import { signOperation } from '../_keys/secret.ts';
import { type Answer, fieldsOf } from '../_session/post.ts';

export interface Asked {
  readonly answer: Answer;
  /** The server's time when it answered, in ms; null where no answer came. */
  readonly at: number | null;
  /** What the server asks to wait, in ms. */
  readonly wait: number;
}

type Fields = Readonly<Record<string, Json>>;
type Request = { readonly method: 'GET' } | { readonly method: 'DELETE'; readonly body: Fields };

const PATIENCE_MS = 20_000;
const CLOCK_IS_WRONG = ['TIMESTAMP_TOO_OLD', 'TIMESTAMP_IN_FUTURE'];

/** Asks the API of this site. Never throws: what went wrong is in the answer. */
export async function ask(path: string, request: Request = { method: 'GET' }): Promise<Asked> {
  try {
    const response = await fetch(path, {
      method: request.method,
      headers: { accept: 'application/json', ...('body' in request && { 'content-type': 'application/json' }) },
      ...('body' in request && { body: JSON.stringify(request.body) }),
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
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

/** Withdraws one consent; once more by the server's clock where this device's is wrong. */
export async function withdrawConsent(seed: Uint8Array, tokenId: string): Promise<Answer> {
  const send = async (clockSkew: number) => {
    const body = await signOperation(seed, 'revokeToken', { tokenId }, { clockSkew });
    return (await ask(`/api/consent/${encodeURIComponent(tokenId)}`, { method: 'DELETE', body })).answer;
  };
  const answer = await send(0);
  return !answer.ok && CLOCK_IS_WRONG.includes(answer.code) ? send(answer.clockSkew) : answer;
}
