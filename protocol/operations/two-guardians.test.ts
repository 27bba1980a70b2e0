import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { GUARDIAN_ROLES, type GuardianRole } from '../ids.ts';
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
import { key, own } from './test-requests.ts';
import { unlockBEO } from './unlock-beo.ts';

/** Ana is the only dishonest guardian; the relayer has every link and its own keys. */
const AGAINST = [ANA, OTHER, NEW, HOLDER, key('5'), key('6'), ''];
const FRIENDS = { primary: ANA, secondary: BRUNO, tertiary: CELIA };

const hostile = fc.constantFrom(...AGAINST);
const attack = fc.record({
  does: fc.constant('attack' as const),
  signer: fc.oneof({ weight: 5, arbitrary: fc.constant(ANA) }, { weight: 5, arbitrary: hostile }),
  request: fc.constantFrom('one', 'two', 'three'),
  newPublicKey: fc.constantFrom(NEW, OTHER, ANA, BRUNO, key('6')),
  opened: fc.oneof(fc.integer({ min: -80, max: 2 }), fc.constant(null)),
});
const step = fc.oneof(
  { weight: 10, arbitrary: attack },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('accept' as const), which: fc.nat(2), key: hostile }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('invite' as const), role: fc.constantFrom(...GUARDIAN_ROLES) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('name' as const),
      roles: fc.subarray([...GUARDIAN_ROLES]),
      enabled: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('vouch' as const), key: fc.constantFrom(ANA, BRUNO, CELIA) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('rotate' as const), key: fc.constantFrom('a', 'b', 'f', '4') }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('lock' as const, 'unlock' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function take(ledger: TestLedger, taken: Step, now: number): void {
  const moment = new Date(now).toISOString();
  const { guardians, confirmedSince } = mariaIn(ledger).recovery;
  switch (taken.does) {
    case 'attack': {
      const { signer, request, newPublicKey, opened } = taken;
      const openedAt = opened === null ? moment : new Date(now + opened * HOUR).toISOString();
      const sent = confirmation({ requestId: request, newPublicKey, openedAt }, signer);
      ledger.submit({ ...sent, signer: signer === '' ? null : signer }, moment);
      return;
    }
    case 'accept': {
      const pending = guardians.filter(({ status }) => status === 'PENDING');
      const invitation = pending[taken.which % (pending.length || 1)];
      if (invitation) accept(ledger, invitation, taken.key, moment);
      return;
    }
    case 'invite':
      // Without confirmations the holder trusts the relayer about who accepted; the pages warn about it.
      if (confirmedSince) invite(ledger, taken.role, moment);
      return;
    case 'name': {
      const named = taken.roles.map((role: GuardianRole) => [role, FRIENDS[role]]);
      configure(ledger, Object.fromEntries(named), moment, taken.enabled);
      return;
    }
    case 'vouch':
      if (guardians.some((guardian) => guardian.publicKey === taken.key))
        confirmGuardianWith(ledger, taken.key, moment);
      return;
    case 'rotate':
      ledger.submit(own(rotateBEOKey, { newPublicKey: key(taken.key) }), moment);
      return;
    case 'lock':
      ledger.submit(own(lockBEO), moment);
      return;
    case 'unlock':
      ledger.submit(own(unlockBEO), moment);
  }
}

const wait = fc.oneof(fc.nat(2 * HOUR), fc.constantFrom(0, 24 * HOUR, 72 * HOUR - 1, 72 * HOUR, 200 * HOUR));

test('without two eligible guardians only the current key changes the key', () => {
  const seen = new Set<string>();
  const steps = fc.array(fc.record({ taken: step, wait }), { minLength: 1, maxLength: 40, size: 'max' });
  const confirmed = fc.subarray([ANA, BRUNO, CELIA]);
  fc.assert(
    fc.property(confirmed, steps, (vouched, story) => {
      const ledger = ledgerWithGuardians([ANA, BRUNO, CELIA], vouched);
      let now = Date.parse(hours(1));
      for (const { taken, wait } of story) {
        now += wait;
        const { publicKey, keyVersion, recovery } = mariaIn(ledger);
        try {
          take(ledger, taken, now);
          seen.add(taken.does);
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error;
          seen.add(error.code);
        }
        const after = mariaIn(ledger);
        expect(after.recovery.recoveredAt).toBe(recovery.recoveredAt);
        if (taken.does !== 'rotate') expect(after).toMatchObject({ publicKey, keyVersion });
        const confirmations = after.recovery.requests.flatMap((request) => request.confirmations);
        expect(confirmations.every(({ publicKey: signer }) => signer === ANA)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(['attack', 'accept', 'invite', 'name', 'vouch', 'rotate', 'lock', 'unlock']),
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
  ledger.submit(own(destroyBEO), hours(2));
  expect(mariaIn(ledger).recovery.requests).toEqual([]);
});
