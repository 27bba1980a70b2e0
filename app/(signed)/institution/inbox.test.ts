import { expect, test } from 'vitest';
import { DAY_MS } from '../../../protocol/days.ts';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { type InboxInput, inboxOf, weekOf } from './inbox.ts';

const NOW = Date.parse('2026-11-27T12:00:00.000Z');
const inDays = (days: number) => new Date(NOW + days * DAY_MS).toISOString();
const consent = (changes: Partial<TokenView>) =>
  ({ status: 'ACTIVE', granted_at: inDays(-100), revoked_at: null, expires_at: null, ...changes }) as TokenView;
const certification = (changes: object = {}) =>
  ({ level: 'BASIC', granted_at: inDays(-100), expires_at: null, categories: [], intents: [], ...changes }) as const;
const kindsOf = (changes: Partial<InboxInput>) =>
  inboxOf({
    view: { status: 'ACTIVE', certification: certification() },
    consents: [],
    unfinished: [],
    accepted: [],
    webhook: null,
    request: null,
    now: NOW,
    ...changes,
  } as InboxInput);

test('nothing waits for a certified institution whose consents last', () => {
  const consents = [
    consent({}),
    consent({ expires_at: inDays(31) }),
    consent({ status: 'EXPIRED', expires_at: inDays(-1) }),
  ];
  expect(kindsOf({ consents, webhook: { status: 'ACTIVE' }, request: { status: 'ANSWERED', reason: null } })).toEqual(
    [],
  );
});

test('what is urgent comes first', () => {
  const view = { status: 'ACTIVE' as const, certification: certification({ expires_at: inDays(59) }) };
  const consents = [
    consent({ expires_at: inDays(29) }),
    consent({ expires_at: inDays(2) }),
    consent({ status: 'REVOKED', expires_at: inDays(1) }),
  ];
  const input = { view, consents, webhook: { status: 'FAILING' as const } };
  expect(kindsOf({ ...input, request: { status: 'DECLINED', reason: 'It has expired.' } })).toEqual([
    { kind: 'webhook', status: 'FAILING' },
    { kind: 'declined', reason: 'It has expired.' },
    { kind: 'certificationEnds', ends: inDays(59) },
    { kind: 'consentsEnd', count: 2, ends: inDays(2) },
  ]);
});

test('a certification is missing, ends, has ended, or is asked for already', () => {
  const kinds = (changes: object, request: InboxInput['request'] = null) =>
    kindsOf({ view: { status: 'ACTIVE', certification: certification(changes) }, request }).map(({ kind }) => kind);
  expect(kinds({ level: 'UNCERTIFIED' })).toEqual(['uncertified']);
  expect(kinds({ expires_at: inDays(61) })).toEqual([]);
  expect(kinds({ expires_at: inDays(0) })).toEqual(['certificationEnded']);
  expect(kinds({ level: 'UNCERTIFIED' }, { status: 'OPEN', reason: null })).toEqual([]);
});

test('records that failed, may have been accepted, and receipts that were not saved come first, each counted', () => {
  const submission = { id: 'a', at: inDays(-2), all: 250, failed: ['1', '2'], unknown: ['3'], receipts: null };
  const receipts = { name: 'receipts.json', text: '{}' };
  const unfinished = [submission, { ...submission, at: inDays(-1), failed: ['4'], unknown: [], receipts }];
  expect(kindsOf({ unfinished, webhook: { status: 'FAILING' } })).toEqual([
    { kind: 'failed', count: 3, ends: inDays(-1) },
    { kind: 'unknown', count: 1, ends: inDays(-2) },
    { kind: 'unsaved', count: 1, ends: inDays(-1) },
    { kind: 'webhook', status: 'FAILING' },
  ]);
  const view = { status: 'SUSPENDED' as const, certification: certification() };
  expect(kindsOf({ view, unfinished }).map(({ kind }) => kind)).toEqual(['unsaved']);
});

test('an institution that is not active has nothing to do here', () => {
  expect(kindsOf({ view: { status: 'SUSPENDED', certification: certification({ level: 'UNCERTIFIED' }) } })).toEqual(
    [],
  );
});

test('a week has seven days', () => {
  const consents = [
    consent({ granted_at: inDays(-6.9) }),
    consent({ granted_at: inDays(-7.1), revoked_at: inDays(-1), status: 'REVOKED' }),
    consent({ granted_at: inDays(-3), revoked_at: inDays(-2), status: 'REVOKED' }),
  ];
  expect(weekOf(consents, NOW)).toEqual({ given: 2, withdrawn: 2 });
});

test('requests that people accepted are listed for seven days, with the newest reference', () => {
  const accepted = [
    { beoId: 'b', reference: 'A-2', at: inDays(-1) },
    { beoId: 'a', reference: 'A-1', at: inDays(-6) },
    { beoId: 'c', reference: 'A-0', at: inDays(-8) },
  ];
  expect(kindsOf({ accepted })).toEqual([{ kind: 'accepted', count: 2, reference: 'A-2', ends: inDays(-1) }]);
});
