import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { GUARDIAN_ROLES, type GuardianRole } from '../ids.ts';
import { confirmGuardian } from './confirm-guardian.ts';
import { lockBEO } from './lock-beo.ts';
import { rotateBEOKey } from './rotate-beo-key.ts';
import {
  ANA,
  accept,
  BRUNO,
  CELIA,
  configure,
  eligibleKeys,
  HOUR,
  hours,
  invite,
  ledgerWithGuardians,
  mariaIn,
  NEW,
  recover,
  replaceAll,
} from './test-guardians.ts';
import type { TestLedger } from './test-ledger.ts';
import { key, own, START } from './test-requests.ts';
import { unlockBEO } from './unlock-beo.ts';

/** When the thief gets the key: the guardians have been eligible for 72 hours. */
const THEFT = 72;
const GRACE = 72 * HOUR;
const ACCOMPLICES = [key('6'), key('7'), key('8'), key('9')];

const role = fc.constantFrom(...GUARDIAN_ROLES);
const accomplice = fc.constantFrom(...ACCOMPLICES);
const anyKey = fc.constantFrom(...ACCOMPLICES, ANA, BRUNO, CELIA, NEW, key('5'));
/** Keys that accept a thief’s invitations: accomplices, and deceived guardians. */
const taker = fc.constantFrom(...ACCOMPLICES, ANA, BRUNO, CELIA);
const named = fc.dictionary(role, fc.option(anyKey), { maxKeys: 3 });

const theft = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('name' as const),
      named: fc.option(named, { freq: 6 }),
      enabled: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('invite' as const), role }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('accept' as const), which: fc.nat(2), key: taker }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('confirm' as const), which: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('rotate' as const), key: anyKey }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('lock' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('unlock' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('recover' as const),
      key: anyKey,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('replace' as const),
      others: fc.tuple(accomplice, accomplice).filter(([one, other]) => one !== other),
    }),
  },
);
type Theft = typeof theft extends fc.Arbitrary<infer Value> ? Value : never;

function commit(ledger: TestLedger, step: Theft, moment: string): void {
  const { guardians } = mariaIn(ledger).recovery;
  switch (step.does) {
    case 'name':
      configure(ledger, step.named as Partial<Record<GuardianRole, string | null>> | null, moment, step.enabled);
      return;
    case 'invite':
      invite(ledger, step.role, moment);
      return;
    case 'accept': {
      const pending = guardians.filter(({ status }) => status === 'PENDING');
      const invitation = pending[step.which % (pending.length || 1)];
      if (invitation) accept(ledger, invitation, step.key, moment);
      return;
    }
    case 'confirm': {
      const guardian = guardians[step.which % (guardians.length || 1)];
      if (!guardian) return;
      const { guardianId, publicKey } = guardian;
      ledger.submit(own(confirmGuardian, { guardianId, publicKey }), moment);
      return;
    }
    case 'rotate':
      ledger.submit(own(rotateBEOKey, { newPublicKey: step.key }), moment);
      return;
    case 'lock':
      ledger.submit(own(lockBEO), moment);
      return;
    case 'unlock':
      ledger.submit(own(unlockBEO), moment);
      return;
    case 'replace':
      replaceAll(ledger, { primary: step.others[0], tertiary: step.others[1] }, moment);
      return;
    case 'recover': {
      const [one, other] = eligibleKeys(ledger, moment).filter((guardian) => ACCOMPLICES.includes(guardian));
      if (one && other) recover(ledger, [one, other], moment, step.key);
    }
  }
}

const ORIGINALS = fc.constantFrom<readonly string[]>([ANA, BRUNO], [ANA, BRUNO, CELIA], [ANA, BRUNO, CELIA]);
const wait = fc.oneof(
  { weight: 8, arbitrary: fc.nat(HOUR) },
  { weight: 2, arbitrary: fc.nat(25 * HOUR) },
  { weight: 1, arbitrary: fc.constantFrom(0, 24 * HOUR, GRACE) },
);
const deeds = fc.array(fc.record({ step: theft, wait }), { minLength: 1, maxLength: 25, size: 'max' });

const story = ORIGINALS.chain((originals) =>
  fc.record({
    originals: fc.constant(originals),
    confirmed: fc.boolean(),
    deeds,
    helpers: fc.shuffledSubarray([...originals], { minLength: 2, maxLength: 2 }),
    patience: fc.nat(GRACE),
  }),
);
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

/** The thief submits any operations within 72 hours; then two guardians recover the identity. */
function recovered({ originals, confirmed, deeds, helpers, patience }: Story, done: Set<string>): TestLedger {
  const ledger = ledgerWithGuardians(originals, confirmed ? originals : []);
  const theft = Date.parse(hours(THEFT));
  let now = theft;
  for (const { step, wait } of deeds) {
    if (now + wait >= theft + GRACE) break;
    now += wait;
    try {
      commit(ledger, step, new Date(now).toISOString());
      done.add(step.does);
      if (mariaIn(ledger).recovery.recoveredAt !== null) done.add('recovered by accomplices');
    } catch (error) {
      if (!(error instanceof ProtocolError) || error.code === 'INTERNAL') throw error;
    }
  }
  const moment = new Date(Math.min(now + 1 + patience, theft + GRACE - 1)).toISOString();
  const [one = ANA, other = BRUNO] = helpers;
  recover(ledger, [one, other], moment);
  return ledger;
}

const keysOf = (ledger: TestLedger) =>
  mariaIn(ledger).recovery.guardians.flatMap(({ status, publicKey }) =>
    status === 'ACTIVE' && publicKey !== null ? [publicKey] : [],
  );

describe('a thief of the holder’s key, within 72 hours', () => {
  test('cannot prevent two guardians from recovering the identity, nor the guardians from being restored', () => {
    const done = new Set<string>();
    fc.assert(
      fc.property(story, (told) => {
        const ledger = recovered(told, done);
        expect(mariaIn(ledger).publicKey).toBe(NEW);
        expect(keysOf(ledger)).toEqual(expect.arrayContaining([...told.originals]));
        if (told.originals.length === 3) expect(keysOf(ledger)).toHaveLength(3);
        const statuses = mariaIn(ledger).recovery.guardians.map(({ status }) => status);
        expect(statuses).not.toContain('REMOVED');
      }),
      { numRuns: 400 },
    );
    expect([...done].sort()).toEqual(
      [
        ...['accept', 'confirm', 'invite', 'lock', 'name', 'replace', 'rotate', 'unlock'],
        ...['recover', 'recovered by accomplices'],
      ].sort(),
    );
  });

  test('leaves the guardians eligible after the recovery, and not two accomplices', () => {
    const years = new Date(START + 10 * 365 * 24 * HOUR).toISOString();
    fc.assert(
      fc.property(story, (told) => {
        const still = eligibleKeys(recovered(told, new Set()), years);
        expect(still).toEqual(expect.arrayContaining([...told.originals]));
        expect(still.filter((one) => ACCOMPLICES.includes(one)).length).toBeLessThanOrEqual(3 - told.originals.length);
      }),
      { numRuns: 400 },
    );
  });
});
