import type { Pool } from 'pg';
import type { Beo } from '../../protocol/entities/beo.ts';
import type { Ieo } from '../../protocol/entities/ieo.ts';
import { refusal } from '../../protocol/errors.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import {
  type LedgerRules,
  type RequestForm,
  readSignedRequest,
  type SignedRequest,
  withMessageDigest,
} from '../../protocol/signing/message.ts';
import { timestampProblem } from '../../protocol/signing/timestamp-problem.ts';
import type { SignatureChecks } from '../platform/crypto/signature-checks.ts';
import type { Clock } from '../platform/db/clock.ts';
import type { Readers } from './readers.ts';
import { spendNonce } from './spend-nonce.ts';

export interface SignedReadParts extends LedgerRules {
  readonly pool: Pool;
  readonly readers: Readers;
  readonly signatures: SignatureChecks;
  readonly clock: Clock;
}

/** Charges a signing key that has a limit of its own (protocol §6); the result is the refusal, if any. */
export type ChargeKey = (publicKey: string) => Promise<Error | null>;

/** The key that must sign a read, and its name in the refusal of another key. */
interface ExpectedKey {
  /** Lower-case hex. */
  readonly publicKey: string;
  readonly expectedKey: string;
}

/**
 * A read, or a change beside the ledger, for the holder of one key. Checks the shape, the timestamp, `findSigner`, the
 * signature and the nonce, in the order of protocol §5, and then charges the key.
 * @returns the result of `findSigner`, with the request and its time in ms since 1970
 * @throws {ProtocolError} at the first problem
 */
export async function signedRead<Found extends ExpectedKey>(
  parts: SignedReadParts,
  form: RequestForm,
  body: Json,
  findSigner: (fields: SignedRequest['fields']) => Promise<Found>,
  charge: ChargeKey | null = null,
): Promise<Found & { readonly request: SignedRequest; readonly now: number }> {
  const { pool, signatures, clock } = parts;
  const request = readSignedRequest(form, body, parts);
  const now = clock.now();
  const problem = timestampProblem(request.timestamp, now);
  if (problem) throw problem;
  const found = await findSigner(request.fields);
  await verifyRequest(signatures, request, found.publicKey, found.expectedKey);
  await spendNonce(pool, found.publicKey, request, now);
  const refused = await charge?.(found.publicKey);
  if (refused) throw refused;
  return { ...found, request, now };
}

/** The identity in `beoId`, whose holder must sign. @throws BEO_NOT_FOUND, BEO_DESTROYED */
export const holderOf =
  ({ readers }: Pick<SignedReadParts, 'readers'>) =>
  async ({ beoId }: SignedRequest['fields']): Promise<ExpectedKey & { readonly beo: Beo }> => {
    const beo = await readers.BEO.entity(String(beoId), 'beoId');
    if (!beo) throw refusal('BEO_NOT_FOUND');
    if (beo.publicKey === null) throw refusal('BEO_DESTROYED');
    return { beo, publicKey: beo.publicKey, expectedKey: 'BEO' };
  };

/** The institution in `ieoId`, whose current key must sign. @throws IEO_NOT_FOUND, IEO_DESTROYED */
export const institutionOf =
  ({ readers }: Pick<SignedReadParts, 'readers'>) =>
  async ({ ieoId }: SignedRequest['fields']): Promise<ExpectedKey & { readonly ieo: Ieo }> => {
    const ieo = await readers.IEO.entity(String(ieoId), 'ieoId');
    if (!ieo) throw refusal('IEO_NOT_FOUND');
    if (ieo.publicKey === null) throw refusal('IEO_DESTROYED');
    return { ieo, publicKey: ieo.publicKey, expectedKey: 'IEO' };
  };

/** @throws INVALID_SIGNATURE, which names the expected key. */
export async function verifyRequest(
  signatures: SignatureChecks,
  { message, signature }: SignedRequest,
  publicKey: string,
  expectedKey: string,
): Promise<void> {
  if (await signatures.isSigned(message, signature, publicKey)) return;
  throw withMessageDigest(refusal('INVALID_SIGNATURE', undefined, { expected_key: expectedKey }), message);
}
