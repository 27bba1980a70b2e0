import { describe, expect, test } from 'vitest';
import { activeRecoveryView } from '../social-recovery.ts';
import { destroyBEO } from './destroy-beo.ts';
import { lockBEO } from './lock-beo.ts';
import { rotateBEOKey } from './rotate-beo-key.ts';
import {
  ANA,
  asked,
  BRUNO,
  CELIA,
  configure,
  confirm,
  confirmation,
  HOLDER,
  hours,
  mariaIn,
  mariaWith,
  NEW,
  OTHER,
  recover,
  seats,
} from './test-guardians.ts';
import type { TestLedger } from './test-ledger.ts';
import { answerOf, found, founded, granted, own, refusalOf } from './test-requests.ts';

const refused = (ledger: TestLedger, ...[request, signer, moment]: [ReturnType<typeof asked>, string, string]) => {
  const before = ledger.all();
  const error = refusalOf(() => confirm(ledger, request, signer, moment));
  expect(ledger.all()).toEqual(before);
  return error;
};
const active = (ledger: TestLedger, moment: string) => activeRecoveryView(mariaIn(ledger).recovery, Date.parse(moment));

describe('a recovery', () => {
  test('is executed by two guardians, and not by one', () => {
    const ledger = mariaWith();
    const request = asked(hours(1));
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
    expect(seats(ledger)).toEqual({ primary: ANA, secondary: BRUNO, tertiary: CELIA });
  });

  test('is executed by any two of three', () => {
    for (const [one, other] of [
      [ANA, BRUNO],
      [BRUNO, ANA],
      [BRUNO, CELIA],
      [CELIA, ANA],
    ] as const) {
      const ledger = mariaWith();
      recover(ledger, [one, other], hours(1));
      expect(mariaIn(ledger).publicKey).toBe(NEW);
    }
  });

  test('leaves a locked identity locked, and consents as they are', () => {
    const ledger = mariaWith();
    ledger.submit(founded(), hours(0));
    ledger.submit(granted(), hours(0));
    const consent = found(ledger, 'TOKEN');
    ledger.submit(own(lockBEO), hours(1));
    recover(ledger, [ANA, BRUNO], hours(2));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: NEW, status: 'LOCKED', lockedAt: hours(1) });
    expect(found(ledger, 'TOKEN')).toEqual(consent);
  });

  test('is one more version of the key, however often the old one was rotated meanwhile', () => {
    const ledger = mariaWith();
    const request = asked(hours(1));
    confirm(ledger, request, ANA, hours(2));
    ledger.submit(own(rotateBEOKey, { newPublicKey: OTHER }), hours(3));
    confirm(ledger, request, BRUNO, hours(4));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: NEW, keyVersion: 3 });
  });

  test('goes through though a thief rotates onto the new key first', () => {
    const ledger = mariaWith();
    const request = asked(hours(1));
    confirm(ledger, request, ANA, hours(2));
    ledger.submit(own(rotateBEOKey, { newPublicKey: NEW }), hours(3));
    confirm(ledger, request, BRUNO, hours(4));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: NEW, keyVersion: 3, recovery: { recoveredAt: hours(4) } });
  });

  test('can follow another', () => {
    const ledger = mariaWith();
    recover(ledger, [ANA, BRUNO], hours(1));
    recover(ledger, [BRUNO, CELIA], hours(2), OTHER);
    expect(mariaIn(ledger)).toMatchObject({ publicKey: OTHER, keyVersion: 3, recovery: { recoveredAt: hours(2) } });
  });
});

describe('a confirmation', () => {
  test('counts once for each guardian, and says how far the request is', () => {
    const ledger = mariaWith();
    const request = asked(hours(1));
    confirm(ledger, request, ANA, hours(2));
    expect(refused(ledger, request, ANA, hours(3))).toMatchObject({
      code: 'ALREADY_CONFIRMED',
      details: { confirmations: 1, confirmations_needed: 2 },
    });
  });

  test('counts for its request: two of two requests execute neither', () => {
    const ledger = mariaWith();
    const [one, other] = [asked(hours(1)), asked(hours(1), NEW, 'another request')];
    confirm(ledger, one, ANA, hours(2));
    confirm(ledger, other, BRUNO, hours(2));
    expect(mariaIn(ledger).publicKey).toBe(HOLDER);
    confirm(ledger, other, CELIA, hours(3));
    expect(mariaIn(ledger).publicKey).toBe(NEW);
  });

  test('counts for its key: the same request with another is an error of the service, as with another opening', () => {
    const ledger = mariaWith();
    const request = asked(hours(1));
    confirm(ledger, request, ANA, hours(2));
    expect(refused(ledger, { ...request, newPublicKey: OTHER }, BRUNO, hours(3)).code).toBe('INTERNAL');
    expect(refused(ledger, { ...request, openedAt: hours(2) }, BRUNO, hours(3)).code).toBe('INTERNAL');
  });

  test.each(['', 'yesterday', '2026-01-31T12:00:00Z', hours(4, 30_001)])(
    'needs a true opening, and not %j',
    (openedAt) => {
      expect(refused(mariaWith(), { ...asked(hours(1)), openedAt }, ANA, hours(4)).code).toBe('INTERNAL');
    },
  );

  test('is no stranger’s, no holder’s, no new key’s, and nobody’s', () => {
    const ledger = mariaWith();
    for (const signer of [OTHER, HOLDER, NEW, '']) {
      const error = refused(ledger, asked(hours(1)), signer, hours(1));
      expect(error).toMatchObject({ code: 'LINK_EXPIRED', details: { reason: 'SUPERSEDED' } });
    }
    const unsigned = { ...confirmation(asked(hours(1)), ''), signer: null };
    expect(refusalOf(() => ledger.submit(unsigned, hours(1))).details).toEqual({ reason: 'SUPERSEDED' });
  });

  test('is nobody’s who was only named by key and has not accepted', () => {
    const ledger = mariaWith([ANA]);
    configure(ledger, { primary: ANA, secondary: BRUNO }, hours(0));
    expect(refused(ledger, asked(hours(1)), BRUNO, hours(1)).details).toEqual({ reason: 'SUPERSEDED' });
  });

  test('comes in time until 72 hours after the request was opened', () => {
    const ledger = mariaWith();
    const request = asked(hours(1));
    confirm(ledger, request, ANA, hours(73, -1));
    expect(refused(ledger, request, BRUNO, hours(73))).toMatchObject({
      code: 'LINK_EXPIRED',
      details: { expires_at: hours(73) },
    });
    confirm(ledger, request, BRUNO, hours(73, -1));
    expect(mariaIn(ledger).publicKey).toBe(NEW);
  });

  test('is of no use for an identity that was destroyed', () => {
    const ledger = mariaWith();
    const request = asked(hours(1));
    confirm(ledger, request, ANA, hours(2));
    expect(ledger.submit(own(destroyBEO), hours(3)).vaultsToErase).toEqual(['maria']);
    expect(refused(ledger, request, BRUNO, hours(4)).code).toBe('BEO_DESTROYED');
    expect(active(ledger, hours(4))).toBeNull();
  });
});

describe('what a recovery closes', () => {
  test('are all requests that were opened before it, or with it, itself included', () => {
    const ledger = mariaWith();
    const [done, begun, untouched] = [asked(hours(1)), asked(hours(1), OTHER), asked(hours(3), OTHER)];
    confirm(ledger, begun, CELIA, hours(2));
    for (const signer of [ANA, BRUNO]) confirm(ledger, done, signer, hours(3));
    for (const request of [done, begun, untouched]) {
      const error = refused(ledger, request, CELIA, hours(3));
      expect(error).toMatchObject({ code: 'REQUEST_CLOSED', details: { recovered_at: hours(3) } });
    }
    confirm(ledger, asked(hours(3, 1), OTHER), CELIA, hours(4));
  });

  test('is destroyBEO and updateRecovery for 24 hours, and nothing else', () => {
    const ledger = mariaWith();
    recover(ledger, [ANA, BRUNO], hours(1));
    for (const action of [
      () => ledger.submit(own(destroyBEO), hours(25, -1)),
      () => configure(ledger, { primary: ANA }, hours(25, -1)),
    ]) {
      expect(refusalOf(action)).toMatchObject({ code: 'RECOVERY_COOLDOWN', details: { until: hours(25) } });
    }
    ledger.submit(own(rotateBEOKey, { newPublicKey: OTHER }), hours(2));
    ledger.submit(own(lockBEO), hours(3));
    expect(refusalOf(() => ledger.submit(own(destroyBEO), hours(4))).code).toBe('RECOVERY_COOLDOWN');
    ledger.submit(own(destroyBEO), hours(25));
  });

  test('is not the cool-down of a recovery before it: each begins its own', () => {
    const ledger = mariaWith();
    recover(ledger, [ANA, BRUNO], hours(1));
    recover(ledger, [ANA, BRUNO], hours(20), OTHER);
    expect(refusalOf(() => ledger.submit(own(destroyBEO), hours(44, -1))).details).toEqual({ until: hours(44) });
    configure(ledger, null, hours(44));
  });
});

describe('what is shown of requests', () => {
  test('is nothing until a guardian has confirmed one, and nothing once it has run out or is done', () => {
    const ledger = mariaWith();
    expect(active(ledger, hours(1))).toBeNull();
    confirm(ledger, asked(hours(1)), ANA, hours(2));
    expect(active(ledger, hours(2))).toEqual({
      request_id: asked(hours(1)).requestId,
      new_public_key: NEW,
      confirmations: 1,
      confirmations_needed: 2,
      expires_at: hours(73),
    });
    expect(active(ledger, hours(73, -1))).not.toBeNull();
    expect(active(ledger, hours(73))).toBeNull();
    confirm(ledger, asked(hours(1)), BRUNO, hours(3));
    expect(active(ledger, hours(3))).toBeNull();
  });

  test('is of several the one that was opened last', () => {
    const ledger = mariaWith();
    for (const hour of [2, 3, 1]) confirm(ledger, asked(hours(hour)), ANA, hours(4));
    expect(active(ledger, hours(4))).toMatchObject({ expires_at: hours(75) });
    expect(active(ledger, hours(75))).toBeNull();
  });
});

describe('one guardian who confirms whatever comes', () => {
  const many = Array.from({ length: 40 }, (_, index) => asked(hours(1), NEW, `request ${index}`));

  test('fills nothing: the latest ten are remembered', () => {
    const ledger = mariaWith();
    for (const [index, request] of many.entries()) confirm(ledger, request, ANA, hours(2, index));
    const { requests } = mariaIn(ledger).recovery;
    expect(requests.map(({ requestId }) => requestId)).toEqual(many.slice(-10).map(({ requestId }) => requestId));
    confirm(ledger, many[39] ?? asked(''), BRUNO, hours(3));
    expect(mariaIn(ledger).publicKey).toBe(NEW);
  });

  test('pushes out nobody else’s confirmation, and can give an own one again that was forgotten', () => {
    const ledger = mariaWith();
    const [first = asked('')] = many;
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

  test('whatever has run out is forgotten with the next', () => {
    const ledger = mariaWith();
    for (const request of many.slice(0, 5)) confirm(ledger, request, ANA, hours(2));
    confirm(ledger, asked(hours(73)), BRUNO, hours(73));
    expect(mariaIn(ledger).recovery.requests.map(({ openedAt }) => openedAt)).toEqual([hours(73)]);
  });
});
