import { refusal } from '../errors.ts';
import type { DerivedIds } from '../ids.ts';
import type { PrivateRow, Recall, Subjects } from '../operation.ts';
import { boundKey, type RecoveryFields, repeatsRemovedGuardian } from '../shapes.ts';
import type { Json } from '../signing/canonical-json.ts';
import type { Guardian } from './guardian.ts';
import {
  activeGuardianWithKey,
  duplicateKeyError,
  guardianRow,
  invitationOf,
  type PublicGuardian,
} from './recovery.ts';

/** A guardian in a recovery configuration as it was sent. */
type ConfiguredGuardian = RecoveryFields['guardians'][number];

export const namedGuardians = ({ guardians }: RecoveryFields): readonly ConfiguredGuardian[] =>
  guardians.filter((guardian) => !repeatsRemovedGuardian(guardian));

/** The public keys in a configuration, as they were sent. */
export const recoveryKeys = (recovery: RecoveryFields | null): string[] =>
  (recovery ? namedGuardians(recovery) : []).flatMap(({ public_key }) => boundKey(public_key) ?? []);

/** The guardian among `present` that an entry of the configuration refers to: by its key, else by its id. Protocol §4. */
export function matchingGuardian(named: ConfiguredGuardian, present: readonly Guardian[]): Guardian | undefined {
  const key = boundKey(named.public_key);
  const id = typeof named.guardian_id === 'string' ? named.guardian_id.toLowerCase() : null;
  const byId = present.find(({ guardianId }) => guardianId === id);
  if (key === null) return byId;
  const byKey =
    activeGuardianWithKey(key, present) ??
    present.find(({ publicKey, status }) => publicKey === key && status !== 'REMOVED');
  return byKey ?? (byId?.publicKey === null ? byId : undefined);
}

/** The matching guardian if it is ACTIVE: only such a guardian is kept by a new configuration. */
export function keptGuardian(named: ConfiguredGuardian, present: readonly Guardian[]): Guardian | undefined {
  const match = matchingGuardian(named, present);
  return match?.status === 'ACTIVE' ? match : undefined;
}

/**
 * Splits a configuration into its public facts and the private rows for the vault. A guardian who is kept keeps its ids.
 * Protocol §4.
 */
export function splitRecovery(recovery: RecoveryFields, ids: DerivedIds, present: readonly Guardian[] = []) {
  const named = namedGuardians(recovery).map((guardian) => {
    const { role, name, contact } = guardian;
    const kept = keptGuardian(guardian, present);
    const shown: PublicGuardian = {
      guardian_id: kept?.guardianId ?? ids.guardianId(role),
      invitation_id: kept?.invitationId ?? ids.invitationId(role),
      role,
      public_key: boundKey(guardian.public_key),
    };
    const row = name && contact ? [{ id: guardianRow(shown.guardian_id), content: { name, contact } }] : [];
    return { shown, kept, row };
  });
  return {
    guardians: named.map(({ shown }) => shown),
    invited: named.filter(({ kept }) => !kept).map(({ shown }) => invitationOf(shown)),
    kept: named.flatMap(({ kept }) => kept?.guardianId ?? []),
    enabled: recovery.enabled ?? true,
    rows: named.flatMap(({ row }): PrivateRow[] => row),
  };
}

/** Adds names and contacts from the vault to guardians that are sent without them; `presentIn` returns the current guardians. */
export const recallNames = <Fields extends { readonly recovery: RecoveryFields | null }>(
  presentIn: (subjects: Subjects) => readonly Guardian[],
): Recall<Fields> => ({
  rows: ({ recovery }, subjects) =>
    (recovery ? namedGuardians(recovery) : [])
      .filter(({ name, contact }) => !name || !contact)
      .flatMap((named) => matchingGuardian(named, presentIn(subjects)) ?? [])
      .map(({ guardianId }) => guardianRow(guardianId)),
  complete: (fields, subjects, rows) =>
    fields.recovery === null ? fields : { ...fields, recovery: withNames(fields.recovery, presentIn(subjects), rows) },
});

/**
 * The configuration, completed with names and contacts from `rows` of the vault. A kept guardian may have neither: after a restore
 * the vault has no rows.
 * @throws PUBLIC_KEY_TAKEN if a guardian is named twice, VALIDATION_FAILED if a guardian to invite has no name or contact
 */
function withNames(
  recovery: RecoveryFields,
  present: readonly Guardian[],
  rows: ReadonlyMap<string, Json>,
): RecoveryFields {
  const kept = new Set<string>();
  const guardians = recovery.guardians.map((named, index) => {
    if (repeatsRemovedGuardian(named)) return named;
    const match = matchingGuardian(named, present);
    if (match?.status === 'ACTIVE') {
      if (kept.has(match.guardianId)) throw duplicateKeyError(named.role);
      kept.add(match.guardianId);
    }
    const stored = (match && rows.get(guardianRow(match.guardianId))) as
      | { name?: string; contact?: string }
      | undefined;
    const name = named.name || stored?.name;
    const contact = named.contact || stored?.contact;
    if (name && contact) return { ...named, name, contact };
    if (match?.status === 'ACTIVE' && !name && !contact) return named;
    throw invalid(index, name ? 'contact' : 'name', 'is required');
  });
  return { ...recovery, guardians };
}

function invalid(index: number, member: string, message: string) {
  const path = `recovery.guardians.${index}.${member}`;
  return refusal('VALIDATION_FAILED', `The field ${path} ${message}.`, { issues: [{ path, message }] });
}
