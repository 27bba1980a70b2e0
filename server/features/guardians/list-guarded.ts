import type { z } from 'zod';
import type { Beo } from '../../../protocol/entities/beo.ts';
import { type Guardian, isConfirmed, THRESHOLD } from '../../../protocol/entities/guardian.ts';
import { attestedRow } from '../../../protocol/entities/recovery.ts';
import { eligibleGuardians } from '../../../protocol/entities/social-recovery.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { guardedList } from '../../../protocol/guardian-responses.ts';
import type { GuardianId } from '../../../protocol/ids.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { LIST_GUARDED } from '../../../protocol/signing/guardian-requests.ts';
import { type SignedReadParts, signedRead } from '../../entities/signed-read.ts';
import type { Row } from '../../entities/stores/entity-store.ts';
import { STORES } from '../../entities/stores.ts';
import type { Cursors } from '../../platform/db/cursor.ts';
import { available } from '../../platform/db/pool.ts';
import type { Vault } from '../vault/vault.ts';
import { attestationIn, challengeFor } from './attest-guardian.ts';

type Parts = SignedReadParts & { readonly cursors: Cursors; readonly vault: Vault };

const MAX_GUARDED = 1_000;

/**
 * The identities that a key guards, for the holder of that key alone. Only accepted invitations count: others can bind
 * an invitation to any key. An extension.
 * @throws {ProtocolError}
 */
export async function listGuarded(parts: Parts, body: Json): Promise<z.output<typeof guardedList>> {
  const { publicKey, now } = await signedRead(parts, LIST_GUARDED, body, async (fields) => {
    const key = String(fields.publicKey).toLowerCase();
    if (!(await parts.signatures.areStrictKeys([key]))) throw refusal('PUBLIC_KEY_INVALID');
    return { publicKey: key, expectedKey: 'publicKey' };
  });
  const beos = await available(() => guardedBy(parts, publicKey));
  const seen = beos.slice(0, MAX_GUARDED).flatMap((beo) => guardedView(beo, publicKey, now) ?? []);
  const rowOf = ({ guardian_id }: (typeof seen)[number]) => attestedRow(guardian_id as GuardianId);
  const rows = await available(() => parts.vault.readAll(parts.pool, seen.map(rowOf)));
  const guarded = seen.map((view) => ({
    ...view,
    attested_on: attestationIn(rows.get(rowOf(view))).attested_on,
    challenge: challengeFor(parts, view.beo_id, view.guardian_id, now),
  }));
  return { public_key: publicKey, guarded, has_more: beos.length > MAX_GUARDED };
}

/** Must equal the condition of the index beos_guardian_keys. */
const HAS_ACCEPTED = "recovery @? '$.guardians[*].acceptedAt ? (@ != null)'";

async function guardedBy({ pool }: SignedReadParts, publicKey: string): Promise<Beo[]> {
  const { table, columns, fromRow } = STORES.BEO;
  const { rows } = await pool.query<Row>({
    name: 'guarded-by',
    text: `SELECT id, ${columns.join(', ')} FROM ${table}
           WHERE ${HAS_ACCEPTED} AND accepted_guardian_keys(recovery) ? $1 LIMIT $2`,
    values: [publicKey, MAX_GUARDED + 1],
  });
  return rows.map(fromRow);
}

/** Null if the guardian was removed and is no longer eligible. */
function guardedView(beo: Beo, publicKey: string, now: number) {
  const eligible = eligibleGuardians(beo.recovery, now);
  const hasKey = (guardian: Guardian) => guardian.publicKey === publicKey && guardian.acceptedAt !== null;
  const eligibleGuardian = eligible.find(hasKey);
  const guardian =
    eligibleGuardian ?? beo.recovery.guardians.find((other) => hasKey(other) && other.status === 'ACTIVE');
  if (!guardian) return null;
  return {
    beo_id: beo.id,
    beo_domain: beo.domain,
    beo_status: beo.status,
    guardian_id: guardian.guardianId,
    role: guardian.role,
    status: guardian.status,
    confirmed: isConfirmed(guardian),
    eligible: eligibleGuardian !== undefined,
    eligible_until: eligibleGuardian?.countsUntil ?? null,
    accepted_at: guardian.acceptedAt,
    eligible_guardians: eligible.length,
    confirmations_needed: THRESHOLD,
  };
}
