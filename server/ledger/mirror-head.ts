import { z } from 'zod';
import type { LedgerId, TransactionId } from '../../protocol/ids.ts';
import { MAX_KEY_ITEMS } from '../../protocol/ledger/succession.ts';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import { signatureBytes, verifyNatively } from '../platform/crypto/ed25519.ts';
import type { HeadSource } from './head-evidence.ts';
import { type KnownKeys, roleOfKey } from './known-keys.ts';

/** The original fetch, before Next replaces it with one that traces and caches. */
const plainFetch = globalThis.fetch;

const DEADLINE_MS = 10_000;
/** With every change of the relayer's key, of less than 3 kB each in base64. */
const MAX_BYTES = 64 * 1024 + MAX_KEY_ITEMS * 4 * 1024;

const shape = z.object({
  ledger_id: z.string(),
  relayer_public_key: z.string().regex(/^[0-9a-f]{64}$/),
  relayer_keys: z.array(z.string()).max(MAX_KEY_ITEMS).default([]),
  head: z.object({
    epoch: z.int().positive(),
    seq: z.int().nonnegative(),
    id: z.string().nullable(),
    at: z.string(),
    signature: z.string(),
  }),
});

/**
 * The head that a mirror serves (`GET /api/ledger`). It counts only if the relayer signed it (protocol §4), so a mirror cannot
 * invent one.
 * @param url without a slash at its end
 */
export const mirrorHead = (url: string, ledgerId: LedgerId, knownKeys: KnownKeys): HeadSource => ({
  name: `mirror ${url}`,
  async latest(stopping) {
    const { ledger_id, head, relayer_public_key: key, relayer_keys: items } = await ledgerOf(url, stopping);
    const { signature, ...place } = head;
    if (ledger_id !== ledgerId) throw new Error('It has another ledger.');
    const message = Buffer.from(canonicalJson({ ledger_id, ...place }));
    const bytes = signatureBytes(signature);
    const keyItems = items.map((item) => Buffer.from(item, 'base64'));
    const role = roleOfKey(await knownKeys(), key, keyItems);
    if (!bytes || role === 'unknown' || !verifyNatively(key, message, bytes)) {
      throw new Error('It shows a head that the relayer did not sign.');
    }
    const { epoch, seq } = place;
    if (place.id === null || role === 'replaced') return null;
    const id = place.id as TransactionId;
    return { epoch, seq, id, shown: `entry ${seq} of epoch ${epoch} (${id}) in a signed head`, isSigned: true };
  },
});

/** @throws {Error} with a sentence */
async function ledgerOf(url: string, stopping: AbortSignal): Promise<z.infer<typeof shape>> {
  const timeout = AbortSignal.timeout(DEADLINE_MS);
  let text: string;
  try {
    const response = await plainFetch(`${url}/api/ledger`, {
      signal: AbortSignal.any([timeout, stopping]),
      redirect: 'error',
      headers: { accept: 'application/json' },
    });
    if (response.status !== 200) throw new AnswerProblem(`It answers with status ${response.status}.`);
    text = await limitedText(response);
  } catch (error) {
    if (error instanceof AnswerProblem) throw error;
    if (timeout.aborted) throw new AnswerProblem(`It did not answer within ${DEADLINE_MS / 1000} seconds.`);
    throw new AnswerProblem(`It cannot be reached (${causeOf(error)}).`);
  }
  const parsed = shape.safeParse(jsonOf(text));
  if (!parsed.success) throw new AnswerProblem('Its answer to GET /api/ledger is not as expected.');
  return parsed.data;
}

class AnswerProblem extends Error {}

async function limitedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > MAX_BYTES) throw new AnswerProblem(`Its answer is larger than ${MAX_BYTES / 1024} KiB.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return String((cause as { code?: unknown }).code ?? 'no connection').slice(0, 100);
}
