import type { Entity } from './entities/entities.ts';
import { refusal } from './errors.ts';
import type { Role } from './operation.ts';
import { NO_SUCH_GUARDIAN, registeredGuardian } from './operations/resign-guardian.ts';
import type { AnyOperation } from './operations.ts';
import type { Json } from './signing/canonical-json.ts';

/** The sources from which the key that must sign an operation is read. */
export interface AuthoritySources {
  /** The signed fields, or the public facts of a sealed entry. */
  readonly fields: Readonly<Record<string, Json | undefined>>;
  /** The entity in a role. */
  readonly subject: (role: Role) => Entity | undefined;
  /** The guardian's key that a link or a ledger entry names, hex; null if there is none. */
  readonly guardianKey: string | null;
}

/**
 * The key that must have signed an operation, in lower-case hex. The service uses this rule when it authorizes and when it orders
 * a request; the replay uses it too. Null for the institute, which does not sign, and for an entity without a key.
 * The transition checks whether a guardian is eligible. Protocol §1, §3.
 * @throws NOT_FOUND if the named guardian has not accepted
 */
export function requiredKey(
  { signer }: AnyOperation,
  { fields, subject, guardianKey }: AuthoritySources,
): string | null {
  if (signer === 'institute') return null;
  if ('guardianOf' in signer)
    return guardianKey ?? keyOfGuardian(subject(signer.guardianOf), fields[signer.idField ?? '']);
  if ('field' in signer) {
    const key = fields[signer.field];
    return typeof key === 'string' ? key.toLowerCase() : null;
  }
  const entity = subject(signer.role);
  return entity?.kind === 'BEO' || entity?.kind === 'IEO' ? entity.publicKey : null;
}

function keyOfGuardian(holder: Entity | undefined, guardianId: Json | undefined): string {
  if (holder?.kind !== 'BEO' || typeof guardianId !== 'string') throw refusal('INTERNAL');
  const guardian = registeredGuardian(holder, guardianId.toLowerCase());
  if (!guardian) throw refusal('NOT_FOUND', NO_SUCH_GUARDIAN);
  return guardian.publicKey;
}
