import type { z } from 'zod';
import { attestedRow } from '../../../protocol/entities/recovery.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { guardianAttestation } from '../../../protocol/guardian-responses.ts';
import type { GuardianId } from '../../../protocol/ids.ts';
import { NO_SUCH_GUARDIAN, registeredGuardian } from '../../../protocol/operations/resign-guardian.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { ATTEST_GUARDIAN } from '../../../protocol/signing/guardian-requests.ts';
import type { SignedRequest } from '../../../protocol/signing/message.ts';
import { lockBeoRow } from '../../entities/lock-beo.ts';
import { type SignedReadParts, signedRead } from '../../entities/signed-read.ts';
import type { Cursors } from '../../platform/db/cursor.ts';
import { available } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Vault } from '../vault/vault.ts';

/**
 * Guardians check that their keys are still there. A challenge proves that the key signed recently, and not ahead of its loss:
 * nobody can know it before the service returns it. Only the day is kept, in the holder's vault. Protocol §11.
 */

type Parts = SignedReadParts & { readonly cursors: Cursors; readonly vault: Vault };

const SCOPE = 'attestation of a guardian';
/** How long a guardian may read the page before signing. */
const VALID_MS = 3_600_000;

/** The challenge for a guardian at `now`, ms. */
export const challengeFor = ({ cursors }: Pick<Parts, 'cursors'>, beoId: string, guardianId: string, now: number) =>
  cursors.seal(SCOPE, [beoId, guardianId, String(now)]);

/**
 * Keeps today as the day on which a guardian checked its key.
 * @throws {ProtocolError} VALIDATION_FAILED for the challenge of another guardian or an old one, NOT_FOUND for an unknown one or a removed guardian
 */
export async function attestGuardian(parts: Parts, body: Json): Promise<z.output<typeof guardianAttestation>> {
  const { beoId, guardianId, now } = await signedRead(parts, ATTEST_GUARDIAN, body, guardianOf(parts));
  const on = await keepDay(parts, { beoId, guardianId, now, practised: null });
  return { guardian_id: guardianId, attested_on: on };
}

interface Attested {
  readonly beoId: string;
  readonly guardianId: GuardianId;
  /** Milliseconds. */
  readonly now: number;
  readonly practised: string | null;
}

/**
 * Keeps the day while the guardian has not been removed, with the identity's row locked: a removal deletes the day. Returns the day.
 * @throws {ProtocolError} NOT_FOUND, BEO_DESTROYED
 */
export async function keepDay(
  { pool, vault }: Pick<Parts, 'pool' | 'vault'>,
  { beoId, guardianId, now, practised }: Attested,
): Promise<string> {
  const on = new Date(now).toISOString().slice(0, 10);
  await available(async () => {
    if (!(await vault.ensureKey(pool, beoId))) throw refusal('BEO_DESTROYED');
    await inTransaction(pool, async (client) => {
      const beo = await lockBeoRow(client, beoId);
      if (!beo) throw refusal('BEO_DESTROYED');
      if (registeredGuardian(beo, guardianId)?.status !== 'ACTIVE') throw refusal('NOT_FOUND', NO_SUCH_GUARDIAN);
      await vault.save(client, beoId, { id: attestedRow(guardianId), content: { on, practised } });
    });
  });
  return on;
}

const guardianOf =
  ({ readers, cursors, clock }: Parts) =>
  async ({ guardianId: given, challenge }: SignedRequest['fields']) => {
    const guardianId = String(given).toLowerCase() as GuardianId;
    const beoId = holderIn(cursors, String(challenge), guardianId, clock.now());
    const beo = await readers.BEO.entity(beoId, 'challenge');
    const guardian = beo && registeredGuardian(beo, guardianId);
    if (guardian?.status !== 'ACTIVE') throw refusal('NOT_FOUND', NO_SUCH_GUARDIAN);
    return { beoId, guardianId, publicKey: guardian.publicKey, expectedKey: 'guardian' };
  };

function holderIn(cursors: Cursors, challenge: string, guardianId: string, now: number): string {
  const [beoId = '', asked, at] = openedChallenge(cursors, challenge);
  if (asked === guardianId && now - Number(at) <= VALID_MS) return beoId;
  const message = asked === guardianId ? 'is more than an hour old; read a new one' : 'is for another guardian';
  throw refusal('VALIDATION_FAILED', `The challenge ${message}.`, { issues: [{ path: 'challenge', message }] });
}

/** @throws {ProtocolError} NOT_FOUND for what is no challenge of this service */
function openedChallenge(cursors: Cursors, challenge: string): readonly string[] {
  try {
    return cursors.open(SCOPE, challenge);
  } catch {
    throw refusal('NOT_FOUND', 'This service did not make this challenge; read a new one.');
  }
}

/** What a vault row has of a guardian's last attestation or practice; nulls without a row. */
export const attestationIn = (row: Json | undefined): { attested_on: string | null; practised: string | null } => {
  const { on, practised } = (row ?? {}) as { on?: unknown; practised?: unknown };
  return {
    attested_on: typeof on === 'string' ? on : null,
    practised: typeof practised === 'string' ? practised : null,
  };
};
