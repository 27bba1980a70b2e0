import { randomBytes } from 'node:crypto';
import type { Language } from '../../messages/languages.ts';
import type { Instant } from '../../protocol/entities/recorded.ts';
import type { ProtocolError } from '../../protocol/errors.ts';
import type { PrivateRow, Reference, Role, Sealing, SubjectIds, Subjects } from '../../protocol/operation.ts';
import type { AnyOperation } from '../../protocol/operations.ts';
import type { SignedRequest } from '../../protocol/signing/message.ts';
import { messageBytes } from '../../protocol/signing/message-bytes.ts';
import { sealedDigest } from '../../protocol/signing/sealing.ts';
import type { Draft } from '../ledger/chain.ts';
import type { PlugIn } from './plug-in.ts';

/**
 * Charges the rate limit of the signing key, once its nonce is known to be unused. Returns the refusal if the key is
 * over its limit. Protocol §6.
 */
export type Charge = (signingKey: string) => Promise<ProtocolError | null>;

/** What is checked again when the operation is ordered. */
export interface Signed {
  /** The key that the signature was verified with: lower-case hex. */
  readonly signer: string;
  /** Milliseconds since 1970, as signed. */
  readonly timestamp: number;
  /** Null if the key is not limited. */
  readonly charge: Charge | null;
}

/** A request with a verified signature, before it is ordered. */
export interface VerifiedRequest {
  readonly operation: AnyOperation;
  readonly request: SignedRequest;
  readonly subjects: Subjects;
  /** The key that signed: lower-case hex. */
  readonly signer: string;
  readonly charge: Charge | null;
}

/** A request with a verified signature, or authorized by an institute key. */
export interface Authorized {
  readonly operation: AnyOperation;
  readonly entityId: string;
  readonly subjects: Subjects;
  readonly subjectIds: SubjectIds;
  readonly publicFacts: unknown;
  readonly sealing: Sealing<unknown> | null;
  /** Fields that were sent but not signed. */
  readonly hints: SignedRequest['hints'];
  /** The language for mails that the operation causes. */
  readonly language: Language;
  /** The client's address; null if unknown. */
  readonly address: string | null;
}

/** Whose reserve an operation may use. Protocol §6. */
export interface Reserve {
  /** The identity that it is about. */
  readonly identityId: string;
  /** Empty for the identity itself, else the key of its guardian, or `institute`: one cannot use up the other's share. */
  readonly by: string;
}

/** An authorized operation waiting to be ordered. */
export interface Submission {
  readonly operation: AnyOperation;
  readonly entityId: string;
  readonly subjects: SubjectIds;
  readonly publicFacts: unknown;
  /** Values that the service assigns: see `assigns` of the operation. */
  readonly assigned: Readonly<Record<string, string>>;
  readonly references: readonly Reference[];
  /** Null for an operation of the institute. */
  readonly signed: Signed | null;
  /** The nonce of a signed request, or the idempotency key of one of the institute; null without either. */
  readonly nonceHash: Buffer | null;
  readonly draft: Draft;
  /** The earliest acceptance time. */
  readonly notBefore: Instant | null;
  /** The entity whose vault stores the private rows. */
  readonly ownerId: string;
  readonly privateRows: readonly PrivateRow[];
  /** Bytes of ciphertext that plug-ins store in their own rows. */
  readonly ciphertextBytes: number;
  /** The id of the entity whose quota the private rows and the ciphertext count against. */
  readonly storedBy: string;
  /** Null for an operation without a reserve. */
  readonly reserve: Reserve | null;
  /** The data key that a plug-in encrypted with, if the owner had none; 32 bytes. */
  readonly freshKey: Buffer | null;
  readonly parts: ReadonlyMap<PlugIn, unknown>;
}

interface DraftedEntry {
  readonly draft: Draft;
  /** Hex; null if the entry is not sealed. */
  readonly salt: string | null;
  /** The vault's rows for a sealed message. */
  readonly privateRows: readonly PrivateRow[];
}

interface EntryParts {
  readonly entityId: string;
  readonly assigned: Readonly<Record<Role, string>>;
  readonly signer: string | null;
  readonly message: SignedRequest['message'];
  readonly signature: string | null;
  readonly sealing: Sealing<unknown> | null;
  /** Added by plug-ins to the public part of a sealed entry. */
  readonly morePublicFacts: object;
}

/** Drafts the ledger entry of a request; sealed if its message must not be public. */
export function draftEntry(operation: AnyOperation, parts: EntryParts): DraftedEntry {
  const { entityId, assigned, signer, message, signature, sealing } = parts;
  const common = {
    function: operation.function,
    entity_id: entityId,
    signer,
    ...(Object.keys(assigned).length > 0 ? { assigned } : {}),
  };
  if (!sealing || signature === null) return { draft: { signature, message, ...common }, salt: null, privateRows: [] };
  const salt = randomBytes(32);
  const sealed = sealedDigest(salt, Buffer.from(signature, 'base64'), messageBytes(message));
  const publicPart = {
    timestamp: message.timestamp ?? null,
    ...(sealing.publicFacts as object),
    ...parts.morePublicFacts,
  };
  const recordIds = sealing.records?.map(({ recordId }) => recordId);
  // Records have their own rows, from which the message can be rebuilt.
  const stored = recordIds ? { ...message, records: recordIds } : message;
  return {
    draft: { signature: null, sealed, public: publicPart, ...common },
    salt: salt.toString('hex'),
    privateRows: [
      { id: `sealed:${sealed}`, content: { salt: salt.toString('hex'), signature, message: stored } },
      ...sealing.rows,
    ],
  };
}
