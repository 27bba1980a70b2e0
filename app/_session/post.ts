import type { Json } from '../../protocol/signing/canonical-json.ts';
import { signOperation } from '../_keys/secret.ts';

type Fields = Readonly<Record<string, Json>>;

export interface Refused {
  readonly ok: false;
  /** A code of the error table (protocol §5); UNREACHABLE without a response: the request may have arrived. */
  readonly code: string;
  /** 0 without a response. */
  readonly status: number;
  readonly details: Fields;
  /** Milliseconds by which this device's clock is ahead of the server's; 0 where unknown. */
  readonly clockSkew: number;
}

export type Answer = { readonly ok: true; readonly body: Fields } | Refused;

const TIMEOUT_MS = 30_000;
const CLOCK_ERRORS = ['TIMESTAMP_TOO_OLD', 'TIMESTAMP_IN_FUTURE'];

/** Sends a signed body. Never throws: a failure is in the result. */
export async function postSigned(path: string, body: Fields): Promise<Answer> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = fieldsOf(await response.json().catch(() => null));
    if (response.ok) return { ok: true, body: answer };
    return {
      ok: false,
      code: typeof answer.code === 'string' ? answer.code : 'INTERNAL',
      status: response.status,
      details: fieldsOf(answer.details),
      clockSkew: skewOf(response.headers.get('date')),
    };
  } catch {
    return { ok: false, code: 'UNREACHABLE', status: 0, details: {}, clockSkew: 0 };
  }
}

/** Signs and sends; retries with the server's time where this device's clock is wrong. */
export async function signAndPost(path: string, seed: Uint8Array, name: string, fields: Fields): Promise<Answer> {
  const answer = await postSigned(path, await signOperation(seed, name, fields));
  if (answer.ok || !CLOCK_ERRORS.includes(answer.code)) return answer;
  const { clockSkew } = answer;
  return postSigned(path, await signOperation(seed, name, fields, { clockSkew }));
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function skewOf(date: string | null): number {
  const server = Date.parse(date ?? '');
  return Number.isNaN(server) ? 0 : Date.now() - server;
}
