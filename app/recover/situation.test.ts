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

describe('the situation of an identity', () => {
  test('is recoverable with two eligible guardians', () => {
    const result = situation(ledgerWithGuardians([ANA, BRUNO]), hours(1));
    expect(result).toMatchObject({ kind: 'recoverable', guardians: 2, identity: { public_key: HOLDER } });
    expect(situation(ledgerWithGuardians(), hours(1))).toMatchObject({ kind: 'recoverable', guardians: 3 });
  });

  test('is too few with one, and `pending` while another is invited', () => {
    const ledger = ledgerWithGuardians([ANA]);
    expect(situation(ledger, hours(1))).toMatchObject({ kind: 'tooFewGuardians', guardians: 1, pending: false });
    invite(ledger, 'secondary', hours(1));
    expect(situation(ledger, hours(2))).toMatchObject({ kind: 'tooFewGuardians', guardians: 1, pending: true });
    expect(situation(ledger, hours(74))).toMatchObject({ kind: 'tooFewGuardians', pending: false });
  });

  test('is not `pending` where only confirmed guardians are eligible', () => {
    const ledger = ledgerWithGuardians([ANA], [ANA]);
    invite(ledger, 'secondary', hours(1));
    expect(situation(ledger, hours(2))).toMatchObject({ kind: 'tooFewGuardians', guardians: 1, pending: false });
  });

  test('counts removed guardians for 72 hours', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO, CELIA]);
    configure(ledger, null, hours(100));
    expect(situation(ledger, hours(171))).toMatchObject({ kind: 'recoverable', guardians: 3 });
    expect(situation(ledger, hours(173))).toMatchObject({ kind: 'tooFewGuardians', guardians: 0 });
  });

  test('includes the open request that a guardian has confirmed', () => {
    const ledger = ledgerWithGuardians();
    const request = recoveryRequest(hours(5));
    confirm(ledger, request, ANA, hours(6));
    expect(situation(ledger, hours(7))).toMatchObject({
      kind: 'recoverable',
      identity: { active_recovery: { request_id: request.requestId, new_public_key: NEW, confirmations: 1 } },
    });
    expect(situation(ledger, hours(78))).toMatchObject({ identity: { active_recovery: null } });
  });

  test('is destroyed after destroyBEO', () => {
    const ledger = ledgerWithGuardians();
    ledger.submit(byHolder(destroyBEO), hours(1));
    expect(situation(ledger, hours(2))).toEqual({ kind: 'destroyed' });
  });
});
