import type { Approver } from '../../protocol/entities/proposal.ts';
import { isRefusal, refusal } from '../../protocol/errors.ts';
import { isTransactionId } from '../../protocol/ids.ts';
import type { SubjectKind } from '../../protocol/operation.ts';
import type { AnyOperation } from '../../protocol/operations.ts';
import { canonicalJson, type Json } from '../../protocol/signing/canonical-json.ts';
import { hashNonce } from '../entities/spend-nonce.ts';
import { parseItem } from '../ledger/ans104.ts';
import { readTransaction } from '../ledger/read.ts';
import type { Receipt } from './decide.ts';
import type { WriteServices } from './services.ts';
import type { Submission } from './submission.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The stored form of an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), per institute key and beside the
 * nonces: remembered for as long as they are.
 * @throws VALIDATION_FAILED unless it is 1 to 255 visible ASCII characters
 */
export function hashIdempotencyKey(approver: Approver, key: string): Buffer {
  if (KEY.test(key)) return hashNonce(`institute:${approver}`, key);
  const message = 'must be 1 to 255 visible ASCII characters';
  throw refusal('VALIDATION_FAILED', `The header Idempotency-Key ${message}.`, {
    issues: [{ path: 'Idempotency-Key', message }],
  });
}

/** The transaction of the request that first used a key, if that is why this one was refused. */
export function firstUse(error: unknown): string | null {
  if (!isRefusal(error) || error.code !== 'NONCE_REUSED') return null;
  const id = error.details?.transactionId;
  return typeof id === 'string' && isTransactionId(id) ? id : null;
}

/**
 * The receipt of the decision that first used an idempotency key, with what it changed in its current state.
 * @throws IDEMPOTENCY_KEY_REUSED if that was another decision
 */
export async function readFirstDecision(
  { pool, readers }: WriteServices,
  { operation, draft }: Submission,
  transactionId: string,
): Promise<{ readonly receipt: Receipt; readonly entityId: string }> {
  const {
    item: text,
    seq,
    entity_id: entityId,
    accepted_at: acceptedAt,
  } = await readTransaction({ pool }, transactionId);
  const item = Buffer.from(text, 'base64');
  const { message } = JSON.parse(Buffer.from(parseItem(item).data).toString()) as { message: Json };
  if (!('message' in draft) || canonicalJson(message) !== canonicalJson(draft.message)) {
    throw refusal('IDEMPOTENCY_KEY_REUSED', undefined, { transactionId });
  }
  const changed = await readers[kindOf(operation)].entity(entityId, 'entityId');
  const changes = changed ? [changed] : [];
  return {
    receipt: {
      seq,
      transactionId: transactionId as Receipt['transactionId'],
      item,
      acceptedAt,
      changes,
      revokedCount: 0,
    },
    entityId,
  };
}

/** The kind of the entity that the ledger entry of an operation is about. */
function kindOf({ about, subjects }: AnyOperation): SubjectKind {
  const kind = 'creates' in about ? about.creates : subjects[about.role]?.kind;
  if (!kind) throw refusal('INTERNAL');
  return kind;
}
