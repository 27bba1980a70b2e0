import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GUARDIAN_ROLES, type GuardianRole } from '../entities/guardian.ts';
import { ProtocolError } from '../errors.ts';
import { destroyBEO } from './destroy-beo.ts';
import { lockBEO } from './lock-beo.ts';
import { rotateBEOKey } from './rotate-beo-key.ts';
import {
  ANA,
  accept,
  BRUNO,
  CELIA,
  configure,
  confirm,
  confirmation,
  confirmGuardianWith,
  HOLDER,
  HOUR,
  hours,
  invite,
  ledgerWithGuardians,
  mariaIn,
  NEW,
  OTHER,
  recoveryRequest,
} from './test-guardians.ts';
import type { TestLedger } from './test-ledger.ts';
import { byHolder, key } from './test-requests.ts';
import { unlockBEO } from './unlock-beo.ts';

/** Ana is the only dishonest guardian; the relayer has every link and its own keys. */
const HOSTILE_KEYS = [ANA, OTHER, NEW, HOLDER, key('5'), key('6'), ''];
const GUARDIANS = { primary: ANA, secondary: BRUNO, tertiary: CELIA };

const hostileKey = fc.constantFrom(...HOSTILE_KEYS);
const attack = fc.record({
  type: fc.constant('attack' as const),
  signer: fc.oneof({ weight: 5, arbitrary: fc.constant(ANA) }, { weight: 5, arbitrary: hostileKey }),
  request: fc.constantFrom('one', 'two', 'three'),
  newPublicKey: fc.constantFrom(NEW, OTHER, ANA, BRUNO, key('6')),
  opened: fc.oneof(fc.integer({ min: -80, max: 2 }), fc.constant(null)),
});
const step = fc.oneof(
  { weight: 10, arbitrary: attack },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('accept' as const), which: fc.nat(2), key: hostileKey }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('invite' as const), role: fc.constantFrom(...GUARDIAN_ROLES) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('configure' as const),
      roles: fc.subarray([...GUARDIAN_ROLES]),
      enabled: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('confirm' as const), key: fc.constantFrom(ANA, BRUNO, CELIA) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('rotate' as const), key: fc.constantFrom('a', 'b', 'f', '4') }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('lock' as const, 'unlock' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function submitStep(ledger: TestLedger, step: Step, now: number): void {
  const moment = new Date(now).toISOString();
  const { guardians, confirmedSince } = mariaIn(ledger).recovery;
  switch (step.type) {
    case 'attack': {
      const { signer, request, newPublicKey, opened } = step;
      const openedAt = opened === null ? moment : new Date(now + opened * HOUR).toISOString();
      const sent = confirmation({ requestId: request, newPublicKey, openedAt }, signer);
      ledger.submit({ ...sent, signer: signer === '' ? null : signer }, moment);
      return;
    }
    case 'accept': {
      const pending = guardians.filter(({ status }) => status === 'PENDING');
      const invitation = pending[step.which % (pending.length || 1)];
      if (invitation) accept(ledger, invitation, step.key, moment);
      return;
    }
    case 'invite':
      // Without a confirmed guardian, the holder must trust the relayer about who accepted.
      if (confirmedSince) invite(ledger, step.role, moment);
      return;
    case 'configure': {
      const configured = step.roles.map((role: GuardianRole) => [role, GUARDIANS[role]]);
      configure(ledger, Object.fromEntries(configured), moment, step.enabled);
      return;
    }
    case 'confirm':
      if (guardians.some((guardian) => guardian.publicKey === step.key)) confirmGuardianWith(ledger, step.key, moment);
      return;
    case 'rotate':
      ledger.submit(byHolder(rotateBEOKey, { newPublicKey: key(step.key) }), moment);
      return;
    case 'lock':
      ledger.submit(byHolder(lockBEO), moment);
      return;
    case 'unlock':
      ledger.submit(byHolder(unlockBEO), moment);
  }
}

const wait = fc.oneof(fc.nat(2 * HOUR), fc.constantFrom(0, 24 * HOUR, 72 * HOUR - 1, 72 * HOUR, 200 * HOUR));

test('without two eligible guardians, only the current key can change the key', () => {
  const seen = new Set<string>();
  const steps = fc.array(fc.record({ step, wait }), { minLength: 1, maxLength: 40, size: 'max' });
  fc.assert(
    fc.property(fc.subarray([ANA, BRUNO, CELIA]), steps, (confirmed, history) => {
      const ledger = ledgerWithGuardians([ANA, BRUNO, CELIA], confirmed);
      let now = Date.parse(hours(1));
      for (const { step, wait } of history) {
        now += wait;
        const { publicKey, keyVersion, recovery } = mariaIn(ledger);
        try {
          submitStep(ledger, step, now);
          seen.add(step.type);
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error;
          seen.add(error.code);
        }
        const after = mariaIn(ledger);
        expect(after.recovery.recoveredAt).toBe(recovery.recoveredAt);
        if (step.type !== 'rotate') expect(after).toMatchObject({ publicKey, keyVersion });
        const confirmations = after.recovery.requests.flatMap((request) => request.confirmations);
        expect(confirmations.every(({ publicKey: signer }) => signer === ANA)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(['attack', 'accept', 'invite', 'configure', 'confirm', 'rotate', 'lock', 'unlock']),
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(['LINK_EXPIRED', 'ALREADY_CONFIRMED', 'PUBLIC_KEY_TAKEN', 'INTERNAL', 'BEO_LOCKED']),
  );
});

test('two requests for two keys with one confirmation each change nothing', () => {
  const ledger = ledgerWithGuardians();
  confirm(ledger, recoveryRequest(hours(1), NEW), ANA, hours(1));
  confirm(ledger, recoveryRequest(hours(1), OTHER), BRUNO, hours(1));
  expect(mariaIn(ledger)).toMatchObject({ publicKey: HOLDER, keyVersion: 1 });
  ledger.submit(byHolder(destroyBEO), hours(2));
  expect(mariaIn(ledger).recovery.requests).toEqual([]);
});
