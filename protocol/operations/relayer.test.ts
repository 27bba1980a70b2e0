import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Beo } from '../entities/beo.ts';
import type { PublicGuardian } from '../entities/recovery.ts';
import { ProtocolError } from '../errors.ts';
import { GUARDIAN_ROLES, type GuardianId, type InvitationId } from '../ids.ts';
import type { AnyOperation } from '../operations.ts';
import { acceptGuardian } from './accept-guardian.ts';
import { confirmGuardian } from './confirm-guardian.ts';
import { confirmRecovery } from './confirm-recovery.ts';
import { inviteGuardian } from './invite-guardian.ts';
import { requireConfirmedGuardians } from './require-confirmed-guardians.ts';
import { createTestLedger, type Request } from './test-ledger.ts';
import { at, created, guardian, key, MARIA, own } from './test-requests.ts';
import { updateBEORecovery } from './update-beo-recovery.ts';

const CHOSEN = ['1', '2', '3'].map(key);
const INVENTED = ['5', '6', '7'].map(key);
const HOUR = 60;

const isInvented = (key: string | null): boolean => key !== null && INVENTED.includes(key);

/** A guardian in a sealed operation: kept, or forged with ids and keys of existing guardians. */
const anybody = fc.record({
  kept: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
  role: fc.constantFrom(...GUARDIAN_ROLES),
  which: fc.nat(6),
  id: fc.nat(30),
  invitation: fc.nat(30),
  key: fc.nat(30),
});

type Anybody = typeof anybody extends fc.Arbitrary<infer Value> ? Value : never;

const move = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('invite' as const), whom: anybody }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('accept' as const), which: fc.nat(9), key: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('configure' as const), named: fc.array(anybody, { maxLength: 4 }) }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('recover' as const), request: fc.nat(1), key: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('dismiss' as const), all: anybody }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('wait' as const), hours: fc.constantFrom(1, 30, 71, 73) }) },
);

/** Maria with three guardians, some of them confirmed. */
function guardedLedger(confirmed: number, hours: number) {
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
    submit({ ...own(acceptGuardian, { invitationId, publicKey }), signer: publicKey });
  submit(created({ enabled: true, guardians: GUARDIAN_ROLES.map((role) => guardian(role)) }));
  GUARDIAN_ROLES.forEach((role, n) => void accept(`invitation ${role}`, CHOSEN[n] ?? ''));
  minutes += hours * HOUR;
  GUARDIAN_ROLES.slice(0, confirmed).forEach((role, n) => {
    submit(own(confirmGuardian, { guardianId: `guardian ${role}`, publicKey: CHOSEN[n] }));
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
      if (!beo) throw new Error('Maria is gone.');
      return beo;
    },
    /** An entry that nobody has signed, and of which only the public part is seen. */
    seal(operation: AnyOperation, facts: object): void {
      const { data } =
        operation.sealed?.publicFacts.safeParse({ timestamp: at(minutes), beoId: MARIA, ...facts }) ?? {};
      if (data) submit({ operation, entityId: MARIA, publicFacts: data });
    },
  };
}

const STORY = fc.tuple(
  fc.array(move, { minLength: 5, maxLength: 40 }),
  fc.integer({ min: 1, max: 3 }),
  fc.constantFrom(0, 100),
  fc.boolean(),
);

type Story = typeof STORY extends fc.Arbitrary<infer Value> ? Value : never;

/** A relayer with forged guardians submits any operations. @yields Maria after each of them */
function* invented([moves, confirmed, hours, required]: Story, namesInvented: boolean): Generator<Beo> {
  const { submit, accept, seal, wait, opened, maria } = guardedLedger(confirmed, hours);
  if (required) submit(own(requireConfirmedGuardians));
  let made = 0;
  function named({ kept, role, which, ...chosen }: Anybody): PublicGuardian {
    const present = maria().recovery.guardians;
    const other = present[which % Math.max(1, present.length)];
    if (kept && other) {
      const { guardianId, invitationId, publicKey } = other;
      const public_key = namesInvented || !isInvented(publicKey) ? publicKey : null;
      return { guardian_id: guardianId, invitation_id: invitationId, role: other.role, public_key };
    }
    const someone = (n: number) => (n < 12 ? present[n % Math.max(1, present.length)] : undefined);
    const others = present.map(({ publicKey }) => publicKey).filter((publicKey) => !isInvented(publicKey));
    const keys = [null, null, null, ...(namesInvented ? INVENTED : []), ...others];
    made += 1;
    return {
      guardian_id: someone(chosen.id)?.guardianId ?? (`guardian ${made}` as GuardianId),
      invitation_id: someone(chosen.invitation)?.invitationId ?? (`invitation ${made}` as InvitationId),
      role,
      public_key: keys[chosen.key % keys.length] ?? null,
    };
  }
  for (const step of moves) {
    if (step.does === 'wait') wait(step.hours);
    if (step.does === 'invite')
      seal(inviteGuardian, { guardian: { ...named({ ...step.whom, kept: false }), public_key: null } });
    if (step.does === 'configure') seal(updateBEORecovery, { enabled: true, guardians: step.named.map(named) });
    if (step.does === 'dismiss') {
      seal(updateBEORecovery, { enabled: true, guardians: [named({ ...step.all, kept: true })] });
    }
    if (step.does === 'accept') {
      const pending = maria().recovery.guardians.filter(({ status }) => status === 'PENDING');
      const invited = pending[step.which % Math.max(1, pending.length)];
      if (invited) accept(invited.invitationId, INVENTED[step.key] ?? '');
    }
    if (step.does === 'recover') {
      const request = own(confirmRecovery, { requestId: `request ${step.request}`, newPublicKey: key('9') });
      submit({ ...request, signer: INVENTED[step.key] ?? '', assigned: opened() });
    }
    yield maria();
  }
}

test('a relayer with guardians of its own moves no identity of whose guardians the holder confirmed one, by invitations and sealed operations that name none of its keys', () => {
  fc.assert(
    fc.property(STORY, (story) => {
      for (const maria of invented(story, false)) {
        expect(maria).toMatchObject({ publicKey: key('a'), recovery: { requests: [] } });
      }
    }),
    { numRuns: 2_000 },
  );
});

test('where a sealed operation names its keys, every confirmation by them is marked as asserted', () => {
  fc.assert(
    fc.property(STORY, (story) => {
      for (const maria of invented(story, true)) {
        const confirmations = maria.recovery.requests.flatMap((request) => request.confirmations);
        for (const { asserted } of confirmations) expect(asserted).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});
