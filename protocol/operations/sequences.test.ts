import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entity, EntityKind, EntityOf } from '../entities/entities.ts';
import { isPresent, MAX_GUARDIANS } from '../entities/guardian.ts';
import { CERT_LEVELS, hasEnded } from '../entities/ieo.ts';
import { proposalStatus } from '../entities/proposal.ts';
import { eligibleGuardians, GRACE_MS } from '../entities/social-recovery.ts';
import { isLive, type Scope, type Token, tokenState } from '../entities/token.ts';
import { ProtocolError } from '../errors.ts';
import { GUARDIAN_ROLES } from '../ids.ts';
import { createTestLedger, type Recorded, type Request, revokedBy, type TestLedger } from './test-ledger.ts';
import { DAY, MINUTE, START, scopeOf } from './test-requests.ts';
import { all, OPENING, requestOf, type Step, UNKNOWN } from './test-steps.ts';

const REST_MS = 10 * MINUTE;
const SCOPES: readonly Scope[] = [
  scopeOf(),
  scopeOf({ intents: ['READ_RECORDS', 'EXPORT_DATA'] }),
  scopeOf({ intents: ['EXPORT_DATA', 'READ_RECORDS'] }),
  scopeOf({ intents: ['SUBMIT_RECORD'], categories: ['*'] }),
  scopeOf({ intents: ['SUBMIT_RECORD'], categories: ['*'], max_records: 60 }),
];

const digits = fc.constantFrom('a', 'b', 'c', 'A', 'd');
const domains = fc.constantFrom('ana.bsp', 'bruno.bsp', 'celia.bsp', 'lab.bsp', 'watch.bsp');
const guardians = fc
  .subarray([...GUARDIAN_ROLES])
  .chain((roles) => fc.tuple(...roles.map((role) => fc.option(digits).map((digit) => ({ role, digit })))));
const wait = fc.oneof(
  { weight: 6, arbitrary: fc.nat(60_000) },
  { weight: 6, arbitrary: fc.constantFrom(0, 1, REST_MS - 1, REST_MS, 6 * MINUTE) },
  { weight: 1, arbitrary: fc.constantFrom(DAY - 1, DAY, 3 * DAY - 1, 3 * DAY, 7 * DAY - 1, 7 * DAY) },
);
const which = fc.nat(UNKNOWN);
const approver = fc.constantFrom(1 as const, 2 as const, 3 as const);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('create' as const), domain: domains, digit: digits, guardians }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('found' as const),
      domain: domains,
      digit: digits,
      ieoType: fc.constantFrom('LAB', 'WEARABLE', 'PLATFORM', 'INSURER'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('of a person' as const),
      operation: fc.constantFrom(...['lockBEO', 'lockBEO', 'unlockBEO', 'unlockBEO'], 'destroyBEO', 'revokeAllTokens'),
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('of an institution' as const),
      operation: fc.constantFrom(...['lockIEO', 'lockIEO', 'unlockIEO', 'unlockIEO'], 'destroyIEO'),
      which,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('rotate' as const),
      whose: fc.constantFrom('BEO' as const, 'IEO' as const),
      which,
      digit: digits,
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      does: fc.constant('grant' as const),
      which,
      to: fc.option(which),
      scope: fc.constantFrom(...SCOPES),
      days: fc.constantFrom(1, 7, 36_500, null),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('withdraw' as const), which }) },
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constant('submit' as const), which, count: fc.constantFrom(1, 40, 100) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('revoke from' as const), which, from: fc.option(which) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('revoke by intent' as const),
      which,
      intent: fc.constantFrom('READ_RECORDS' as const, 'EXPORT_DATA' as const, 'SUBMIT_RECORD' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('propose' as const),
      action: fc.constantFrom('suspendIEO', 'reinstateIEO', 'reinstateIEO', 'revokeIEO', 'changeCertLevel'),
      which,
      approver,
    }),
  },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('approve' as const), which, approver }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('certify' as const), which, level: fc.constantFrom(...CERT_LEVELS) }),
  },
);

const people = fc.nat(2);
const whom = fc.nat(3);
const letters = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');

/** The same with mostly guardian steps. */
const guardianStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: step },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('of a person' as const),
      operation: fc.constantFrom('unlockBEO', 'unlockBEO', 'lockBEO'),
      which: people,
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      does: fc.constant('invite' as const),
      which: people,
      role: fc.constantFrom(...GUARDIAN_ROLES),
    }),
  },
  {
    weight: 16,
    arbitrary: fc.record({ does: fc.constant('accept' as const), which: people, whom, digit: letters }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('confirm guardian' as const), which: people, whom }) },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant('name' as const), which: people, guardians, enabled: fc.boolean() }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      does: fc.constant('confirm recovery' as const),
      which: people,
      slot: fc.nat(1),
      whom,
      digit: letters,
      age: fc.constantFrom(0, 1, 10 * MINUTE),
    }),
  },
);

/** Ana and Bruno begin with two guardians each. */
const GUARDED: readonly Step[] = [0, 1].flatMap((which) =>
  (['primary', 'secondary'] as const).flatMap((role, index): Step[] => [
    { does: 'invite', which, role },
    { does: 'accept', which, whom: 0, digit: ['e', 'f'][index] ?? 'e' },
  ]),
);

/** The state of every token at a time. */
function statesOf(entities: readonly Entity[], now: number) {
  const find = (kind: EntityKind, id: string) => entities.find((entity) => entity.kind === kind && entity.id === id);
  return new Map(
    all(entities, 'TOKEN').map((token) => {
      const [beo, grantee] = [find('BEO', token.beoId), find(token.grantee.kind, token.grantee.id)];
      if (beo?.kind !== 'BEO' || (grantee?.kind !== 'BEO' && grantee?.kind !== 'IEO')) throw new Error('No party.');
      return [token.id as string, { token, beo, grantee, ...tokenState(token, { beo, grantee }, now) }] as const;
    }),
  );
}

/** Invariants of the state. */
function expectSound(ledger: TestLedger, now: number): void {
  const entities = ledger.all();
  const living = all(entities, 'BEO').filter(({ status }) => status !== 'DESTROYED');
  const held = all(entities, 'NAME').filter(({ holder }) => holder !== null);
  expect(held.map(({ id, holder }) => `${id} ${holder?.id}`).sort()).toEqual(
    [...living, ...all(entities, 'IEO')].map(({ id, domain }) => `${domain} ${id}`).sort(),
  );
  for (const party of [...all(entities, 'BEO'), ...all(entities, 'IEO')]) {
    expect(party.lockedAt !== null).toBe(party.status === 'LOCKED');
    expectGuarded(party, now);
    expect(party.publicKey === null).toBe(party.status === 'DESTROYED');
    if (party.status === 'DESTROYED') expect(party.recovery.guardians).toEqual([]);
    if (party.kind === 'BEO') expect(party.domain === null).toBe(party.status === 'DESTROYED');
  }
  for (const { approvals, executedAt } of all(entities, 'PROPOSAL')) {
    expect(new Set(approvals.map((approval) => approval.approver)).size).toBe(approvals.length);
    expect(approvals.length).toBe(executedAt === null ? 1 : 2);
  }
  expectConsentsSound(entities, now);
}

/** Invariants of guardians: distinct keys and roles, and no more than three. */
function expectGuarded(party: EntityOf<'BEO' | 'IEO'>, now: number): void {
  const { guardians } = party.recovery;
  const present = guardians.filter((guardian) => isPresent(guardian, now));
  const bound = [party.publicKey, ...present.map(({ publicKey }) => publicKey)].filter((text) => text !== null);
  expect(new Set(bound).size).toBe(bound.length);
  expect(bound.every((text) => text === text.toLowerCase())).toBe(true);
  expect(present.length).toBeLessThanOrEqual(MAX_GUARDIANS);
  expect(new Set(present.map(({ role }) => role)).size).toBe(present.length);
  expect(new Set(guardians.map(({ guardianId }) => guardianId)).size).toBe(guardians.length);
  for (const { status, acceptedAt, removedAt, countsUntil } of guardians) {
    expect(removedAt !== null).toBe(status === 'REMOVED');
    expect(acceptedAt !== null).toBe(status === 'ACTIVE' || status === 'REMOVED');
    if (status === 'REMOVED') expect(countsUntil).not.toBeNull();
    if (countsUntil !== null) expect(Date.parse(countsUntil)).toBeLessThanOrEqual(now + GRACE_MS);
  }
  if (party.kind === 'IEO') return;
  const counting = eligibleGuardians(party.recovery, now).map(({ publicKey }) => publicKey);
  expect(new Set([...counting, party.publicKey]).size).toBe(counting.length + 1);
  for (const { confirmations } of party.recovery.requests) expect(confirmations).toHaveLength(1);
}

function expectConsentsSound(entities: readonly Entity[], now: number): void {
  const live = all(entities, 'TOKEN').filter((token) => isLive(token, now));
  expect(new Set(live.map(({ scopeKey }) => scopeKey)).size).toBe(live.length);
  for (const { status, revokedAt, token, beo, grantee } of statesOf(entities, now).values()) {
    if (beo.status === 'DESTROYED' || (grantee.kind === 'IEO' && hasEnded(grantee))) expect(status).toBe('REVOKED');
    expect(revokedAt !== null).toBe(status === 'REVOKED');
    if (revokedAt !== null) expect(Date.parse(revokedAt)).toBeGreaterThanOrEqual(Date.parse(token.grantedAt));
    if (grantee.kind === 'IEO' && grantee.ieoType === 'WEARABLE')
      expect(token.scope.intents).toEqual(['SUBMIT_RECORD']);
  }
}

const idOf = ({ kind, id }: Entity): string => `${kind} ${id}`;

const final = (entity: Entity, now: number): boolean => {
  switch (entity.kind) {
    case 'BEO':
      return entity.status === 'DESTROYED';
    case 'IEO':
      return hasEnded(entity);
    case 'TOKEN':
      return entity.revokedAt !== null;
    case 'PROPOSAL':
      return proposalStatus(entity, now) !== 'PENDING';
    case 'NAME':
      return entity.holder?.kind === 'IEO';
  }
};

/** Invariants of every accepted step. */
function expectRecorded(before: readonly Entity[], ledger: TestLedger, recorded: Recorded): void {
  const now = Date.parse(recorded.acceptedAt);
  const was = new Map(before.map((entity) => [idOf(entity), entity]));
  const changed = ledger.all().filter((entity) => was.get(idOf(entity)) !== entity);
  expect(changed.map(({ id }) => id)).toContain(recorded.entityId);
  for (const entity of changed) {
    const old = was.get(idOf(entity));
    expect(entity.seq).toBe(recorded.seq);
    const begins = !old || (old.kind === 'NAME' && old.holder === null);
    expect(entity.transactionId).toBe(begins ? recorded.transactionId : old.transactionId);
    if (old) expect(final(old, now)).toBe(false);
    if (entity.kind === 'TOKEN') expectUsed(old, entity, recorded);
    if (entity.kind === 'BEO' || entity.kind === 'IEO') expectChanged(old, entity, recorded);
  }
  const erased = recorded.operation.name === 'destroyBEO' || recorded.operation.name === 'destroyIEO';
  expect(recorded.vaultsToErase).toEqual(erased ? [recorded.entityId] : []);
  expectCounted(before, ledger, recorded, changed);
}

/** Only submissions count records, with a valid consent and up to its limit. */
function expectUsed(old: Entity | undefined, token: Token, { operation, publicFacts, acceptedAt }: Recorded): void {
  const before = old?.kind === 'TOKEN' ? old.submitted : 0;
  if (operation.name !== 'submitRecords') {
    expect(token.submitted).toBe(before);
    return;
  }
  const { commitments } = publicFacts as { commitments: readonly string[] };
  expect(token).toEqual({ ...old, submitted: before + commitments.length, seq: token.seq });
  expect(token.scope.intents).toContain('SUBMIT_RECORD');
  expect(token.grantee.kind).toBe('IEO');
  expect(isLive(token, Date.parse(acceptedAt))).toBe(true);
  expect(token.submitted).toBeLessThanOrEqual(token.scope.max_records ?? Number.POSITIVE_INFINITY);
}

function expectChanged(old: Entity | undefined, party: EntityOf<'BEO' | 'IEO'>, recorded: Recorded): void {
  const { name } = recorded.operation;
  expect(party.updatedAt).toBe(recorded.acceptedAt);
  if (name !== 'approveProposal') expect(party.id).toBe(recorded.entityId);
  if (old?.kind !== 'BEO' && old?.kind !== 'IEO') return;
  expect(party.createdAt).toBe(old.createdAt);
  const recovered = isRecovery(old, party);
  const rotated = name === 'rotateBEOKey' || name === 'rotateIEOKey' || recovered;
  expect(party.keyVersion - old.keyVersion).toBe(rotated ? 1 : 0);
  if (recovered) expect(name).toBe('confirmRecovery');
  const governed = [old.status, party.status].some((status) => status === 'SUSPENDED' || status === 'REVOKED');
  if (old.status !== party.status && governed) expect(['approveProposal', 'destroyIEO']).toContain(name);
}

const isRecovery = (before: Entity | undefined, after: Entity | undefined): boolean =>
  before?.kind === 'BEO' &&
  after?.kind === 'BEO' &&
  after.recovery.recoveredAt !== before.recovery.recoveredAt &&
  after.status !== 'DESTROYED';

/** A revocation ends exactly the tokens that it covers, and returns their number. */
function expectCounted(
  before: readonly Entity[],
  ledger: TestLedger,
  recorded: Recorded,
  changed: readonly Entity[],
): void {
  const now = Date.parse(recorded.acceptedAt);
  const [then, since] = [statesOf(before, now), statesOf(ledger.all(), now)];
  const ended = [...since].filter(([id, { status }]) => status === 'REVOKED' && then.get(id)?.status === 'ACTIVE');
  const { name } = recorded.operation;
  if (!name.startsWith('revokeAll') && name !== 'revokeByIntent') {
    expect(revokedBy(recorded)).toBe(name === 'revokeToken' ? 1 : 0);
    return;
  }
  expect(revokedBy(recorded)).toBe(ended.length);
  expect(changed.filter(({ kind }) => kind === 'TOKEN').length).toBe(ended.length);
  const { grantee } = recorded.subjects;
  const { intent } = recorded.publicFacts as { intent?: Scope['intents'][number] };
  const meant = (token: Token): boolean =>
    token.beoId === recorded.entityId &&
    (!grantee || token.grantee.id === grantee) &&
    (!intent || token.scope.intents.includes(intent));
  const active = [...then].filter(([, { status, token }]) => status === 'ACTIVE' && meant(token));
  expect(ended.map(([id]) => id)).toEqual(active.map(([id]) => id));
}

/** Invariants of the whole history: a name is not assigned again before it is available. */
function expectRests(history: readonly Recorded[]): void {
  const freed = new Map<string, number>();
  const domainOf = new Map<string, string>();
  for (const { operation, entityId, publicFacts, acceptedAt } of history) {
    const time = Date.parse(acceptedAt);
    if (operation.name === 'createBEO' || operation.name === 'createIEO') {
      const { domain } = publicFacts as { domain: string };
      expect(time - (freed.get(domain) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(REST_MS);
      domainOf.set(entityId, domain);
    }
    if (operation.name === 'destroyBEO') freed.set(domainOf.get(entityId) ?? '', time);
    if (operation.name === 'destroyIEO') freed.set(domainOf.get(entityId) ?? '', Number.POSITIVE_INFINITY);
  }
}

/** A revoked token stays revoked, with the same time. */
function expectEndsKept(ends: Map<string, string>, ledger: TestLedger, now: number): void {
  for (const [id, { revokedAt }] of statesOf(ledger.all(), now)) {
    if (ends.has(id)) expect(revokedAt).toBe(ends.get(id));
    else if (revokedAt !== null) ends.set(id, revokedAt);
  }
}

/** Runs random histories, and counts accepted and rejected steps. */
function livedThrough(steps: fc.Arbitrary<Step>, opening: readonly Step[]): Map<string, number> {
  const seen = new Map<string, number>();
  const histories = fc.array(fc.record({ taken: steps, wait }), { minLength: 20, maxLength: 80, size: 'max' });
  fc.assert(
    fc.property(histories, (rest) => {
      const ledger = createTestLedger();
      const ends = new Map<string, string>();
      let now = START;
      [...opening.map((taken) => ({ taken, wait: 1 })), ...rest].forEach(({ taken, wait }, index) => {
        now += wait;
        const before = ledger.all();
        const request = requestOf(taken, index, ledger, now);
        if (request === null) return;
        try {
          const recorded = submitted(ledger, request, now);
          expectRecorded(before, ledger, recorded);
          count(seen, `${request.operation.name} done`);
          if ((ledger.find('TOKEN', recorded.entityId)?.submitted ?? 0) > 100) count(seen, 'several batches');
          if (revokedBy(recorded) > 1) count(seen, 'several revoked');
          const was = before.find(({ kind, id }) => kind === 'BEO' && id === recorded.entityId);
          if (isRecovery(was, ledger.find('BEO', recorded.entityId))) count(seen, 'recovered');
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error;
          expect(ledger.all()).toEqual(before);
          count(seen, error.code);
        }
        expectSound(ledger, now);
        expectEndsKept(ends, ledger, now);
      });
      expectRests(ledger.recorded);
      expect(replayed(ledger.recorded).all()).toEqual(ledger.all());
    }),
    { numRuns: 100 },
  );
  expect(seen.has('INTERNAL')).toBe(false);
  return seen;
}

describe('any sequence of operations', () => {
  test('keeps the invariants of names, consents, proposals and ledger positions', () => {
    const seen = livedThrough(step, OPENING);
    expect([...seen.keys()]).toEqual(expect.arrayContaining([...DONE.map((name) => `${name} done`), ...REFUSALS]));
    expect(seen.get('several revoked')).toBeGreaterThan(0);
    expect(seen.get('several batches')).toBeGreaterThan(0);
  });

  test('keeps the invariants of guardians', () => {
    const seen = livedThrough(guardianStep, [...OPENING, ...GUARDED]);
    const done = DONE_BY_GUARDIANS.map((name) => `${name} done`);
    expect([...seen.keys()]).toEqual(expect.arrayContaining([...done, 'recovered', ...REFUSALS_OF_GUARDIANS]));
  });
});

const DONE = [
  ...['createBEO', 'lockBEO', 'unlockBEO', 'rotateBEOKey', 'destroyBEO'],
  ...['createIEO', 'lockIEO', 'unlockIEO', 'rotateIEOKey', 'destroyIEO'],
  ...['grantConsent', 'revokeToken', 'revokeAllTokens', 'revokeAllFromIEO', 'revokeByIntent'],
  ...['openProposal', 'approveProposal', 'updateCertification', 'submitRecords'],
];
const REFUSALS = [
  ...['BEO_NOT_FOUND', 'BEO_DESTROYED', 'BEO_LOCKED', 'IEO_NOT_FOUND', 'IEO_DESTROYED'],
  ...['IEO_NOT_ACTIVE', 'ALREADY_LOCKED', 'NOT_LOCKED', 'KEY_UNCHANGED', 'DOMAIN_TAKEN', 'PUBLIC_KEY_TAKEN'],
  ...['DUPLICATE_TOKEN', 'TOKEN_ALREADY_REVOKED', 'INTENT_NOT_ALLOWED_FOR_TYPE', 'ALREADY_APPROVED', 'REQUEST_CLOSED'],
  ...['RECORD_LIMIT_REACHED', 'TOKEN_REVOKED', 'TOKEN_EXPIRED', 'INTENT_NOT_AUTHORIZED', 'IEO_LOCKED'],
];
const DONE_BY_GUARDIANS = [
  ...['inviteGuardian', 'acceptGuardian', 'confirmGuardian', 'confirmRecovery', 'updateBEORecovery'],
  ...['rotateBEOKey', 'lockBEO', 'unlockBEO', 'destroyBEO'],
];
const REFUSALS_OF_GUARDIANS = [
  ...['GUARDIAN_LIMIT', 'GUARDIAN_ROLE_TAKEN', 'PUBLIC_KEY_TAKEN', 'LINK_EXPIRED', 'LINK_USED'],
  ...['ALREADY_CONFIRMED', 'RECOVERY_COOLDOWN', 'BEO_LOCKED', 'BEO_DESTROYED', 'NOT_FOUND', 'VALIDATION_FAILED'],
];

const submitted = (ledger: TestLedger, request: Request, now: number): Recorded =>
  ledger.submit(request, new Date(now).toISOString());

function replayed(history: readonly Recorded[]): TestLedger {
  const ledger = createTestLedger();
  for (const entry of history) ledger.submit(entry, entry.acceptedAt);
  return ledger;
}

const count = (seen: Map<string, number>, what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
