import type { ClientBase } from 'pg';
import {
  type ConsentRequest,
  isAskedBy,
  isAskedOf,
  isWithin,
  readConsentRequest,
} from '../../../protocol/consent-request.ts';
import type { Scope } from '../../../protocol/entities/token.ts';
import { type ProtocolError, refusal } from '../../../protocol/errors.ts';
import type { LedgerId } from '../../../protocol/ids.ts';
import type { SignatureChecks } from '../../platform/crypto/signature-checks.ts';
import { type PlugIn, partOf, stateOf } from '../../write/plug-in.ts';
import { deleteRequestsOf, usedHash } from './kept-requests.ts';

/** A request for one person, which the operation spends; a request for many has no part. */
interface Part {
  readonly hash: Buffer;
  readonly validUntil: string;
}

interface State {
  /** The spent requests, as hex. */
  readonly used: Set<string>;
  readonly spent: (Part & { readonly transactionId: string })[];
}

interface Parts {
  readonly signatures: SignatureChecks;
  readonly ledgerId: LedgerId;
  readonly now: () => number;
}

/** The vault row of a consent with the reference of the request on which it was granted. */
export const referenceRow = (tokenId: string): string => `asked:${tokenId}`;

/**
 * Consents that are granted on the request of an institution: checks that it is the institution's, keeps its reference in the holder's
 * vault, and lets one for one person be accepted once. Protocol §11.
 */
export function createRequestsPlugIn({ signatures, ledgerId, now }: Parts): PlugIn<Part | null, State> {
  const plugIn: PlugIn<Part | null, State> = {
    async prepare({ operation, hints, subjects, publicFacts, entityId }) {
      if (operation.name !== 'grantConsent' || typeof hints.request !== 'string') return null;
      const request = readConsentRequest(hints.request);
      const { holder, grantee } = subjects;
      if (!request || request.ledgerId !== ledgerId || holder?.kind !== 'BEO' || grantee?.kind !== 'IEO') throw unfit();
      if (!isAskedBy(request, grantee) || !isAskedOf(request, holder) || !isGrantedWithin(request, publicFacts))
        throw unfit();
      const { signature, message, validUntil, reference } = request;
      // Without a key it has ended, which the transition refuses.
      if (
        grantee.publicKey !== null &&
        !(signature && (await signatures.isSigned(message, signature, grantee.publicKey)))
      )
        throw unfit();
      if (Date.parse(validUntil) <= now())
        throw refusal('LINK_EXPIRED', 'This request has ended; ask the institution for a new one.');
      return {
        part: request.once === false ? null : { hash: usedHash(request.id), validUntil },
        privateRows: reference === null ? [] : [{ id: referenceRow(entityId), content: { reference } }],
      };
    },

    async load(client, submissions) {
      const hashes = submissions.flatMap((submission) => partOf(plugIn, submission)?.hash ?? []);
      return { used: hashes.length > 0 ? await usedOf(client, hashes) : new Set(), spent: [] };
    },

    check(batch, submission) {
      const part = partOf(plugIn, submission);
      if (part && stateOf(plugIn, batch).used.has(part.hash.toString('hex')))
        throw refusal('LINK_USED', 'This request was for one person, and has been accepted.');
    },

    apply(batch, submission, { entry }) {
      const part = partOf(plugIn, submission);
      if (!part) return;
      const { used, spent } = stateOf(plugIn, batch);
      used.add(part.hash.toString('hex'));
      spent.push({ ...part, transactionId: entry.id });
    },

    write(batch) {
      const { spent } = stateOf(plugIn, batch);
      if (spent.length === 0) return [];
      return [
        {
          name: 'spend-consent-requests',
          text: `INSERT INTO nonces (hash, transaction_id, seen_at)
                 SELECT * FROM unnest($1::bytea[], $2::text[], $3::timestamptz[])`,
          values: [
            spent.map(({ hash }) => hash),
            spent.map(({ transactionId }) => transactionId),
            spent.map(({ validUntil }) => validUntil),
          ],
        },
      ];
    },

    erase: (ownerIds) => [deleteRequestsOf(ownerIds)],
  };
  return plugIn;
}

async function usedOf(client: ClientBase, hashes: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await client.query<{ hash: Buffer }>({
    name: 'used-consent-requests',
    text: 'SELECT hash FROM nonces WHERE hash = ANY($1::bytea[])',
    values: [hashes],
  });
  return new Set(rows.map(({ hash }) => hash.toString('hex')));
}

function isGrantedWithin(request: ConsentRequest, publicFacts: unknown): boolean {
  const { scope, expiresInDays } = publicFacts as { readonly scope: Scope; readonly expiresInDays: number | null };
  return isWithin(request, scope, expiresInDays);
}

function unfit(): ProtocolError {
  const message = 'must be a request of this institution to this person that allows what the consent allows';
  return refusal('VALIDATION_FAILED', `The field request ${message}.`, { issues: [{ path: 'request', message }] });
}
