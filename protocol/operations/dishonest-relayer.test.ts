import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Beo } from '../entities/beo.ts';
import { GUARDIAN_ROLES } from '../entities/guardian.ts';
import type { PublicGuardian } from '../entities/recovery.ts';
import { ProtocolError } from '../errors.ts';
import type { GuardianId, InvitationId } from '../ids.ts';
import type { AnyOperation } from '../operations.ts';
import { amount } from '../test-amount.ts';
import { acceptGuardian } from './accept-guardian.ts';
import { confirmGuardian } from './confirm-guardian.ts';
import { confirmRecovery } from './confirm-recovery.ts';
import { inviteGuardian } from './invite-guardian.ts';
import { requireConfirmedGuardians } from './require-confirmed-guardians.ts';
import { createTestLedger, type Request } from './test-ledger.ts';
import { at, beoCreation, byHolder, guardian, key, MARIA } from './test-requests.ts';
import { updateBEORecovery } from './update-beo-recovery.ts';

const GENUINE = ['1', '2', '3'].map(key);
const FORGED = ['5', '6', '7'].map(key);
const HOUR = 60;

const isForged = (key: string | null): boolean => key !== null && FORGED.includes(key);

/** A guardian in a sealed operation: a kept one, or a forged one with ids and keys of present guardians. */
const sealedGuardian = fc.record({
  kept: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
  role: fc.constantFrom(...GUARDIAN_ROLES),
  which: fc.nat(6),
  id: fc.nat(30),
  invitation: fc.nat(30),
  key: fc.nat(30),
});

type SealedGuardian = typeof sealedGuardian extends fc.Arbitrary<infer Value> ? Value : never;

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('invite' as const), guardian: sealedGuardian }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('accept' as const), which: fc.nat(9), key: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('configure' as const),
      guardians: fc.array(sealedGuardian, { maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('recover' as const), request: fc.nat(1), key: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('keep one' as const), guardian: sealedGuardian }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), hours: fc.constantFrom(1, 30, 71, 73) }) },
);

/** Maria with three guardians, `confirmed` of them confirmed. */
function ledgerWithMaria(confirmed: number, hours: number) {
  const ledger = createTestLedger();
  let minutes = 0;
  const submit = (request: Request): void => {
    minutes += 1;
    try {
      ledger.submit(request, at(minutes));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
    }
  };
  const accept = (invitationId: string, publicKey: string) =>
    submit({ ...byHolder(acceptGuardian, { invitationId, publicKey }), signer: publicKey });
  submit(beoCreation({ enabled: true, guardians: GUARDIAN_ROLES.map((role) => guardian(role)) }));
  GUARDIAN_ROLES.forEach((role, n) => void accept(`invitation ${role}`, GENUINE[n] ?? ''));
  minutes += hours * HOUR;
  GUARDIAN_ROLES.slice(0, confirmed).forEach((role, n) => {
    submit(byHolder(confirmGuardian, { guardianId: `guardian ${role}`, publicKey: GENUINE[n] }));
  });
  return {
    submit,
    accept,
    wait: (more: number) => {
      minutes += more * HOUR;
    },
    opened: () => ({ opened_at: at(minutes) }),
    maria: () => {
      const beo = ledger.find('BEO', MARIA);
      if (!beo) throw new Error('There is no Maria.');
      return beo;
    },
    /** Submits a sealed entry without a signature: an auditor sees only its public part. */
    submitSealed(operation: AnyOperation, facts: object): void {
      const { data } =
        operation.sealed?.publicFacts.safeParse({ timestamp: at(minutes), beoId: MARIA, ...facts }) ?? {};
      if (data) submit({ operation, entityId: MARIA, publicFacts: data });
    },
  };
}

const history = fc.tuple(
  fc.array(step, { minLength: 5, maxLength: 40 }),
  fc.integer({ min: 1, max: 3 }),
  fc.constantFrom(0, 100),
  fc.boolean(),
);

type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** A relayer with forged guardians submits any operations. @yields Maria after each of them */
function* attack([steps, confirmed, hours, required]: History, namesForgedKeys: boolean): Generator<Beo> {
  const { submit, accept, submitSealed, wait, opened, maria } = ledgerWithMaria(confirmed, hours);
  if (required) submit(byHolder(requireConfirmedGuardians));
  let forgedCount = 0;
  function publicGuardian({ kept, role, which, ...chosen }: SealedGuardian): PublicGuardian {
    const present = maria().recovery.guardians;
    const other = present[which % Math.max(1, present.length)];
    if (kept && other) {
      const { guardianId, invitationId, publicKey } = other;
      const public_key = namesForgedKeys || !isForged(publicKey) ? publicKey : null;
      return { guardian_id: guardianId, invitation_id: invitationId, role: other.role, public_key };
    }
    const presentAt = (n: number) => (n < 12 ? present[n % Math.max(1, present.length)] : undefined);
    const others = present.map(({ publicKey }) => publicKey).filter((publicKey) => !isForged(publicKey));
    const keys = [null, null, null, ...(namesForgedKeys ? FORGED : []), ...others];
    forgedCount += 1;
    return {
      guardian_id: presentAt(chosen.id)?.guardianId ?? (`guardian ${forgedCount}` as GuardianId),
      invitation_id: presentAt(chosen.invitation)?.invitationId ?? (`invitation ${forgedCount}` as InvitationId),
      role,
      public_key: keys[chosen.key % keys.length] ?? null,
    };
  }
  for (const step of steps) {
    if (step.type === 'wait') wait(step.hours);
    if (step.type === 'invite')
      submitSealed(inviteGuardian, {
        guardian: { ...publicGuardian({ ...step.guardian, kept: false }), public_key: null },
      });
    if (step.type === 'configure')
      submitSealed(updateBEORecovery, { enabled: true, guardians: step.guardians.map(publicGuardian) });
    if (step.type === 'keep one') {
      submitSealed(updateBEORecovery, { enabled: true, guardians: [publicGuardian({ ...step.guardian, kept: true })] });
    }
    if (step.type === 'accept') {
      const pending = maria().recovery.guardians.filter(({ status }) => status === 'PENDING');
      const invited = pending[step.which % Math.max(1, pending.length)];
      if (invited) accept(invited.invitationId, FORGED[step.key] ?? '');
    }
    if (step.type === 'recover') {
      const request = byHolder(confirmRecovery, { requestId: `request ${step.request}`, newPublicKey: key('9') });
      submit({ ...request, signer: FORGED[step.key] ?? '', assigned: opened() });
    }
    yield maria();
  }
}

test('once the holder has confirmed a guardian, a relayer cannot recover the identity by invitations and sealed operations that name none of its keys', () => {
  fc.assert(
    fc.property(history, (sample) => {
      for (const maria of attack(sample, false)) {
        expect(maria).toMatchObject({ publicKey: key('a'), recovery: { requests: [] } });
      }
    }),
    { numRuns: amount(400, 2_000) },
  );
});

test('if a sealed operation names a key of the relayer, every confirmation by it is marked as asserted', () => {
  fc.assert(
    fc.property(history, (sample) => {
      for (const maria of attack(sample, true)) {
        const confirmations = maria.recovery.requests.flatMap((request) => request.confirmations);
        for (const { asserted } of confirmations) expect(asserted).toBe(true);
      }
    }),
    { numRuns: amount(200, 1_000) },
  );
});
