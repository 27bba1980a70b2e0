import { verifySignature } from '../protocol/signing/ed25519.ts';
import { bytesToHex, fromBase64, utf8ToBytes } from '../protocol/signing/encoding.ts';
import { PerpetuaError } from './errors.ts';

export interface WebhookRequest {
  /** The body exactly as it was received: not parsed and serialized again. */
  readonly body: string | Uint8Array;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface WebhookOptions {
  /** The service's keys, `whpk_` and base64, from /.well-known/webhook-key. During a rotation there are two. */
  readonly keys: readonly string[];
  /** Milliseconds since 1970; by default the current time. */
  readonly now?: number;
}

const KEY_PREFIX = 'whpk_';
const SIGNATURE_PREFIX = 'v1a,';
const TOLERANCE_SECONDS = 5 * 60;
const KEY_BYTES = 32;

/**
 * Verifies a webhook (Standard Webhooks, signatures `v1a`) and returns its parsed body. The same event may arrive again: its
 * `webhook-id` is the id of the event, so store the ids that you have processed.
 * @throws {PerpetuaError} WEBHOOK_INVALID
 */
export function verifyWebhook<Event = unknown>({ body, headers }: WebhookRequest, options: WebhookOptions): Event {
  const { keys, now = Date.now() } = options;
  const id = headerIn(headers, 'webhook-id');
  const timestamp = headerIn(headers, 'webhook-timestamp');
  const signatures = headerIn(headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp)) throw invalid('the header webhook-timestamp is not a number of seconds');
  const age = now / 1_000 - Number(timestamp);
  if (Math.abs(age) > TOLERANCE_SECONDS) throw invalid(`it was sent ${Math.round(age)} s ago by this device's clock`);
  const bytes = typeof body === 'string' ? utf8ToBytes(body) : body;
  const message = new Uint8Array([...utf8ToBytes(`${id}.${timestamp}.`), ...bytes]);
  const given = signatures.flatMap((text) => signatureIn(text) ?? []);
  const publicKeys = keys.map(keyIn);
  if (!publicKeys.some((key) => given.some((signature) => verifySignature(key, message, signature)))) {
    throw invalid('no signature is by one of these keys');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Event;
  } catch {
    throw invalid('the body is not JSON');
  }
}

function headerIn(headers: WebhookRequest['headers'], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(`it has no header ${name}`);
}

const signatureIn = (text: string): Uint8Array | null =>
  text.startsWith(SIGNATURE_PREFIX) ? fromBase64(text.slice(SIGNATURE_PREFIX.length)) : null;

/** Hex. */
function keyIn(text: string): string {
  const bytes = text.startsWith(KEY_PREFIX) ? fromBase64(text.slice(KEY_PREFIX.length)) : null;
  if (bytes?.length === KEY_BYTES) return bytesToHex(bytes);
  throw new PerpetuaError(
    'WEBHOOK_INVALID',
    `A key of the service is ${KEY_PREFIX} and base64, not ${text.slice(0, 60)}.`,
  );
}

const invalid = (problem: string): PerpetuaError =>
  new PerpetuaError('WEBHOOK_INVALID', `The webhook is not accepted: ${problem}.`);
