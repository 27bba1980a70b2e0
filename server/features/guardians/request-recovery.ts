import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Language } from '../../../messages/languages.ts';
import type { Beo } from '../../../protocol/entities/beo.ts';
import { THRESHOLD } from '../../../protocol/entities/guardian.ts';
import { requestEnds, requireEligibleGuardians, requireFreeKey } from '../../../protocol/entities/social-recovery.ts';
import { refusal } from '../../../protocol/errors.ts';
import { apiLink } from '../../../protocol/guardian-links.ts';
import type { openedRequest } from '../../../protocol/guardian-responses.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { recoveryWords } from '../../../protocol/signing/fingerprint.ts';
import {
  isSigned,
  type LedgerRules,
  readSignedRequest,
  readUnsignedRequest,
} from '../../../protocol/signing/message.ts';
import { REQUEST_RECOVERY } from '../../../protocol/signing/recovery-request.ts';
import { timestampProblem } from '../../../protocol/signing/timestamp-problem.ts';
import { lockBeoRow } from '../../entities/lock-beo.ts';
import type { Readers } from '../../entities/readers.ts';
import { verifyRequest } from '../../entities/signed-read.ts';
import { spendNonce } from '../../entities/spend-nonce.ts';
import type { SignatureChecks } from '../../platform/crypto/signature-checks.ts';
import type { Clock } from '../../platform/db/clock.ts';
import { available } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Notifier } from '../../platform/process/notifier.ts';
import type { Charge } from '../../write/submission.ts';
import type { AddressHashes } from '../mail/address-hashes.ts';
import type { Vault } from '../vault/vault.ts';
import type { Links } from './follow-link.ts';
import { linkHash } from './link-tokens.ts';
import { mailGuardians } from './mail-guardians.ts';
import { dropExcessRequests, type NewLink, saveRequest } from './request-rows.ts';
import type { Requesters } from './requester.ts';

interface Parts extends LedgerRules {
  readonly pool: Pool;
  readonly readers: Readers;
  readonly signatures: SignatureChecks;
  readonly clock: Clock;
  readonly publicUrl: () => string;
  readonly vault: Vault;
  readonly links: Pick<Links, 'newToken'>;
  readonly requesters: Requesters;
  readonly addressHashes: AddressHashes;
  /** Null if no mail server is configured. */
  readonly outbox: object | null;
  /** Wakes the search for alerts. */
  readonly changes: Pick<Notifier, 'notify'>;
}

interface RequestMetadata {
  readonly charge: Charge | null;
  readonly language: Language;
  /** The client's address. */
  readonly address: string;
}

/**
 * Opens a recovery request, with a link for each eligible guardian. It does not change the identity: any number may be
 * open, and a stranger cannot use them up. Protocol §3, §4.
 * @throws VALIDATION_FAILED, PUBLIC_KEY_INVALID, BEO_NOT_FOUND, BEO_DESTROYED, RECOVERY_NOT_CONFIGURED, KEY_UNCHANGED,
 * PUBLIC_KEY_TAKEN; for a signed request also signature and nonce errors
 */
export async function requestRecovery(
  parts: Parts,
  body: Json,
  metadata: RequestMetadata,
): Promise<z.output<typeof openedRequest>> {
  const { readers, signatures, clock, suffix, publicUrl } = parts;
  const { charge, language, address } = metadata;
  const signed = isSigned(body) ? readSignedRequest(REQUEST_RECOVERY, body, parts) : null;
  const { fields } = signed ?? readUnsignedRequest(REQUEST_RECOVERY, body, suffix);
  const newPublicKey = String(fields.newPublicKey).toLowerCase();
  if (!(await signatures.areStrictKeys([newPublicKey]))) throw refusal('PUBLIC_KEY_INVALID');
  const problem = signed && timestampProblem(signed.timestamp, clock.now());
  if (problem) throw problem;
  const beo = await readers.BEO.entity(String(fields.beoId), 'beoId');
  if (!beo) throw refusal('BEO_NOT_FOUND');
  if (beo.status === 'DESTROYED') throw refusal('BEO_DESTROYED');
  if (signed) {
    await verifyRequest(signatures, signed, newPublicKey, 'newPublicKey');
    await spendNonce(parts.pool, newPublicKey, signed, clock.now());
    const refused = await charge?.(newPublicKey);
    if (refused) throw refused;
  }

  const guardians = requireEligibleGuardians(beo.recovery, clock.now());
  if (newPublicKey === beo.publicKey) throw refusal('KEY_UNCHANGED');
  requireFreeKey(beo, newPublicKey, clock.now());
  const requestId = randomUUID();
  const links = guardians.map(({ guardianId, publicKey, role, status }): NewLink => {
    const token = parts.links.newToken();
    return {
      token,
      tokenHash: linkHash(token) as Buffer,
      guardianId,
      guardianKey: publicKey,
      role,
      former: status === 'REMOVED',
    };
  });
  const now = clock.now();
  const openedAt = new Date(now).toISOString();
  const requester = parts.requesters(beo.id, address);
  const request = { requestId, beoId: beo.id, newPublicKey, openedAt, isSigned: signed !== null, ...requester };
  await available(() =>
    inTransaction(parts.pool, async (client) => {
      await client.query("SELECT pg_advisory_xact_lock(hashtextextended('recovery ' || $1, 0))", [beo.id]);
      const locked = await lockBeoRow(client, beo.id);
      if (!locked) throw refusal('BEO_DESTROYED');
      await saveRequest(client, request, links);
      await dropExcessRequests(client, locked, request.isSigned, now);
      const source = parts.addressHashes.source(address);
      if (parts.outbox) await mailGuardians(client, parts.vault, { beo: locked, request, links, language, source });
    }),
  );
  parts.changes.notify();
  return responseBody(beo, newPublicKey, { requestId, openedAt, links, publicUrl: publicUrl() });
}

const responseBody = (
  beo: Beo,
  newPublicKey: string,
  given: { requestId: string; openedAt: string; links: readonly NewLink[]; publicUrl: string },
) => ({
  transactionId: null,
  receipt: null,
  request_id: given.requestId,
  expires_at: requestEnds(given.openedAt),
  fingerprint: recoveryWords(beo.id, newPublicKey).join(' '),
  confirmations_needed: THRESHOLD,
  links: given.links.map(({ role, token, former }) => ({
    role,
    url: apiLink(given.publicUrl, 'recovery', token),
    ...(former ? { former } : {}),
  })),
});
