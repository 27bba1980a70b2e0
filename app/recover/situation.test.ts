import { describe, expect, test } from 'vitest';
import { destroyBEO } from '../../protocol/operations/destroy-beo.ts';
import {
  ANA,
  BRUNO,
  CELIA,
  configure,
  confirm,
  HOLDER,
  hours,
  invite,
  ledgerWithGuardians,
  mariaIn,
  NEW,
  recoveryRequest,
} from '../../protocol/operations/test-guardians.ts';
import type { TestLedger } from '../../protocol/operations/test-ledger.ts';
import { byHolder } from '../../protocol/operations/test-requests.ts';
import { situationOf } from './situation.ts';

const situation = (ledger: TestLedger, moment: string) => situationOf(mariaIn(ledger), Date.parse(moment));

describe('what somebody finds who wants to recover an identity', () => {
  test('is that two guardians are enough', () => {
    const found = situation(ledgerWithGuardians([ANA, BRUNO]), hours(1));
    expect(found).toMatchObject({ kind: 'recoverable', guardians: 2, identity: { public_key: HOLDER } });
    expect(situation(ledgerWithGuardians(), hours(1))).toMatchObject({ kind: 'recoverable', guardians: 3 });
  });

  test('is that one is not, and that it helps if another accepts', () => {
    const ledger = ledgerWithGuardians([ANA]);
    expect(situation(ledger, hours(1))).toMatchObject({ kind: 'helpless', guardians: 1, pending: false });
    invite(ledger, 'secondary', hours(1));
    expect(situation(ledger, hours(2))).toMatchObject({ kind: 'helpless', guardians: 1, pending: true });
    expect(situation(ledger, hours(74))).toMatchObject({ kind: 'helpless', pending: false });
  });

  test('is that nobody who accepts now helps, where only confirmed ones count', () => {
    const ledger = ledgerWithGuardians([ANA], [ANA]);
    invite(ledger, 'secondary', hours(1));
    expect(situation(ledger, hours(2))).toMatchObject({ kind: 'helpless', guardians: 1, pending: false });
  });

  test('is that whom a thief has removed counts for three more days', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO, CELIA]);
    configure(ledger, null, hours(100));
    expect(situation(ledger, hours(171))).toMatchObject({ kind: 'recoverable', guardians: 3 });
    expect(situation(ledger, hours(173))).toMatchObject({ kind: 'helpless', guardians: 0 });
  });

  test('is a request that a guardian has confirmed', () => {
    const ledger = ledgerWithGuardians();
    const request = recoveryRequest(hours(5));
    confirm(ledger, request, ANA, hours(6));
    expect(situation(ledger, hours(7))).toMatchObject({
      kind: 'recoverable',
      identity: { active_recovery: { request_id: request.requestId, new_public_key: NEW, confirmations: 1 } },
    });
    expect(situation(ledger, hours(78))).toMatchObject({ identity: { active_recovery: null } });
  });

  test('is that nothing is left where it was ended', () => {
    const ledger = ledgerWithGuardians();
    ledger.submit(byHolder(destroyBEO), hours(1));
    expect(situation(ledger, hours(2))).toEqual({ kind: 'destroyed' });
  });
});
