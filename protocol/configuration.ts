import type { Json } from './canonical-json.ts';
import { refusal } from './errors.ts';
import type { Guardian } from './guardian.ts';
import type { DerivedIds } from './ids.ts';
import type { PrivateRow, Recall, Subjects } from './operation.ts';
import {
  activeGuardianWithKey,
  duplicateKeyError,
  guardianRow,
  invitationOf,
  type PublicGuardian,
} from './recovery.ts';
import { boundKey, isRemovedEcho, type RecoveryFields } from './shapes.ts';

/** A guardian as a configuration names it. */
type Named = RecoveryFields['guardians'][number];

export const namedGuardians = ({ guardians }: RecoveryFields): readonly Named[] =>
  guardians.filter((guardian) => !isRemovedEcho(guardian));

/** The keys that a configuration binds its guardians to, as they were sent. */
export const recoveryKeys = (recovery: RecoveryFields | null): string[] =>
  (recovery ? namedGuardians(recovery) : []).flatMap(({ public_key }) => boundKey(public_key) ?? []);

/** Which guardian among `present` is meant: the one with the key that is named, else the one with the id. Protocol §4. */
export function matchingGuardian(named: Named, present: readonly Guardian[]): Guardian | undefined {
  const key = boundKey(named.public_key);
  const id = typeof named.guardian_id === 'string' ? named.guardian_id.toLowerCase() : null;
  const byId = present.find(({ guardianId }) => guardianId === id);
  if (key === null) return byId;
  const byKey =
    activeGuardianWithKey(key, present) ??
    present.find(({ publicKey, status }) => publicKey === key && status !== 'REMOVED');
  return byKey ?? (byId?.publicKey === null ? byId : undefined);
}

/** The guardian who is kept: one who is ACTIVE. */
export function keptGuardian(named: Named, present: readonly Guardian[]): Guardian | undefined {
  const meant = matchingGuardian(named, present);
  return meant?.status === 'ACTIVE' ? meant : undefined;
}

/**
 * Splits a configuration into what the ledger may show and what only the vault keeps. A guardian among `present` who is kept keeps
 * its ids. Protocol §4.
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
    return { shown, isNew: !kept, row };
  });
  return {
    guardians: named.map(({ shown }) => shown),
    invited: named.filter(({ isNew }) => isNew).map(({ shown }) => invitationOf(shown)),
    enabled: recovery.enabled ?? true,
    rows: named.flatMap(({ row }): PrivateRow[] => row),
  };
}

/** What the vault has of those whom a configuration names without name or contact; `presentIn` says who there is. */
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
 * The configuration with the names and contacts that it leaves out, from `rows` of the vault. Who is kept may go without, as after
 * a restore, when the vault has none.
 * @throws PUBLIC_KEY_TAKEN where a guardian is kept twice, VALIDATION_FAILED where one who has to be invited has no name or contact.
 */
function withNames(
  recovery: RecoveryFields,
  present: readonly Guardian[],
  rows: ReadonlyMap<string, Json>,
): RecoveryFields {
  const kept = new Set<string>();
  const guardians = recovery.guardians.map((named, index) => {
    if (isRemovedEcho(named)) return named;
    const meant = matchingGuardian(named, present);
    if (meant?.status === 'ACTIVE') {
      if (kept.has(meant.guardianId)) throw duplicateKeyError(named.role);
      kept.add(meant.guardianId);
    }
    const stored = (meant && rows.get(guardianRow(meant.guardianId))) as
      | { name?: string; contact?: string }
      | undefined;
    const name = named.name || stored?.name;
    const contact = named.contact || stored?.contact;
    if (name && contact) return { ...named, name, contact };
    if (meant?.status === 'ACTIVE' && !name && !contact) return named;
    throw invalid(index, name ? 'contact' : 'name', 'is required');
  });
  return { ...recovery, guardians };
}

function invalid(index: number, member: string, message: string) {
  const path = `recovery.guardians.${index}.${member}`;
  return refusal('VALIDATION_FAILED', `The field ${path} ${message}.`, { issues: [{ path, message }] });
}
