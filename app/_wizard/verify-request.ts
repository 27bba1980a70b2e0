import { type ConsentRequest, isConsentRequestId, readConsentRequest } from '../../protocol/consent-request.ts';
import { decodeSignature, verifySignature } from '../../protocol/signing/ed25519.ts';
import { messageBytes } from '../../protocol/signing/message-bytes.ts';
import type { Answers } from '../../server/http/trpc/router.ts';
import { failureOf } from '../_trpc/failure.ts';
import type { useTRPCClient } from '../_trpc/query-provider.tsx';

type Client = ReturnType<typeof useTRPCClient>;

/** Why a request for a consent cannot be answered: the key of its sentence. */
export type RequestProblem =
  | 'unreadable'
  | 'altered'
  | 'elsewhere'
  | 'ended'
  | 'used'
  | 'unknown'
  | 'revoked'
  | 'suspended';

export interface AskedConsent {
  readonly request: ConsentRequest;
  /** As the registry has it. */
  readonly institution: Answers['institution'];
  /** The id of the person that it names; null for any person. */
  readonly beoId: string | null;
}

export type VerifiedRequest = AskedConsent | { readonly problem: RequestProblem };

/**
 * Reads the text after `#` and verifies it against the institution's current key and state. Loaded when it is needed.
 * @param now in ms
 * @throws a tRPC error where the service does not answer
 */
export async function verifyRequest(
  client: Client,
  text: string,
  { ledgerId, now }: { readonly ledgerId: string | undefined; readonly now: number },
): Promise<VerifiedRequest> {
  const state = isConsentRequestId(text) ? await client.requestState.mutate({ id: text }) : null;
  if (state && state.request === null) return { problem: 'ended' };
  const request = readConsentRequest(state?.request ?? text);
  if (!request || (state && request.id !== text)) return { problem: 'unreadable' };
  if (request.ledgerId !== null && request.ledgerId !== ledgerId) return { problem: 'elsewhere' };
  if (Date.parse(request.validUntil) <= now) return { problem: 'ended' };

  const institution = await found(client.institution.query({ reference: request.ieoId }));
  if (!institution) return { problem: 'unknown' };
  const { status, public_key: publicKey } = institution;
  if (status === 'REVOKED' || status === 'DESTROYED') return { problem: 'revoked' };
  if (request.signature !== null) {
    const signature = decodeSignature(request.signature);
    if (!signature || !verifySignature(publicKey ?? '', messageBytes(request.message), signature))
      return { problem: 'altered' };
  }
  if (status !== 'ACTIVE') return { problem: 'suspended' };
  if (request.once !== false && request.signature !== null) {
    const { used } = state ?? (await client.requestState.mutate({ id: request.id }));
    if (used) return { problem: 'used' };
  }
  if (typeof request.once === 'boolean') return { request, institution, beoId: null };
  const person = await found(client.identity.query({ reference: request.once }));
  return person ? { request, institution, beoId: person.beo_id } : { problem: 'ended' };
}

const NOT_FOUND = /_NOT_FOUND$|^DOMAIN_INVALID$|^VALIDATION_FAILED$/;

const found = <Found>(answer: Promise<Found>): Promise<Found | null> =>
  answer.catch((error: unknown) => {
    if (NOT_FOUND.test(failureOf(error).code)) return null;
    throw error;
  });
