import type { z } from 'zod';
import { guardianRow } from '../../../protocol/entities/recovery.ts';
import { eligibleGuardians, socialRecoveryView } from '../../../protocol/entities/social-recovery.ts';
import type { GuardianId } from '../../../protocol/ids.ts';
import type { guardianList } from '../../../protocol/read-responses.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { LIST_GUARDIANS } from '../../../protocol/signing/guardian-requests.ts';
import { holderOf, type SignedReadParts, signedRead } from '../../entities/signed-read.ts';
import { available } from '../../platform/db/pool.ts';
import type { Vault } from '../vault/vault.ts';

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
  const rowOf = ({ guardian_id }: (typeof guardians)[number]) => guardianRow(guardian_id as GuardianId);
  const rows = await available(() => parts.vault.readRows(parts.pool, beo.id, guardians.map(rowOf)));
  const eligible = new Set<string>(eligibleGuardians(beo.recovery, now).map(({ guardianId }) => guardianId));
  return {
    beo_id: beo.id,
    recovery: {
      ...configuration,
      guardians: guardians.map((guardian) => ({
        ...guardian,
        eligible: eligible.has(guardian.guardian_id),
        ...nameAndContactIn(rows.get(rowOf(guardian))),
      })),
    },
  };
}

function nameAndContactIn(row: Json | undefined): { name: string | null; contact: string | null } {
  const { name, contact } = (row ?? {}) as { name?: unknown; contact?: unknown };
  return {
    name: typeof name === 'string' ? name : null,
    contact: typeof contact === 'string' ? contact : null,
  };
}
