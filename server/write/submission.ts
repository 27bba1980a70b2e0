import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Language } from '../../messages/languages.ts';
import { type ProtocolError, refusal } from '../../protocol/errors.ts';
import { INVITATION_MS } from '../../protocol/guardian.ts';
import type { DerivedIds } from '../../protocol/ids.ts';
import { messageBytes, type SignedRequest } from '../../protocol/message.ts';
import type { PrivateRow, Reference, Role, SealedRecord, Sealing, SubjectIds } from '../../protocol/operation.ts';
import type { AnyOperation } from '../../protocol/operations.ts';
import { invitationRow } from '../../protocol/recovery.ts';
import { sealedDigest } from '../../protocol/sealing.ts';
import { nativeDigests } from '../crypto/digests.ts';
import { invitationUrl } from '../guardians/tokens.ts';
import type { Draft } from '../ledger/chain.ts';
import type { AccessEvent } from '../records/access-events.ts';
import type { NewRecord } from '../records/new-records.ts';
import type { Storing } from '../vault/stored-bytes.ts';

/** Says whether the signing key may go on, once its nonce is known to be unused. Protocol §6. */
export type Charge = (signingKey: string) => Promise<ProtocolError | null>;

export interface PreparedInvitation {
  readonly tokenHash: Buffer;
  readonly id: string;
  readonly beoId: string;
  readonly guardianId: string;
  readonly role: string;
  readonly url: string;
}

/** What a signature brings along that has to be looked at again when the operation is ordered. */
export interface Signed {
  /** Whose key the signature was verified with: lower-case hex. */
  readonly signer: string;
  /** The entity whose key that is, where it is not one that the request itself shows. */
  readonly signerOf: { readonly kind: 'BEO' | 'IEO'; readonly id: string } | null;
  readonly nonceHash: Buffer;
  /** Milliseconds since 1970, as signed. */
  readonly timestamp: number;
  /** Null where its key is not counted. */
  readonly charge: Charge | null;
}

/** A verified operation on its way to its place in the ledger. */
export interface Submission {
  readonly operation: AnyOperation;
  readonly entityId: string;
  readonly subjects: SubjectIds;
  readonly known: unknown;
  /** What the service chose besides: see `assigns` of the operation. */
  readonly assigned: Readonly<Record<string, string>>;
  readonly references: readonly Reference[];
  /** Null where the institute stands behind it. */
  readonly signed: Signed | null;
  readonly draft: Draft;
  /** Hex; for sealed operations. */
  readonly salt: string | null;
  /** Whose vault its private rows belong to. */
  readonly ownerId: string;
  readonly privateRows: readonly PrivateRow[];
  readonly invitations: readonly PreparedInvitation[];
  readonly language: Language;
  /** Of the client; null where it is not known. */
  readonly address: string | null;
  readonly records: RecordBatch | null;
  /** Null where nothing stays in the vault. */
  readonly storing: Storing | null;
}

/** Health records on their way to the vault, encrypted already. */
export interface RecordBatch {
  readonly sealed: readonly SealedRecord[];
  readonly rows: readonly NewRecord[];
  readonly access: AccessEvent;
  /** What they are encrypted with, where the holder had no data key when they came; 32 bytes. */
  readonly freshKey: Buffer | null;
}

/** The nonce as it is remembered: per signing key, and not readable from the database. Protocol §1. */
export const hashNonce = (signer: string, nonce: string): Buffer => hash('sha256', `${signer}:${nonce}`, 'buffer');

export interface Sealed {
  readonly draft: Draft;
  readonly salt: string | null;
  readonly privateRows: readonly PrivateRow[];
}

/** The ledger entry of a request, sealed where its message must not be public; and what goes to the vault instead. */
export function draftEntry(
  operation: AnyOperation,
  { entityId, assigned }: { readonly entityId: string; readonly assigned: Readonly<Record<Role, string>> },
  signer: string | null,
  request: Pick<SignedRequest, 'message'> & { readonly signature: string | null },
  sealing: Sealing<unknown> | null,
): Sealed {
  const common = {
    function: operation.function,
    entity_id: entityId,
    signer,
    ...(Object.keys(assigned).length > 0 ? { assigned } : {}),
  };
  if (!sealing || request.signature === null) {
    const { message, signature } = request;
    return { draft: { signature, message, ...common }, salt: null, privateRows: [] };
  }
  const salt = randomBytes(32);
  const signature = Buffer.from(request.signature, 'base64');
  const sealed = sealedDigest(salt, signature, messageBytes(request.message), nativeDigests);
  const facts = { timestamp: request.message.timestamp ?? null, ...(sealing.known as object) };
  const ids = sealing.records?.map(({ recordId }) => recordId);
  // Records are kept in rows of their own, from which the message can be put together again.
  const message = ids ? { ...request.message, records: ids } : request.message;
  return {
    draft: { signature: null, sealed, public: facts, ...common },
    salt: salt.toString('hex'),
    privateRows: [
      {
        id: `sealed:${sealed}`,
        content: { salt: salt.toString('hex'), signature: request.signature, message },
      },
      ...sealing.rows,
    ],
  };
}

/** Of an entity that an operation creates: it follows from the signature, where there is one. Protocol §2. */
export function newEntityId({ about }: AnyOperation, ids: DerivedIds | null): string {
  if (!('creates' in about)) throw refusal('INTERNAL');
  if (!ids) return randomUUID();
  return about.creates === 'TOKEN' ? ids.tokenId() : about.creates === 'IEO' ? ids.ieoId() : ids.beoId();
}

/** Makes the links of invited guardians: a hash finds one, and an encrypted copy serves reminders. Protocol §4. */
export function prepareInvitations(
  sealing: Sealing<unknown> | null,
  beoId: string,
  publicUrl: string,
  newToken: () => string,
): { invitations: PreparedInvitation[]; rows: PrivateRow[] } {
  const prepared = (sealing?.invited ?? []).map(({ guardianId, invitationId, role }) => {
    const token = newToken();
    const invitation: PreparedInvitation = {
      tokenHash: hash('sha256', token, 'buffer'),
      id: invitationId,
      beoId,
      guardianId,
      role,
      url: invitationUrl(publicUrl, token),
    };
    return { invitation, row: { id: invitationRow(invitationId), content: { token } } };
  });
  return { invitations: prepared.map(({ invitation }) => invitation), rows: prepared.map(({ row }) => row) };
}

export const invitationView = ({ guardianId, role, url }: PreparedInvitation, acceptedAt: string) => ({
  guardian_id: guardianId,
  role,
  url,
  expires_at: new Date(Date.parse(acceptedAt) + INVITATION_MS).toISOString(),
});
