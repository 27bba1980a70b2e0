import type { Pool } from 'pg';
import type { z } from 'zod';
import { THRESHOLD } from '../../../protocol/entities/guardian.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { attestedRow, guardianRow } from '../../../protocol/entities/recovery.ts';
import {
  confirmationsOf,
  eligibleGuardians,
  REQUEST_MS,
  requestEnds,
  requestProblem,
  type SocialRecovery,
  socialRecoveryView,
} from '../../../protocol/entities/social-recovery.ts';
import type { guardianList } from '../../../protocol/guardian-responses.ts';
import type { GuardianId } from '../../../protocol/ids.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { LIST_GUARDIANS } from '../../../protocol/signing/guardian-requests.ts';
import { holderOf, type SignedReadParts, signedRead } from '../../entities/signed-read.ts';
import { available } from '../../platform/db/pool.ts';
import type { Vault } from '../vault/vault.ts';
import { attestationIn } from './attest-guardian.ts';

type Parts = SignedReadParts & { readonly vault: Vault };

/**
 * The guardians of an identity with names and contacts, for its holder alone, LOCKED or not. Names and contacts are
 * null if the vault has none, as after a restore. `eligible` guardians may confirm a recovery now. An extension.
 * @throws {ProtocolError}
 */
export async function listGuardians(parts: Parts, body: Json): Promise<z.output<typeof guardianList>> {
  const { beo, now } = await signedRead(parts, LIST_GUARDIANS, body, holderOf(parts));
  const { guardians, ...configuration } = socialRecoveryView(beo.recovery, now);
  // A view carries ids as plain strings.
  const rowsOf = ({ guardian_id }: (typeof guardians)[number]) =>
    [guardianRow(guardian_id as GuardianId), attestedRow(guardian_id as GuardianId)] as const;
  const rows = await available(() => parts.vault.readRows(parts.pool, beo.id, guardians.flatMap(rowsOf)));
  const eligible = new Set<string>(eligibleGuardians(beo.recovery, now).map(({ guardianId }) => guardianId));
  return {
    beo_id: beo.id,
    recovery: {
      ...configuration,
      guardians: guardians.map((guardian) => {
        const [person, attested] = rowsOf(guardian);
        return {
          ...guardian,
          eligible: eligible.has(guardian.guardian_id),
          ...nameAndContactIn(rows.get(person)),
          ...attestationIn(rows.get(attested)),
        };
      }),
    },
    open_requests: await available(() => openRequests(parts.pool, beo.id, beo.recovery, now)),
  };
}

const MAX_REQUESTS = 20;

/** Those with a confirmation first, then those that the new key signed: strangers can ask often, and must not hide them. */

async function openRequests(db: Pick<Pool, 'query'>, beoId: string, recovery: SocialRecovery, now: number) {
  const { rows } = await db.query<{ id: string; new_public_key: string; opened_at: Instant }>({
    name: 'open-requests',
    text: `SELECT id, new_public_key, opened_at FROM recovery_requests
           WHERE beo_id = $1 AND opened_at > $2 AND cancelled_at IS NULL
           ORDER BY id = ANY($4::uuid[]) DESC, is_signed DESC, opened_at DESC, id LIMIT $3`,
    values: [beoId, new Date(now - REQUEST_MS), MAX_REQUESTS, recovery.requests.map(({ requestId }) => requestId)],
  });
  return rows
    .filter(({ id, opened_at }) => !requestProblem(recovery, { requestId: id, openedAt: opened_at }, now))
    .map(({ id, new_public_key, opened_at }) => ({
      request_id: id,
      new_public_key,
      opened_at,
      expires_at: requestEnds(opened_at),
      confirmations: confirmationsOf(recovery, id).length,
      confirmations_needed: THRESHOLD,
    }));
}

function nameAndContactIn(row: Json | undefined): { name: string | null; contact: string | null } {
  const { name, contact } = (row ?? {}) as { name?: unknown; contact?: unknown };
  return {
    name: typeof name === 'string' ? name : null,
    contact: typeof contact === 'string' ? contact : null,
  };
}
