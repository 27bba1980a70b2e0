import { describe, expect, test } from 'vitest';
import { CERT_LEVELS, IEO_STATUSES, type IeoStatus } from '../entities/ieo.ts';
import type { Approver, Decision } from '../entities/proposal.ts';
import type { ErrorCode } from '../errors.ts';
import { destroyIEO } from './destroy-ieo.ts';
import { lockIEO } from './lock-ieo.ts';
import type { Request, TestLedger } from './test-ledger.ts';
import {
  afterDays,
  answerOf,
  approval,
  at,
  byInstitution,
  certificationUpdate,
  consentGrant,
  decide,
  LAB,
  ledgerWith,
  newProposal,
  refusalOf,
  requireEntity,
  setStatus,
} from './test-requests.ts';
import { unlockIEO } from './unlock-ieo.ts';

type Action = Decision['action'];
const ACTIONS: readonly Action[] = ['suspendIEO', 'reinstateIEO', 'revokeIEO', 'changeCertLevel'];
const PARAMS: Readonly<Record<Action, object>> = {
  suspendIEO: { reason: 'Results are wrong.' },
  reinstateIEO: {},
  revokeIEO: { reason: 'Results are wrong.' },
  changeCertLevel: { level: 'BASIC' },
};
const open = (action: Action, approver: Approver = 1, entityId = 'proposal') =>
  newProposal(action, { ...PARAMS[action] }, { approver, entityId });
const code = (ledger: TestLedger, request: Request, moment: string): ErrorCode =>
  refusalOf(() => ledger.submit(request, moment)).code;
const statusOf = (ledger: TestLedger): IeoStatus => requireEntity(ledger, 'IEO').status;

describe('what each action does to an institution in each state', () => {
  type Outcome = IeoStatus | ErrorCode;
  const GONE = ['IEO_NOT_ACTIVE', 'IEO_DESTROYED'] as const;
  const OUTCOMES: Readonly<Record<Action, readonly Outcome[]>> = {
    //               ACTIVE      LOCKED        SUSPENDED         REVOKED, DESTROYED
    suspendIEO: ['SUSPENDED', 'SUSPENDED', 'IEO_NOT_ACTIVE', ...GONE],
    reinstateIEO: ['NOT_LOCKED', 'NOT_LOCKED', 'ACTIVE', ...GONE],
    revokeIEO: ['REVOKED', 'REVOKED', 'REVOKED', ...GONE],
    changeCertLevel: ['ACTIVE', 'LOCKED', 'SUSPENDED', ...GONE],
  };
  const isStatus = (outcome: Outcome): outcome is IeoStatus => (IEO_STATUSES as readonly string[]).includes(outcome);
  const table = ACTIONS.flatMap((action) =>
    IEO_STATUSES.map((state, column) => [action, state, OUTCOMES[action][column] ?? 'INTERNAL'] as const),
  );

  test.each(table)('%s on an institution that is %s: %s', (action, state, outcome) => {
    const ledger = ledgerWith(state);
    const before = ledger.all();
    if (!isStatus(outcome)) {
      expect(code(ledger, open(action), at(5))).toBe(outcome);
      expect(ledger.all()).toEqual(before);
      return;
    }
    const { lockedAt } = requireEntity(ledger, 'IEO');
    ledger.submit(open(action), at(5));
    expect(ledger.all()).toEqual([...before, requireEntity(ledger, 'PROPOSAL')]);
    ledger.submit(approval(), at(6));
    const institution = requireEntity(ledger, 'IEO');
    expect(institution).toMatchObject({ status: outcome, updatedAt: at(6), createdAt: at(0) });
    expect(institution.lockedAt).toBe(outcome === 'LOCKED' ? lockedAt : null);
  });

  test.each(ACTIONS)('%s on an unknown institution: IEO_NOT_FOUND', (action) => {
    const request = newProposal(action, { ...PARAMS[action] }, { ieoId: 'unknown' });
    expect(code(ledgerWith(), request, at(5))).toBe('IEO_NOT_FOUND');
  });

  test('a locked institution that was suspended is unlocked when it is reinstated', () => {
    const ledger = ledgerWith('LOCKED');
    setStatus(ledger, 'SUSPENDED', at(2));
    expect(code(ledger, byInstitution(unlockIEO), at(3))).toBe('IEO_NOT_ACTIVE');
    decide(ledger, 'reinstateIEO', at(4));
    expect(requireEntity(ledger, 'IEO')).toMatchObject({ status: 'ACTIVE', lockedAt: null });
  });
});

describe('a proposal', () => {
  test('is opened with its first approval and changes nothing yet', () => {
    const ledger = ledgerWith();
    ledger.submit(open('suspendIEO', 3), at(0));
    expect(requireEntity(ledger, 'PROPOSAL')).toEqual({
      kind: 'PROPOSAL',
      id: 'proposal',
      decision: { action: 'suspendIEO', params: { ieoId: LAB, reason: 'Results are wrong.' } },
      ieoId: LAB,
      justification: 'Results are wrong.',
      approvals: [{ approver: 3, approvedAt: at(0) }],
      openedAt: at(0),
      expiresAt: afterDays(7),
      executedAt: null,
      transactionId: 'transaction 3',
      seq: 3,
    });
    expect(statusOf(ledger)).toBe('ACTIVE');
  });

  test.each([
    [1, 2],
    [1, 3],
    [2, 1],
    [2, 3],
    [3, 1],
    [3, 2],
  ] as const)('opened by key %s is executed by key %s', (first, second) => {
    const ledger = ledgerWith();
    ledger.submit(open('suspendIEO', first), at(1));
    ledger.submit(approval(second), at(2));
    expect(requireEntity(ledger, 'PROPOSAL')).toMatchObject({
      approvals: [
        { approver: first, approvedAt: at(1) },
        { approver: second, approvedAt: at(2) },
      ],
      executedAt: at(2),
      seq: 4,
    });
    expect(requireEntity(ledger, 'IEO')).toMatchObject({ status: 'SUSPENDED', seq: 4 });
  });

  test.each([1, 2, 3] as const)('opened by key %s is not executed by the same key', (approver) => {
    const ledger = ledgerWith();
    ledger.submit(open('suspendIEO', approver), at(1));
    const before = ledger.all();
    expect(code(ledger, approval(approver), at(2))).toBe('ALREADY_APPROVED');
    expect(ledger.all()).toEqual(before);
  });

  test('that was executed rejects the third key as closed and the others as already approved', () => {
    const ledger = ledgerWith();
    decide(ledger, 'suspendIEO', at(1));
    const id = ledger.recorded.at(-1)?.entityId ?? '';
    expect(code(ledger, approval(3, id), at(2))).toBe('REQUEST_CLOSED');
    expect(code(ledger, approval(1, id), at(2))).toBe('ALREADY_APPROVED');
    expect(code(ledger, approval(2, id), at(2))).toBe('ALREADY_APPROVED');
  });

  test('can be approved for exactly seven days', () => {
    const ledger = ledgerWith();
    ledger.submit(open('suspendIEO'), afterDays(0));
    expect(code(ledger, approval(), afterDays(7))).toBe('REQUEST_CLOSED');
    expect(code(ledger, approval(3), afterDays(700))).toBe('REQUEST_CLOSED');
    expect(statusOf(ledger)).toBe('ACTIVE');
    ledger.submit(approval(), afterDays(7, -1));
    expect(statusOf(ledger)).toBe('SUSPENDED');
  });

  test('that has expired can be replaced by a new one', () => {
    const ledger = ledgerWith();
    ledger.submit(open('suspendIEO'), afterDays(0));
    ledger.submit(open('suspendIEO', 1, 'again'), afterDays(8));
    ledger.submit(approval(2, 'again'), afterDays(8));
    expect(statusOf(ledger)).toBe('SUSPENDED');
    expect(requireEntity(ledger, 'PROPOSAL').executedAt).toBeNull();
  });

  test('is checked again at its execution', () => {
    const CHANGES: readonly (readonly [Action, (ledger: TestLedger) => void, ErrorCode])[] = [
      ['suspendIEO', (ledger) => setStatus(ledger, 'SUSPENDED', at(2)), 'IEO_NOT_ACTIVE'],
      ['suspendIEO', (ledger) => setStatus(ledger, 'REVOKED', at(2)), 'IEO_NOT_ACTIVE'],
      ['suspendIEO', (ledger) => ledger.submit(byInstitution(destroyIEO), at(2)), 'IEO_DESTROYED'],
      ['revokeIEO', (ledger) => setStatus(ledger, 'REVOKED', at(2)), 'IEO_NOT_ACTIVE'],
      ['changeCertLevel', (ledger) => setStatus(ledger, 'REVOKED', at(2)), 'IEO_NOT_ACTIVE'],
    ];
    for (const [action, change, expected] of CHANGES) {
      const ledger = ledgerWith();
      ledger.submit(open(action), at(1));
      change(ledger);
      const before = ledger.all();
      expect(code(ledger, approval(), at(3))).toBe(expected);
      expect(ledger.all()).toEqual(before);
    }
  });

  test('to reinstate is rejected if another one already did', () => {
    const ledger = ledgerWith('SUSPENDED');
    ledger.submit(open('reinstateIEO'), at(2));
    ledger.submit(open('reinstateIEO', 2, 'other'), at(2));
    ledger.submit(approval(3, 'other'), at(3));
    expect(code(ledger, approval(3), at(4))).toBe('NOT_LOCKED');
  });

  test('that was rejected for the institution’s status can be approved later', () => {
    const ledger = ledgerWith();
    ledger.submit(open('suspendIEO'), at(1));
    setStatus(ledger, 'SUSPENDED', at(2));
    expect(code(ledger, approval(), at(3))).toBe('IEO_NOT_ACTIVE');
    decide(ledger, 'reinstateIEO', at(4));
    ledger.submit(approval(), at(5));
    expect(statusOf(ledger)).toBe('SUSPENDED');
  });

  test('is executed on an institution that was locked in the meantime', () => {
    const ledger = ledgerWith();
    ledger.submit(open('suspendIEO'), at(1));
    ledger.submit(byInstitution(lockIEO), at(2));
    ledger.submit(approval(), at(3));
    expect(requireEntity(ledger, 'IEO')).toMatchObject({ status: 'SUSPENDED', lockedAt: null });
  });

  test('does not prevent another proposal about the same institution', () => {
    const ledger = ledgerWith();
    ledger.submit(open('suspendIEO'), at(1));
    ledger.submit(open('suspendIEO', 1, 'same'), at(1));
    ledger.submit(open('revokeIEO', 2, 'revocation'), at(1));
    ledger.submit(approval(3, 'revocation'), at(2));
    expect(statusOf(ledger)).toBe('REVOKED');
  });

  test('that does not exist is not found', () => {
    const { operation, ...request } = approval(2, 'none');
    const accepted = { ...request, subjects: {}, signer: null, assigned: {}, acceptedAt: at(1) };
    expect(refusalOf(() => operation.transition(ledgerWith().entities, accepted)).code).toBe('PROPOSAL_NOT_FOUND');
  });
});

describe('changeCertLevel', () => {
  test('changes level and end, and keeps the restrictions', () => {
    const ledger = ledgerWith();
    ledger.submit(certificationUpdate({ level: 'BASIC', categories: ['BSP-CV'], intents: ['READ_RECORDS'] }), at(1));
    const params = { level: 'RESEARCH_PARTNER', expiresAt: '2027-01-01T01:00:00+01:00' };
    ledger.submit(newProposal('changeCertLevel', params), at(2));
    ledger.submit(approval(), at(3));
    expect(requireEntity(ledger, 'IEO').certification).toEqual({
      level: 'RESEARCH_PARTNER',
      grantedAt: at(3),
      expiresAt: '2027-01-01T00:00:00.000Z',
      categories: ['BSP-CV'],
      intents: ['READ_RECORDS'],
    });
  });

  test('to UNCERTIFIED removes everything', () => {
    const ledger = ledgerWith();
    ledger.submit(certificationUpdate({ level: 'BASIC', categories: ['BSP-CV'], intents: ['READ_RECORDS'] }), at(1));
    ledger.submit(newProposal('changeCertLevel', { level: 'UNCERTIFIED', expiresAt: at(100) }), at(2));
    ledger.submit(approval(), at(3));
    const none = { level: 'UNCERTIFIED', grantedAt: null, expiresAt: null, categories: [], intents: [] };
    expect(requireEntity(ledger, 'IEO').certification).toEqual(none);
  });
});

describe('updateCertification', () => {
  test.each(CERT_LEVELS)('sets %s at once, by one key', (level) => {
    const ledger = ledgerWith();
    ledger.submit(certificationUpdate({ level }), at(1));
    const grantedAt = level === 'UNCERTIFIED' ? null : at(1);
    const certification = { level, grantedAt, expiresAt: null, categories: [], intents: [] };
    expect(requireEntity(ledger, 'IEO')).toMatchObject({ certification, updatedAt: at(1), status: 'ACTIVE' });
  });

  test('sets restrictions and end; the next one replaces both', () => {
    const ledger = ledgerWith();
    const expiresAt = '2027-01-01T00:00:00Z';
    ledger.submit(
      certificationUpdate({ level: 'ADVANCED', categories: ['BSP-CV'], intents: ['READ_RECORDS'], expiresAt }),
      at(1),
    );
    expect(requireEntity(ledger, 'IEO').certification).toMatchObject({
      expiresAt: '2027-01-01T00:00:00.000Z',
      categories: ['BSP-CV'],
      intents: ['READ_RECORDS'],
    });
    ledger.submit(certificationUpdate({ level: 'BASIC', categories: null, intents: null, expiresAt: null }), at(2));
    const replaced = { level: 'BASIC', grantedAt: at(2), expiresAt: null, categories: [], intents: [] };
    expect(requireEntity(ledger, 'IEO').certification).toEqual(replaced);
  });

  test.each([
    ['ACTIVE', null],
    ['LOCKED', null],
    ['SUSPENDED', null],
    ['REVOKED', 'IEO_NOT_ACTIVE'],
    ['DESTROYED', 'IEO_DESTROYED'],
  ] as const)('of an institution that is %s: %s', (state, expected) => {
    const ledger = ledgerWith(state);
    if (expected) expect(code(ledger, certificationUpdate({ level: 'BASIC' }), at(2))).toBe(expected);
    else ledger.submit(certificationUpdate({ level: 'BASIC' }), at(2));
    expect(statusOf(ledger)).toBe(state);
  });

  test('of an unknown institution: IEO_NOT_FOUND', () => {
    expect(code(ledgerWith(), certificationUpdate({ level: 'BASIC' }, 'unknown'), at(2))).toBe('IEO_NOT_FOUND');
  });

  test('changes no token', () => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant(), at(1));
    const token = requireEntity(ledger, 'TOKEN');
    ledger.submit(certificationUpdate({ level: 'UNCERTIFIED' }), at(2));
    expect(requireEntity(ledger, 'TOKEN')).toEqual(token);
  });
});

test('the responses have the members of protocol §4', () => {
  const ledger = ledgerWith();
  const opened = { proposal_id: 'proposal', action: 'suspendIEO', status: 'PENDING', executed_at: null };
  expect(answerOf(ledger, open('suspendIEO'), at(1))).toMatchObject({ proposal: opened, executed: false });
  const executed = { status: 'EXECUTED', executed_at: at(2), approvals: [{ approver: 1 }, { approver: 2 }] };
  expect(answerOf(ledger, approval(), at(2))).toMatchObject({ proposal: executed, executed: true });
  expect(answerOf(ledger, certificationUpdate({ level: 'BASIC' }), at(3))).toMatchObject({
    ieo: { ieo_id: LAB, status: 'SUSPENDED', certification: { level: 'BASIC', granted_at: at(3) } },
  });
});
