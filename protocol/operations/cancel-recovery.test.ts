import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../days.ts';
import { guardianRow } from '../entities/recovery.ts';
import { activeRecoveryView } from '../entities/social-recovery.ts';
import { cancelRecovery } from './cancel-recovery.ts';
import { lockBEO } from './lock-beo.ts';
import { resignGuardian } from './resign-guardian.ts';
import {
  ANA,
  BRUNO,
  CELIA,
  configure,
  confirm,
  confirmGuardianWith,
  eligibleKeys,
  guardianOf,
  HOLDER,
  HOUR,
  hours,
  ledgerWithGuardians,
  mariaIn,
  NEW,
  OTHER,
  type RecoveryRequest,
  recover,
  recoveryRequest,
} from './test-guardians.ts';
import type { TestLedger } from './test-ledger.ts';
import { answerOf, byHolder, refusalOf } from './test-requests.ts';

const cancellation = ({ requestId }: Pick<RecoveryRequest, 'requestId'>) => byHolder(cancelRecovery, { requestId });

const cancel = (ledger: TestLedger, request: RecoveryRequest, moment: string) =>
  ledger.submit(cancellation(request), moment);

const refusedTo = (ledger: TestLedger, request: RecoveryRequest, moment: string) => {
  const before = ledger.all();
  const error = refusalOf(() => cancel(ledger, request, moment));
  expect(ledger.all()).toEqual(before);
  return error;
};

/** A request that one guardian has confirmed. */
function confirmed(ledger: TestLedger, openedAt: string, guardian = ANA): RecoveryRequest {
  const request = recoveryRequest(openedAt);
  confirm(ledger, request, guardian, openedAt);
  return request;
}

const days = (count: number, ms = 0) => hours((count * DAY_MS) / HOUR, ms);
const active = (ledger: TestLedger, moment: string) => activeRecoveryView(mariaIn(ledger).recovery, Date.parse(moment));

describe('a cancelled recovery', () => {
  test('is closed: no guardian can confirm it, and the key stays', () => {
    const ledger = ledgerWithGuardians();
    const request = confirmed(ledger, hours(1));
    expect(answerOf(ledger, cancellation(request), hours(2))).toEqual({
      request_id: request.requestId,
      cancelled_at: hours(2),
    });
    expect(active(ledger, hours(2))).toBeNull();
    for (const guardian of [ANA, BRUNO]) {
      const error = refusalOf(() => confirm(ledger, request, guardian, hours(3)));
      expect([error.code, error.details]).toEqual(['REQUEST_CLOSED', { cancelled_at: hours(2) }]);
    }
    expect(mariaIn(ledger)).toMatchObject({ publicKey: HOLDER, keyVersion: 1, updatedAt: hours(2) });
  });

  test('leaves other requests open', () => {
    const ledger = ledgerWithGuardians();
    const request = confirmed(ledger, hours(1));
    const other = recoveryRequest(hours(1), OTHER);
    confirm(ledger, other, BRUNO, hours(2));
    cancel(ledger, request, hours(3));
    expect(active(ledger, hours(3))).toMatchObject({ request_id: other.requestId, confirmations: 1 });
    confirm(ledger, other, CELIA, hours(4));
    expect(mariaIn(ledger).publicKey).toBe(OTHER);
  });

  test('is told to the guardians who confirmed, and its links are deleted', () => {
    const ledger = ledgerWithGuardians();
    const request = confirmed(ledger, hours(1), BRUNO);
    const { guardianId } = guardianOf(ledger, BRUNO);
    const before = mariaIn(ledger);
    const { notices } = cancelRecovery.transition(ledger.entities, {
      entityId: before.id,
      subjects: { holder: before.id },
      publicFacts: { beoId: before.id, requestId: request.requestId },
      signer: HOLDER,
      assigned: {},
      acceptedAt: hours(2),
    });
    expect(notices).toEqual([{ kind: 'cancelled', beoId: before.id, guardianId, requestId: request.requestId }]);
    const { rowsToDelete } = cancel(ledger, request, hours(2));
    expect(rowsToDelete).toContain(`recovery:${request.requestId}:${guardianId}`);
  });

  test('may belong to a locked identity, which stays locked', () => {
    const ledger = ledgerWithGuardians();
    const request = confirmed(ledger, hours(1));
    ledger.submit(byHolder(lockBEO), hours(2));
    cancel(ledger, request, hours(3));
    expect(mariaIn(ledger)).toMatchObject({ status: 'LOCKED', recovery: { requests: [] } });
  });
});

describe('a cancellation', () => {
  test('begins the 72 hours of removed guardians anew, and keeps their names as long', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, null, hours(1));
    const request = confirmed(ledger, hours(70));
    const before = mariaIn(ledger);
    const { rowsToExpire } = cancelRecovery.transition(ledger.entities, {
      entityId: before.id,
      subjects: { holder: before.id },
      publicFacts: { beoId: before.id, requestId: request.requestId },
      signer: HOLDER,
      assigned: {},
      acceptedAt: hours(71),
    });
    const ana = guardianRow(guardianOf(ledger, ANA).guardianId);
    expect(rowsToExpire).toContainEqual({ rowId: ana, at: hours(143) });
    cancel(ledger, request, hours(71));
    expect(eligibleKeys(ledger, hours(143))).toEqual([]);
    recover(ledger, [ANA, BRUNO], hours(143, -1));
    expect(eligibleKeys(ledger, hours(1000))).toEqual([ANA, BRUNO, CELIA]);
  });

  test('does not bring back a guardian whose 72 hours are over', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, { primary: ANA, secondary: BRUNO }, hours(1));
    cancel(ledger, confirmed(ledger, hours(73)), hours(73));
    expect(eligibleKeys(ledger, hours(74))).toEqual([ANA, BRUNO]);
  });

  test('begins the 72 hours anew in which a recovery undoes the first confirmation of a guardian', () => {
    const recoveredAt = (moment: string) => {
      const ledger = ledgerWithGuardians();
      for (const guardian of [ANA, BRUNO]) confirmGuardianWith(ledger, guardian, hours(100));
      cancel(ledger, confirmed(ledger, hours(160)), hours(170));
      recover(ledger, [ANA, BRUNO], moment);
      return mariaIn(ledger).recovery.confirmedSince;
    };
    expect(recoveredAt(hours(242, -1))).toBeNull();
    expect(recoveredAt(hours(242))).toBe(hours(100));
  });

  test('keeps a removed guardian eligible for less than 12 days, however often that one asks', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, { primary: ANA, secondary: BRUNO }, hours(0));
    let request = confirmed(ledger, hours(0), CELIA);
    // Each as late as possible, and after the next one was opened.
    for (const [day, ms] of [
      [3, -10],
      [6, -30],
      [9, -50],
    ] as const) {
      const next = confirmed(ledger, days(day, ms - 10), CELIA);
      cancel(ledger, request, days(day, ms));
      request = next;
    }
    expect(eligibleKeys(ledger, days(12, -51))).toContain(CELIA);
    for (const one of [request, confirmed(ledger, days(11), CELIA)]) {
      expect(refusedTo(ledger, one, days(11)).code).toBe('RECOVERY_COOLDOWN');
    }
    expect(eligibleKeys(ledger, days(12))).toEqual([ANA, BRUNO]);
  });
});

describe('cancelling is refused', () => {
  test('for a request that no guardian has confirmed, or whose guardian resigned', () => {
    const ledger = ledgerWithGuardians();
    expect(refusedTo(ledger, recoveryRequest(hours(1)), hours(2)).code).toBe('NOT_FOUND');
    const request = confirmed(ledger, hours(1));
    const { guardianId } = guardianOf(ledger, ANA);
    ledger.submit({ ...byHolder(resignGuardian, { guardianId }), signer: ANA }, hours(2));
    expect(refusedTo(ledger, request, hours(3)).code).toBe('NOT_FOUND');
  });

  test('a second time, with the time of the first', () => {
    const ledger = ledgerWithGuardians();
    const request = confirmed(ledger, hours(1));
    cancel(ledger, request, hours(2));
    expect(refusedTo(ledger, request, hours(3))).toMatchObject({
      code: 'REQUEST_CLOSED',
      details: { cancelled_at: hours(2) },
    });
  });

  test('once the request has expired or was executed', () => {
    const ledger = ledgerWithGuardians();
    const request = confirmed(ledger, hours(1));
    expect(refusedTo(ledger, request, hours(73)).code).toBe('REQUEST_CLOSED');
    recover(ledger, [ANA, BRUNO], hours(80));
    expect(refusedTo(ledger, request, hours(81)).code).toBe('NOT_FOUND');
  });
});

describe('after two cancellations within 7 days', () => {
  const twice = () => {
    const ledger = ledgerWithGuardians();
    for (const day of [1, 2]) cancel(ledger, confirmed(ledger, days(day)), days(day, 1));
    return ledger;
  };

  test('a new request cannot be cancelled, so a thief of the key cannot prevent every recovery', () => {
    const ledger = twice();
    const request = confirmed(ledger, days(3));
    expect(refusedTo(ledger, request, days(4))).toMatchObject({
      code: 'RECOVERY_COOLDOWN',
      details: { until: days(8, 1) },
    });
    // Not later either.
    expect(refusedTo(ledger, request, days(6, -1)).code).toBe('RECOVERY_COOLDOWN');
    confirm(ledger, request, BRUNO, days(5));
    expect(mariaIn(ledger).publicKey).toBe(NEW);
  });

  test('one that was opened before them can be: an attacker gains nothing by opening many at once', () => {
    const ledger = ledgerWithGuardians();
    const requests = [NEW, OTHER, 'ab'.repeat(32), 'cd'.repeat(32)].map((key) => recoveryRequest(hours(1), key));
    for (const request of requests) confirm(ledger, request, ANA, hours(2));
    for (const request of requests) cancel(ledger, request, hours(3));
    expect(active(ledger, hours(3))).toBeNull();
  });

  test('one that is opened 7 days after the first of them can be', () => {
    const ledger = twice();
    const early = confirmed(ledger, days(8, 0));
    expect(refusedTo(ledger, early, days(8, 2)).code).toBe('RECOVERY_COOLDOWN');
    cancel(ledger, confirmed(ledger, days(8, 1), BRUNO), days(8, 2));
  });

  test('a recovery ends the count, because they were made with the key that it replaced', () => {
    const ledger = twice();
    recover(ledger, [ANA, BRUNO], days(3));
    expect(mariaIn(ledger).recovery).not.toHaveProperty('cancelled');
    cancel(ledger, confirmed(ledger, days(4)), days(4, 1));
  });

  test('a request that cannot be cancelled stays so, also if an older one is cancelled later', () => {
    const ledger = ledgerWithGuardians();
    cancel(ledger, confirmed(ledger, days(1)), days(1, 1));
    const older = recoveryRequest(days(5, 2), OTHER);
    confirm(ledger, older, ANA, days(5, 2));
    cancel(ledger, confirmed(ledger, days(5, 3)), days(5, 4));
    const request = confirmed(ledger, days(7));
    cancel(ledger, older, days(8, 1));
    expect(refusedTo(ledger, request, days(8, 2)).code).toBe('RECOVERY_COOLDOWN');
    expect(refusedTo(ledger, request, days(10, -1)).code).toBe('RECOVERY_COOLDOWN');
  });

  test('only those of the last 10 days are remembered', () => {
    const ledger = twice();
    cancel(ledger, confirmed(ledger, days(12), BRUNO), days(12, 1));
    expect(mariaIn(ledger).recovery.cancelled).toHaveLength(1);
  });
});
