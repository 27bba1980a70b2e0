import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { type GuardianRole, THRESHOLD } from '../../../protocol/entities/guardian.ts';
import { REQUEST_MS } from '../../../protocol/entities/social-recovery.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { practisedRecovery, startedPractice } from '../../../protocol/guardian-responses.ts';
import type { GuardianId } from '../../../protocol/ids.ts';
import { registeredGuardian } from '../../../protocol/operations/resign-guardian.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { PRACTISE_RECOVERY, START_PRACTICE } from '../../../protocol/signing/guardian-requests.ts';
import { holderOf, type SignedReadParts, signedRead } from '../../entities/signed-read.ts';
import type { Cursors } from '../../platform/db/cursor.ts';
import type { Vault } from '../vault/vault.ts';
import { keepDay } from './attest-guardian.ts';

/**
 * A practice of a recovery: it has the steps of a recovery and changes nothing. Its links say by themselves what they are about, so
 * that nothing is stored until a guardian signs; then the vault has the day and the practice. Protocol §11.
 */

type Parts = SignedReadParts & {
  readonly cursors: Cursors;
  readonly vault: Vault;
  readonly publicUrl: () => string;
};

const SCOPE = 'practice of a recovery';

/** What the page of a guardian's link shows. */
export type PracticeState =
  | {
      readonly state: 'open';
      readonly practice_id: string;
      readonly beo_id: string;
      readonly beo_domain: string;
      readonly new_public_key: string;
      readonly expires_at: string;
      readonly guardian_id: string;
      readonly role: GuardianRole;
      /** The key that this guardian registered, hex. */
      readonly guardian_key: string;
      readonly confirmations_needed: number;
    }
  | { readonly state: 'expired' | 'superseded'; readonly beo_domain: string }
  | { readonly state: 'unknown' | 'destroyed' };

/**
 * Returns a link for each guardian who has accepted.
 * @throws {ProtocolError} RECOVERY_NOT_CONFIGURED with fewer than two
 */
export async function startPractice(parts: Parts, body: Json): Promise<z.output<typeof startedPractice>> {
  const { beo, request, now } = await signedRead(parts, START_PRACTICE, body, holderOf(parts));
  const guardians = beo.recovery.guardians.filter(({ status }) => status === 'ACTIVE');
  if (guardians.length < THRESHOLD) throw refusal('RECOVERY_NOT_CONFIGURED');
  const practiceId = randomUUID();
  const newPublicKey = String(request.fields.newPublicKey).toLowerCase();
  const linkOf = (guardianId: string) =>
    `${parts.publicUrl()}/guardian/practise/${parts.cursors.seal(SCOPE, [practiceId, beo.id, guardianId, newPublicKey, String(now)])}`;
  return {
    practice_id: practiceId,
    expires_at: new Date(now + REQUEST_MS).toISOString(),
    links: guardians.map(({ guardianId, role }) => ({ guardian_id: guardianId, role, url: linkOf(guardianId) })),
  };
}

/** Reads what a link is about. Changes nothing: link scanners open links. */
export async function readPractice(
  { readers, cursors, clock }: Pick<Parts, 'readers' | 'cursors' | 'clock'>,
  token: string,
): Promise<PracticeState> {
  const [practiceId, beoId, guardianId, newPublicKey, at] = openedLink(cursors, token) ?? [];
  if (!practiceId || !beoId || !guardianId || !newPublicKey) return { state: 'unknown' };
  const beo = await readers.BEO.entity(beoId, 'beoId');
  if (!beo || beo.domain === null) return { state: 'destroyed' };
  const ends = Number(at) + REQUEST_MS;
  const guardian = registeredGuardian(beo, guardianId);
  if (guardian?.status !== 'ACTIVE') return { state: 'superseded', beo_domain: beo.domain };
  if (clock.now() >= ends) return { state: 'expired', beo_domain: beo.domain };
  return {
    state: 'open',
    practice_id: practiceId,
    beo_id: beo.id,
    beo_domain: beo.domain,
    new_public_key: newPublicKey,
    expires_at: new Date(ends).toISOString(),
    guardian_id: guardianId,
    role: guardian.role,
    guardian_key: guardian.publicKey,
    confirmations_needed: THRESHOLD,
  };
}

/**
 * A guardian confirms a practice: the day and the practice are kept, as with attestGuardian.
 * @throws {ProtocolError} LINK_NOT_FOUND, LINK_EXPIRED, VALIDATION_FAILED if the link is for another practice or key
 */
export async function practiseRecovery(
  parts: Parts,
  token: string,
  body: Json,
): Promise<z.output<typeof practisedRecovery>> {
  const signed = await signedRead(parts, PRACTISE_RECOVERY, body, async ({ practiceId, newPublicKey }) => {
    const practice = await readPractice(parts, token);
    if (practice.state === 'unknown' || practice.state === 'destroyed') throw refusal('LINK_NOT_FOUND');
    if (practice.state !== 'open') throw refusal('LINK_EXPIRED');
    requireSame('practiceId', practiceId, practice.practice_id);
    requireSame('newPublicKey', newPublicKey, practice.new_public_key);
    return { practice, publicKey: practice.guardian_key, expectedKey: 'guardian' };
  });
  const { practice, now } = signed;
  const { beo_id: beoId, practice_id: practised, guardian_id: guardianId } = practice;
  const on = await keepDay(parts, { beoId, guardianId: guardianId as GuardianId, now, practised });
  return { practice_id: practised, guardian_id: guardianId, attested_on: on };
}

function openedLink(cursors: Cursors, token: string): readonly string[] | null {
  try {
    return cursors.open(SCOPE, token);
  } catch {
    return null;
  }
}

function requireSame(field: string, given: unknown, expected: string): void {
  if (String(given).toLowerCase() === expected) return;
  const issues = [{ path: field, message: 'differs from the link' }];
  throw refusal('VALIDATION_FAILED', `The field ${field} differs from the link.`, { issues });
}
