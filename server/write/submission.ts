import { randomBytes } from 'node:crypto';
import type { Language } from '../../messages/languages.ts';
import type { ProtocolError } from '../../protocol/errors.ts';
import { messageBytes, type SignedRequest } from '../../protocol/message.ts';
import type { PrivateRow, Reference, Role, Sealing, SubjectIds, Subjects } from '../../protocol/operation.ts';
import type { AnyOperation } from '../../protocol/operations.ts';
import type { Instant } from '../../protocol/recorded.ts';
import { sealedDigest } from '../../protocol/sealing.ts';
import type { Draft } from '../ledger/chain.ts';
import type { PlugIn } from './plug-in.ts';

/** Charges the signing key, once its nonce is known to be unused; the refusal where it is over its limit. Protocol §6. */
export type Charge = (signingKey: string) => Promise<ProtocolError | null>;

/** What a signature brings that is checked again when the operation is ordered. */
export interface Signed {
  /** The key that the signature was verified with: lower-case hex. */
  readonly signer: string;
  readonly nonceHash: Buffer;
  /** Milliseconds since 1970, as signed. */
  readonly timestamp: number;
  /** Null where the key is not counted. */
  readonly charge: Charge | null;
}

/** A request whose signature is verified, or that one of the institute's keys authorized. */
export interface Authorized {
  readonly operation: AnyOperation;
  readonly entityId: string;
  readonly subjects: Subjects;
  readonly subjectIds: SubjectIds;
  readonly publicFacts: unknown;
  readonly sealing: Sealing<unknown> | null;
  /** The language in which people whom the operation concerns are written to. */
  readonly language: Language;
  /** The client's address; null where it is not known. */
  readonly address: string | null;
}

/** An authorized operation that waits to be ordered. */
export interface Submission {
  readonly operation: AnyOperation;
  readonly entityId: string;
  readonly subjects: SubjectIds;
  readonly publicFacts: unknown;
  /** What the service chose besides: see `assigns` of the operation. */
  readonly assigned: Readonly<Record<string, string>>;
  readonly references: readonly Reference[];
  /** Null for an operation of the institute. */
  readonly signed: Signed | null;
  readonly draft: Draft;
  /** It must not be accepted with an earlier time. */
  readonly notBefore: Instant | null;
  /** The entity whose vault keeps the private rows. */
  readonly ownerId: string;
  readonly privateRows: readonly PrivateRow[];
  /** Bytes of ciphertext that plug-ins store in rows of their own. */
  readonly ciphertextBytes: number;
  /** The id of the entity on whose account the private rows and the ciphertext are stored. */
  readonly storedBy: string;
  /** The data key that a plug-in has encrypted with already, where the owner had none; 32 bytes. */
  readonly freshKey: Buffer | null;
  readonly parts: ReadonlyMap<PlugIn, unknown>;
}

interface DraftedEntry {
  readonly draft: Draft;
  /** Hex; null where the entry is not sealed. */
  readonly salt: string | null;
  /** What the vault keeps of a sealed message. */
  readonly privateRows: readonly PrivateRow[];
}

interface EntryParts {
  readonly entityId: string;
  readonly assigned: Readonly<Record<Role, string>>;
  readonly signer: string | null;
  readonly message: SignedRequest['message'];
  readonly signature: string | null;
  readonly sealing: Sealing<unknown> | null;
  /** What plug-ins add to the public part of a sealed entry. */
  readonly morePublicFacts: object;
}

/** The ledger entry of a request; sealed where its message must not be public. */
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
  // Records are kept in rows of their own, from which the message can be put together again.
  const kept = recordIds ? { ...message, records: recordIds } : message;
  return {
    draft: { signature: null, sealed, public: publicPart, ...common },
    salt: salt.toString('hex'),
    privateRows: [
      { id: `sealed:${sealed}`, content: { salt: salt.toString('hex'), signature, message: kept } },
      ...sealing.rows,
    ],
  };
}
