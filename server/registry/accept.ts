import type { Json } from '../../protocol/canonical-json.ts';
import type { Beo } from '../../protocol/entities.ts';
import { refusal } from '../../protocol/errors.ts';
import { derivedIds, type LedgerId } from '../../protocol/ids.ts';
import { messageBytes, readSignedRequest, type SignedRequest } from '../../protocol/message.ts';
import type { AnyOperation } from '../../protocol/operations.ts';
import { untimely } from '../../protocol/time.ts';
import type { Clock } from '../clock.ts';
import { isStrictPublicKeyNatively, signatureBytes, verifyNatively } from '../crypto/ed25519.ts';
import type { BeoReader } from './beo-reader.ts';
import type { Committer } from './committer.ts';
import { type Charge, draftEntry, hashNonce, invitationView, prepareInvitations } from './submission.ts';

export interface Registry {
  readonly ledgerId: LedgerId;
  readonly suffix: string;
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly beos: BeoReader;
  readonly committer: Committer;
}

export interface AcceptedAnswer {
  readonly transactionId: string;
  readonly body: Record<string, unknown>;
}

/**
 * Takes one signed operation from its parsed body to its durable place in the ledger, in the order of protocol §5: shape,
 * timestamp, entity, signature, nonce, state, effect.
 * @throws {ProtocolError} at the first thing that is wrong.
 */
export async function accept(
  registry: Registry,
  operation: AnyOperation,
  body: Json,
  charge: Charge,
): Promise<AcceptedAnswer> {
  const request = readSignedRequest(operation, body, registry.suffix);
  const { keys } = operation.introduces(request.fields);
  if (!keys.every(isStrictPublicKeyNatively)) throw refusal('PUBLIC_KEY_INVALID');
  const problem = untimely(request.timestamp, registry.clock.now());
  if (problem) throw problem;

  const target = await readTarget(registry, operation, request);
  const signer = signingKey(operation, request, target);
  verify(operation, request, signer);

  const ids = derivedIds(registry.ledgerId, request.signature);
  const entityId = target?.id ?? ids.beoId();
  const sealing = operation.seal(request.fields, ids);
  const known = sealing ? sealing.known : operation.known(request.fields);
  const { draft, salt, privateRows } = draftEntry(operation, entityId, signer, request, sealing);
  const { invitations, rows } = prepareInvitations(sealing, entityId, registry.publicUrl());

  const receipt = await registry.committer.submit({
    operation,
    entityId,
    known,
    references: operation.touches({ entityId, known }, target ?? undefined),
    signer,
    nonceHash: hashNonce(signer, request.nonce),
    timestamp: request.timestamp,
    draft,
    salt,
    privateRows: [...privateRows, ...rows],
    invitations,
    charge,
  });
  return {
    transactionId: receipt.transactionId,
    body: {
      transactionId: receipt.transactionId,
      receipt: receipt.item.toString('base64'),
      ...(salt === null ? {} : { salt }),
      ...operation.answer({
        entityId,
        entities: receipt.entities,
        acceptedAt: receipt.acceptedAt,
        invitations: invitations.map((invitation) => invitationView(invitation, receipt.acceptedAt)),
      }),
    },
  };
}

/** @throws BEO_NOT_FOUND or BEO_DESTROYED */
async function readTarget(
  registry: Registry,
  { target }: AnyOperation,
  { fields }: SignedRequest,
): Promise<Beo | null> {
  if (!target) return null;
  const found = await registry.beos.byReference(fields[target.field] as string);
  if (!found) throw refusal('BEO_NOT_FOUND');
  if (found.beo.status === 'DESTROYED') throw refusal('BEO_DESTROYED');
  return found.beo;
}

function signingKey(operation: AnyOperation, { fields }: SignedRequest, target: Beo | null): string {
  const key = operation.signer === 'target' ? target?.publicKey : fields[operation.signer.field];
  if (typeof key !== 'string') throw refusal('INTERNAL');
  return key.toLowerCase();
}

/** In this thread: handing 110 µs of work to the pool costs more than it saves. Processes are what scales. */
function verify(operation: AnyOperation, request: SignedRequest, signer: string): void {
  const signature = signatureBytes(request.signature);
  if (signature && verifyNatively(signer, messageBytes(request.message), signature)) return;
  throw refusal('INVALID_SIGNATURE', undefined, { expected_key: operation.expectedKey });
}
