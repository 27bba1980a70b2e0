import { describe, expect, test } from 'vitest';
import { activeRecoveryView } from '../entities/social-recovery.ts';
import { destroyBEO } from './destroy-beo.ts';
import { lockBEO } from './lock-beo.ts';
import { rotateBEOKey } from './rotate-beo-key.ts';
import {
  ANA,
  BRUNO,
  CELIA,
  configure,
  confirm,
  confirmation,
  guardiansByRole,
  HOLDER,
  hours,
  ledgerWithGuardians,
  mariaIn,
  NEW,
  OTHER,
  recover,
  recoveryRequest,
} from './test-guardians.ts';
import type { TestLedger } from './test-ledger.ts';
import { answerOf, byHolder, consentGrant, ieoCreation, refusalOf, requireEntity } from './test-requests.ts';

const refusalTo = (
  ledger: TestLedger,
  ...[request, signer, moment]: [ReturnType<typeof recoveryRequest>, string, string]
) => {
  const before = ledger.all();
  const error = refusalOf(() => confirm(ledger, request, signer, moment));
  expect(ledger.all()).toEqual(before);
  return error;
};
const active = (ledger: TestLedger, moment: string) => activeRecoveryView(mariaIn(ledger).recovery, Date.parse(moment));

describe('a recovery', () => {
  test('is executed by two guardians, and not by one', () => {
    const ledger = ledgerWithGuardians();
    const request = recoveryRequest(hours(1));
    expect(answerOf(ledger, confirmation(request, ANA), hours(2))).toEqual({
      request_id: request.requestId,
      confirmations: 1,
      confirmations_needed: 2,
      executed: false,
    });
    expect(mariaIn(ledger)).toMatchObject({ publicKey: HOLDER, keyVersion: 1, updatedAt: hours(2) });
    expect(answerOf(ledger, confirmation(request, CELIA), hours(3))).toEqual({
      request_id: request.requestId,
      confirmations: 2,
      confirmations_needed: 2,
      executed: true,
    });
    expect(mariaIn(ledger)).toMatchObject({ publicKey: NEW, keyVersion: 2, updatedAt: hours(3) });
    expect(mariaIn(ledger).recovery).toMatchObject({ recoveredAt: hours(3), requests: [], enabled: true });
    expect(guardiansByRole(ledger)).toEqual({ primary: ANA, secondary: BRUNO, tertiary: CELIA });
  });

  test('is executed by any two of three', () => {
    for (const [one, other] of [
      [ANA, BRUNO],
      [BRUNO, ANA],
      [BRUNO, CELIA],
      [CELIA, ANA],
    ] as const) {
      const ledger = ledgerWithGuardians();
      recover(ledger, [one, other], hours(1));
      expect(mariaIn(ledger).publicKey).toBe(NEW);
    }
  });

  test('keeps a locked identity locked, and changes no consent', () => {
    const ledger = ledgerWithGuardians();
    ledger.submit(ieoCreation(), hours(0));
    ledger.submit(consentGrant(), hours(0));
    const consent = requireEntity(ledger, 'TOKEN');
    ledger.submit(byHolder(lockBEO), hours(1));
    recover(ledger, [ANA, BRUNO], hours(2));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: NEW, status: 'LOCKED', lockedAt: hours(1) });
    expect(requireEntity(ledger, 'TOKEN')).toEqual(consent);
  });

  test('increases the key version, also if the key was rotated in the meantime', () => {
    const ledger = ledgerWithGuardians();
    const request = recoveryRequest(hours(1));
    confirm(ledger, request, ANA, hours(2));
    ledger.submit(byHolder(rotateBEOKey, { newPublicKey: OTHER }), hours(3));
    confirm(ledger, request, BRUNO, hours(4));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: NEW, keyVersion: 3 });
  });

  test('is executed even if a thief rotates to the new key first', () => {
    const ledger = ledgerWithGuardians();
    const request = recoveryRequest(hours(1));
    confirm(ledger, request, ANA, hours(2));
    ledger.submit(byHolder(rotateBEOKey, { newPublicKey: NEW }), hours(3));
    confirm(ledger, request, BRUNO, hours(4));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: NEW, keyVersion: 3, recovery: { recoveredAt: hours(4) } });
  });

  test('can follow another', () => {
    const ledger = ledgerWithGuardians();
    recover(ledger, [ANA, BRUNO], hours(1));
    recover(ledger, [BRUNO, CELIA], hours(2), OTHER);
    expect(mariaIn(ledger)).toMatchObject({ publicKey: OTHER, keyVersion: 3, recovery: { recoveredAt: hours(2) } });
  });
});

describe('a confirmation', () => {
  test('counts once per guardian; the response has the progress', () => {
    const ledger = ledgerWithGuardians();
    const request = recoveryRequest(hours(1));
    confirm(ledger, request, ANA, hours(2));
    expect(refusalTo(ledger, request, ANA, hours(3))).toMatchObject({
      code: 'ALREADY_CONFIRMED',
      details: { confirmations: 1, confirmations_needed: 2 },
    });
  });

  test('counts only for its request: one for each of two executes neither', () => {
    const ledger = ledgerWithGuardians();
    const [one, other] = [recoveryRequest(hours(1)), recoveryRequest(hours(1), NEW, 'another request')];
    confirm(ledger, one, ANA, hours(2));
    confirm(ledger, other, BRUNO, hours(2));
    expect(mariaIn(ledger).publicKey).toBe(HOLDER);
    confirm(ledger, other, CELIA, hours(3));
    expect(mariaIn(ledger).publicKey).toBe(NEW);
  });

  test('for the same request with another key or opening time is an internal error', () => {
    const ledger = ledgerWithGuardians();
    const request = recoveryRequest(hours(1));
    confirm(ledger, request, ANA, hours(2));
    expect(refusalTo(ledger, { ...request, newPublicKey: OTHER }, BRUNO, hours(3)).code).toBe('INTERNAL');
    expect(refusalTo(ledger, { ...request, openedAt: hours(2) }, BRUNO, hours(3)).code).toBe('INTERNAL');
  });

  test.each(['', 'yesterday', '2026-01-31T12:00:00Z', hours(4, 30_001)])(
    'needs a valid opening time, not %j',
    (openedAt) => {
      expect(refusalTo(ledgerWithGuardians(), { ...recoveryRequest(hours(1)), openedAt }, ANA, hours(4)).code).toBe(
        'INTERNAL',
      );
    },
  );

  test('is rejected from an unknown key, the holder, the new key and without a key', () => {
    const ledger = ledgerWithGuardians();
    for (const signer of [OTHER, HOLDER, NEW, '']) {
      const error = refusalTo(ledger, recoveryRequest(hours(1)), signer, hours(1));
      expect(error).toMatchObject({ code: 'LINK_EXPIRED', details: { reason: 'SUPERSEDED' } });
    }
    const unsigned = { ...confirmation(recoveryRequest(hours(1)), ''), signer: null };
    expect(refusalOf(() => ledger.submit(unsigned, hours(1))).details).toEqual({ reason: 'SUPERSEDED' });
  });

  test('is rejected from a guardian who was named by key and has not accepted', () => {
    const ledger = ledgerWithGuardians([ANA]);
    configure(ledger, { primary: ANA, secondary: BRUNO }, hours(0));
    expect(refusalTo(ledger, recoveryRequest(hours(1)), BRUNO, hours(1)).details).toEqual({ reason: 'SUPERSEDED' });
  });

  test('is accepted for exactly 72 hours after the request was opened', () => {
    const ledger = ledgerWithGuardians();
    const request = recoveryRequest(hours(1));
    confirm(ledger, request, ANA, hours(73, -1));
    expect(refusalTo(ledger, request, BRUNO, hours(73))).toMatchObject({
      code: 'LINK_EXPIRED',
      details: { expires_at: hours(73) },
    });
    confirm(ledger, request, BRUNO, hours(73, -1));
    expect(mariaIn(ledger).publicKey).toBe(NEW);
  });

  test('is rejected for a destroyed identity', () => {
    const ledger = ledgerWithGuardians();
    const request = recoveryRequest(hours(1));
    confirm(ledger, request, ANA, hours(2));
    expect(ledger.submit(byHolder(destroyBEO), hours(3)).vaultsToErase).toEqual(['maria']);
    expect(refusalTo(ledger, request, BRUNO, hours(4)).code).toBe('BEO_DESTROYED');
    expect(active(ledger, hours(4))).toBeNull();
  });
});

describe('what a recovery closes', () => {
  test('are all requests opened before or at the same time', () => {
    const ledger = ledgerWithGuardians();
    const [executed, confirmedOnce, unconfirmed] = [
      recoveryRequest(hours(1)),
      recoveryRequest(hours(1), OTHER),
      recoveryRequest(hours(3), OTHER),
    ];
    confirm(ledger, confirmedOnce, CELIA, hours(2));
    for (const signer of [ANA, BRUNO]) confirm(ledger, executed, signer, hours(3));
    for (const request of [executed, confirmedOnce, unconfirmed]) {
      const error = refusalTo(ledger, request, CELIA, hours(3));
      expect(error).toMatchObject({ code: 'REQUEST_CLOSED', details: { recovered_at: hours(3) } });
    }
    confirm(ledger, recoveryRequest(hours(3, 1), OTHER), CELIA, hours(4));
  });

  test('are destroyBEO and updateRecovery for 24 hours, and no other operation', () => {
    const ledger = ledgerWithGuardians();
    recover(ledger, [ANA, BRUNO], hours(1));
    for (const action of [
      () => ledger.submit(byHolder(destroyBEO), hours(25, -1)),
      () => configure(ledger, { primary: ANA }, hours(25, -1)),
    ]) {
      expect(refusalOf(action)).toMatchObject({ code: 'RECOVERY_COOLDOWN', details: { until: hours(25) } });
    }
    ledger.submit(byHolder(rotateBEOKey, { newPublicKey: OTHER }), hours(2));
    ledger.submit(byHolder(lockBEO), hours(3));
    expect(refusalOf(() => ledger.submit(byHolder(destroyBEO), hours(4))).code).toBe('RECOVERY_COOLDOWN');
    ledger.submit(byHolder(destroyBEO), hours(25));
  });

  test('the cooldown starts again with each recovery', () => {
    const ledger = ledgerWithGuardians();
    recover(ledger, [ANA, BRUNO], hours(1));
    recover(ledger, [ANA, BRUNO], hours(20), OTHER);
    expect(refusalOf(() => ledger.submit(byHolder(destroyBEO), hours(44, -1))).details).toEqual({ until: hours(44) });
    configure(ledger, null, hours(44));
  });
});

describe('active_recovery', () => {
  test('is null until a guardian has confirmed a request, and once it is expired or executed', () => {
    const ledger = ledgerWithGuardians();
    expect(active(ledger, hours(1))).toBeNull();
    confirm(ledger, recoveryRequest(hours(1)), ANA, hours(2));
    expect(active(ledger, hours(2))).toEqual({
      request_id: recoveryRequest(hours(1)).requestId,
      new_public_key: NEW,
      confirmations: 1,
      confirmations_needed: 2,
      expires_at: hours(73),
    });
    expect(active(ledger, hours(73, -1))).not.toBeNull();
    expect(active(ledger, hours(73))).toBeNull();
    confirm(ledger, recoveryRequest(hours(1)), BRUNO, hours(3));
    expect(active(ledger, hours(3))).toBeNull();
  });

  test('is the latest of several requests', () => {
    const ledger = ledgerWithGuardians();
    for (const hour of [2, 3, 1]) confirm(ledger, recoveryRequest(hours(hour)), ANA, hours(4));
    expect(active(ledger, hours(4))).toMatchObject({ expires_at: hours(75) });
    expect(active(ledger, hours(75))).toBeNull();
  });
});

describe('many confirmations of one guardian', () => {
  const many = Array.from({ length: 40 }, (_, index) => recoveryRequest(hours(1), NEW, `request ${index}`));

  test('are limited to the latest ten', () => {
    const ledger = ledgerWithGuardians();
    for (const [index, request] of many.entries()) confirm(ledger, request, ANA, hours(2, index));
    const { requests } = mariaIn(ledger).recovery;
    expect(requests.map(({ requestId }) => requestId)).toEqual(many.slice(-10).map(({ requestId }) => requestId));
    confirm(ledger, many[39] ?? recoveryRequest(''), BRUNO, hours(3));
    expect(mariaIn(ledger).publicKey).toBe(NEW);
  });

  test('drop no confirmation of others, and a dropped request can be confirmed again', () => {
    const ledger = ledgerWithGuardians();
    const [first = recoveryRequest('')] = many;
    confirm(ledger, first, BRUNO, hours(1));
    for (const [index, request] of many.slice(1).entries()) confirm(ledger, request, ANA, hours(2, index));
    expect(mariaIn(ledger).recovery.requests[0]).toMatchObject({
      requestId: first.requestId,
      confirmations: [{ publicKey: BRUNO }],
    });
    confirm(ledger, many[1] ?? first, ANA, hours(3));
    confirm(ledger, first, ANA, hours(4));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: NEW, recovery: { recoveredAt: hours(4) } });
  });

  test('an expired request is dropped with the next confirmation', () => {
    const ledger = ledgerWithGuardians();
    for (const request of many.slice(0, 5)) confirm(ledger, request, ANA, hours(2));
    confirm(ledger, recoveryRequest(hours(73)), BRUNO, hours(73));
    expect(mariaIn(ledger).recovery.requests.map(({ openedAt }) => openedAt)).toEqual([hours(73)]);
  });
});
