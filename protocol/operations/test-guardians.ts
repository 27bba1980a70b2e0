import type { Beo } from '../entities/beo.ts';
import type { Guardian, GuardianRole } from '../entities/guardian.ts';
import { eligibleGuardians } from '../entities/social-recovery.ts';
import { derivedIds, type InvitationId, type LedgerId } from '../ids.ts';
import type { AnyOperation } from '../operations.ts';
import { acceptGuardian } from './accept-guardian.ts';
import { confirmGuardian } from './confirm-guardian.ts';
import { confirmRecovery } from './confirm-recovery.ts';
import { inviteGuardian } from './invite-guardian.ts';
import { createTestLedger, type Recorded, type TestLedger } from './test-ledger.ts';
import { beoCreation, byHolder, key, MARIA, START } from './test-requests.ts';
import { updateBEORecovery } from './update-beo-recovery.ts';

/** Test code: Maria and her guardians. Sealed operations are split by their own `seal`. */

export const HOUR = 3_600_000;
/** The time `count` hours after START. */
export const hours = (count: number, ms = 0): string => new Date(START + count * HOUR + ms).toISOString();

export const HOLDER = key('a');
export const [ANA, BRUNO, CELIA] = [key('b'), key('c'), key('d')];
/** Maria’s new key, and an unrelated key. */
export const [NEW, OTHER] = [key('f'), key('e')];

const LEDGER = 'ledger' as LedgerId;

export function mariaIn(ledger: TestLedger): Beo {
  const beo = ledger.find('BEO', MARIA);
  if (!beo) throw new Error('There is no Maria.');
  return beo;
}

function submitSealed(ledger: TestLedger, operation: AnyOperation, fields: object, moment: string) {
  const ids = derivedIds(LEDGER, `${moment} ${ledger.recorded.length}`);
  const sealing = operation.sealed?.seal(
    { beoId: MARIA, ...fields },
    ids,
    { holder: mariaIn(ledger) },
    () => new Uint8Array(32),
  );
  const publicFacts =
    sealing?.publicFacts ?? operation.publicFacts({ fields: { beoId: MARIA, ...fields }, message: {}, signature: '' });
  const recorded = ledger.submit({ operation, entityId: MARIA, publicFacts }, moment);
  return { recorded, invited: sealing?.invited ?? [] };
}

export type Invitation = Pick<Guardian, 'guardianId' | 'invitationId' | 'role'>;

export function invite(ledger: TestLedger, role: GuardianRole, moment: string): Invitation {
  const { invited } = submitSealed(ledger, inviteGuardian, { name: 'Ana', contact: 'ana@example.org', role }, moment);
  const [invitation] = invited;
  if (!invitation) throw new Error('No guardian was invited.');
  return invitation;
}

export const accept = (
  ledger: TestLedger,
  { invitationId }: { readonly invitationId: InvitationId },
  publicKey: string,
  moment: string,
): Recorded => ledger.submit(byHolder(acceptGuardian, { invitationId, publicKey }), moment);

/** Invites a guardian and accepts at the same time. */
export function join(ledger: TestLedger, role: GuardianRole, publicKey: string, moment: string): Invitation {
  const invitation = invite(ledger, role, moment);
  accept(ledger, invitation, publicKey, moment);
  return invitation;
}

/** The guardian with a key; an ACTIVE one before others. */
export function guardianOf(ledger: TestLedger, publicKey: string): Guardian {
  const withKey = mariaIn(ledger).recovery.guardians.filter((guardian) => guardian.publicKey === publicKey);
  const guardian = withKey.find(({ status }) => status === 'ACTIVE') ?? withKey[0];
  if (!guardian) throw new Error('There is no such guardian.');
  return guardian;
}

/** The holder confirms a guardian. */
export const confirmGuardianWith = (ledger: TestLedger, publicKey: string, moment: string): Recorded =>
  ledger.submit(byHolder(confirmGuardian, { guardianId: guardianOf(ledger, publicKey).guardianId, publicKey }), moment);

export type GuardianKeys = Partial<Readonly<Record<GuardianRole, string | null>>>;

/** The holder replaces the configuration: the keys by role, null for an invitation without a key. Null removes it. */
export function configure(ledger: TestLedger, keys: GuardianKeys | null, moment: string, enabled = true) {
  const guardians = Object.entries(keys ?? {}).map(([role, public_key]) => {
    return { name: 'Ana', contact: 'ana@example.org', role, public_key };
  });
  return submitSealed(ledger, updateBEORecovery, { recovery: keys && { guardians, enabled } }, moment);
}

/** The holder replaces all guardians; the new ones accept at once. */
export function replaceAll(ledger: TestLedger, others: Readonly<Record<string, string>>, moment: string): void {
  const keys = Object.fromEntries(Object.keys(others).map((role) => [role, null]));
  for (const invitation of configure(ledger, keys, moment).invited) {
    accept(ledger, invitation, others[invitation.role] ?? '', moment);
  }
}

export interface RecoveryRequest {
  readonly requestId: string;
  readonly newPublicKey: string;
  readonly openedAt: string;
}

export const recoveryRequest = (
  openedAt: string,
  newPublicKey = NEW,
  requestId = `request ${openedAt} ${newPublicKey}`,
): RecoveryRequest => ({
  requestId,
  newPublicKey,
  openedAt,
});

export const confirmation = ({ requestId, newPublicKey, openedAt }: RecoveryRequest, signer: string) => ({
  ...byHolder(confirmRecovery, { requestId, newPublicKey }),
  signer,
  assigned: { opened_at: openedAt },
});

/** A guardian confirms a recovery request. */
export const confirm = (ledger: TestLedger, request: RecoveryRequest, signer: string, moment: string): Recorded =>
  ledger.submit(confirmation(request, signer), moment);

/** Two guardians recover the identity at once. */
export function recover(ledger: TestLedger, [one, other]: readonly [string, string], moment: string, to = NEW): void {
  const request = recoveryRequest(moment, to);
  confirm(ledger, request, one, moment);
  confirm(ledger, request, other, moment);
}

/** Maria with Ana, Bruno and Célia, who accepted at START; she has confirmed those in `confirmed`. */
export function ledgerWithGuardians(
  keys: readonly string[] = [ANA, BRUNO, CELIA],
  confirmed: readonly string[] = [],
): TestLedger {
  const ledger = createTestLedger();
  ledger.submit(beoCreation({ publicKey: HOLDER }), hours(0));
  const roles = ['primary', 'secondary', 'tertiary'] as const;
  for (const [index, publicKey] of keys.entries()) join(ledger, roles[index] ?? 'primary', publicKey, hours(0));
  for (const publicKey of confirmed) confirmGuardianWith(ledger, publicKey, hours(0));
  return ledger;
}

/** The keys of the eligible guardians. */
export const eligibleKeys = (ledger: TestLedger, moment: string): string[] =>
  eligibleGuardians(mariaIn(ledger).recovery, Date.parse(moment))
    .map(({ publicKey }) => publicKey)
    .sort();

/** The guardians by role: the key if ACTIVE, else the status. */
export const guardiansByRole = (ledger: TestLedger): Record<string, string | null> =>
  Object.fromEntries(
    mariaIn(ledger)
      .recovery.guardians.filter(({ status }) => status !== 'REMOVED')
      .map(({ role, status, publicKey }) => [role, status === 'ACTIVE' ? publicKey : status]),
  );
