import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entity, EntityKind, EntityOf } from '../entities/entities.ts';
import { GUARDIAN_ROLES, isPresent, MAX_GUARDIANS } from '../entities/guardian.ts';
import { CERT_LEVELS, hasEnded } from '../entities/ieo.ts';
import { proposalStatus } from '../entities/proposal.ts';
import { eligibleGuardians, GRACE_MS } from '../entities/social-recovery.ts';
import { isLive, type Scope, type Token, tokenState } from '../entities/token.ts';
import { ProtocolError } from '../errors.ts';
import { amount } from '../test-amount.ts';
import { createTestLedger, type Recorded, type Request, revokedBy, type TestLedger } from './test-ledger.ts';
import { DAY, MINUTE, START, scopeOf } from './test-requests.ts';
import { all, INITIAL_STEPS, requestOf, type Step, UNKNOWN } from './test-steps.ts';

const HOLD_MS = 10 * MINUTE;
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
  { weight: 6, arbitrary: fc.constantFrom(0, 1, HOLD_MS - 1, HOLD_MS, 6 * MINUTE) },
  { weight: 1, arbitrary: fc.constantFrom(DAY - 1, DAY, 3 * DAY - 1, 3 * DAY, 7 * DAY - 1, 7 * DAY) },
);
const entity = fc.nat(UNKNOWN);
const approver = fc.constantFrom(1 as const, 2 as const, 3 as const);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('create' as const), domain: domains, digit: digits, guardians }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('register' as const),
      domain: domains,
      digit: digits,
      ieoType: fc.constantFrom('LAB', 'WEARABLE', 'PLATFORM', 'INSURER'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('holder operation' as const),
      operation: fc.constantFrom(...['lockBEO', 'lockBEO', 'unlockBEO', 'unlockBEO'], 'destroyBEO', 'revokeAllTokens'),
      entity,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('institution operation' as const),
      operation: fc.constantFrom(...['lockIEO', 'lockIEO', 'unlockIEO', 'unlockIEO'], 'destroyIEO'),
      entity,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('rotate' as const),
      whose: fc.constantFrom('BEO' as const, 'IEO' as const),
      entity,
      digit: digits,
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      type: fc.constant('grant' as const),
      entity,
      to: fc.option(entity),
      scope: fc.constantFrom(...SCOPES),
      days: fc.constantFrom(1, 7, 36_500, null),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('withdraw' as const), entity }) },
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('submit' as const), entity, count: fc.constantFrom(1, 40, 100) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('revoke from' as const), entity, from: fc.option(entity) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('revoke by intent' as const),
      entity,
      intent: fc.constantFrom('READ_RECORDS' as const, 'EXPORT_DATA' as const, 'SUBMIT_RECORD' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('propose' as const),
      action: fc.constantFrom('suspendIEO', 'reinstateIEO', 'reinstateIEO', 'revokeIEO', 'changeCertLevel'),
      entity,
      approver,
    }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('approve' as const), entity, approver }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('certify' as const), entity, level: fc.constantFrom(...CERT_LEVELS) }),
  },
);

const person = fc.nat(2);
const guardian = fc.nat(3);
const keyDigits = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');

/** All steps, most of them of guardians. */
const guardianStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: step },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('holder operation' as const),
      operation: fc.constantFrom('unlockBEO', 'unlockBEO', 'lockBEO'),
      entity: person,
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      type: fc.constant('invite' as const),
      entity: person,
      role: fc.constantFrom(...GUARDIAN_ROLES),
    }),
  },
  {
    weight: 16,
    arbitrary: fc.record({ type: fc.constant('accept' as const), entity: person, guardian, digit: keyDigits }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('confirm guardian' as const), entity: person, guardian }) },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('configure' as const), entity: person, guardians, enabled: fc.boolean() }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      type: fc.constant('confirm recovery' as const),
      entity: person,
      slot: fc.nat(1),
      guardian,
      digit: keyDigits,
      age: fc.constantFrom(0, 1, 10 * MINUTE),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('cancel recovery' as const), entity: person, slot: fc.nat(1) }),
  },
);

/** Gives each of the two people two guardians. */
const GUARDIAN_STEPS: readonly Step[] = [0, 1].flatMap((entity) =>
  (['primary', 'secondary'] as const).flatMap((role, index): Step[] => [
    { type: 'invite', entity, role },
    { type: 'accept', entity, guardian: 0, digit: ['e', 'f'][index] ?? 'e' },
  ]),
);

/** The state of every token at `now` (ms). */
function tokenStates(entities: readonly Entity[], now: number) {
  const find = (kind: EntityKind, id: string) => entities.find((entity) => entity.kind === kind && entity.id === id);
  return new Map(
    all(entities, 'TOKEN').map((token) => {
      const [beo, grantee] = [find('BEO', token.beoId), find(token.grantee.kind, token.grantee.id)];
      if (beo?.kind !== 'BEO' || (grantee?.kind !== 'BEO' && grantee?.kind !== 'IEO')) throw new Error('No party.');
      return [token.id as string, { token, beo, grantee, ...tokenState(token, { beo, grantee }, now) }] as const;
    }),
  );
}

/** As `toBe`, which takes longer than the operations that are checked here. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected);
}

/** Invariants of the state. */
function expectValidState(ledger: TestLedger, now: number): void {
  const entities = ledger.all();
  const living = all(entities, 'BEO').filter(({ status }) => status !== 'DESTROYED');
  const held = all(entities, 'NAME').filter(({ holder }) => holder !== null);
  expect(held.map(({ id, holder }) => `${id} ${holder?.id}`).sort()).toEqual(
    [...living, ...all(entities, 'IEO')].map(({ id, domain }) => `${domain} ${id}`).sort(),
  );
  for (const party of [...all(entities, 'BEO'), ...all(entities, 'IEO')]) {
    expectSame(party.lockedAt !== null, party.status === 'LOCKED');
    expectValidGuardians(party, now);
    expectSame(party.publicKey === null, party.status === 'DESTROYED');
    if (party.status === 'DESTROYED') expect(party.recovery.guardians).toEqual([]);
    if (party.kind === 'BEO') expectSame(party.domain === null, party.status === 'DESTROYED');
  }
  for (const { approvals, executedAt } of all(entities, 'PROPOSAL')) {
    expectSame(new Set(approvals.map((approval) => approval.approver)).size, approvals.length);
    expectSame(approvals.length, executedAt === null ? 1 : 2);
  }
  expectValidConsents(entities, now);
}

/** Invariants of guardians: distinct keys and roles, and no more than three. */
function expectValidGuardians(party: EntityOf<'BEO' | 'IEO'>, now: number): void {
  const { guardians } = party.recovery;
  const present = guardians.filter((guardian) => isPresent(guardian, now));
  const bound = [party.publicKey, ...present.map(({ publicKey }) => publicKey)].filter((text) => text !== null);
  expectSame(new Set(bound).size, bound.length);
  expectSame(
    bound.every((text) => text === text.toLowerCase()),
    true,
  );
  expect(present.length).toBeLessThanOrEqual(MAX_GUARDIANS);
  expectSame(new Set(present.map(({ role }) => role)).size, present.length);
  expectSame(new Set(guardians.map(({ guardianId }) => guardianId)).size, guardians.length);
  for (const { status, acceptedAt, removedAt, countsUntil } of guardians) {
    expectSame(removedAt !== null, status === 'REMOVED');
    expectSame(acceptedAt !== null, status === 'ACTIVE' || status === 'REMOVED');
    if (status === 'REMOVED') expect(countsUntil).not.toBeNull();
    if (countsUntil !== null) expect(Date.parse(countsUntil)).toBeLessThanOrEqual(now + GRACE_MS);
  }
  if (party.kind === 'IEO') return;
  const eligible = eligibleGuardians(party.recovery, now).map(({ publicKey }) => publicKey);
  expectSame(new Set([...eligible, party.publicKey]).size, eligible.length + 1);
  for (const { confirmations } of party.recovery.requests) expect(confirmations).toHaveLength(1);
}

function expectValidConsents(entities: readonly Entity[], now: number): void {
  const live = all(entities, 'TOKEN').filter((token) => isLive(token, now));
  expectSame(new Set(live.map(({ scopeKey }) => scopeKey)).size, live.length);
  for (const { status, revokedAt, token, beo, grantee } of tokenStates(entities, now).values()) {
    if (beo.status === 'DESTROYED' || (grantee.kind === 'IEO' && hasEnded(grantee))) expectSame(status, 'REVOKED');
    expectSame(revokedAt !== null, status === 'REVOKED');
    if (revokedAt !== null) expect(Date.parse(revokedAt)).toBeGreaterThanOrEqual(Date.parse(token.grantedAt));
    if (grantee.kind === 'IEO' && grantee.ieoType === 'WEARABLE')
      expect(token.scope.intents).toEqual(['SUBMIT_RECORD']);
  }
}

const idOf = ({ kind, id }: Entity): string => `${kind} ${id}`;

const isFinal = (entity: Entity, now: number): boolean => {
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
function expectValidChanges(before: readonly Entity[], ledger: TestLedger, recorded: Recorded): void {
  const now = Date.parse(recorded.acceptedAt);
  const previous = new Map(before.map((entity) => [idOf(entity), entity]));
  const changed = ledger.all().filter((entity) => previous.get(idOf(entity)) !== entity);
  expect(changed.map(({ id }) => id)).toContain(recorded.entityId);
  for (const entity of changed) {
    const old = previous.get(idOf(entity));
    expectSame(entity.seq, recorded.seq);
    const isNew = !old || (old.kind === 'NAME' && old.holder === null);
    expectSame(entity.transactionId, isNew ? recorded.transactionId : old.transactionId);
    if (old) expectSame(isFinal(old, now), false);
    if (entity.kind === 'TOKEN') expectRecordCount(old, entity, recorded);
    if (entity.kind === 'BEO' || entity.kind === 'IEO') expectPartyChange(old, entity, recorded);
  }
  const erased = recorded.operation.name === 'destroyBEO' || recorded.operation.name === 'destroyIEO';
  expect(recorded.vaultsToErase).toEqual(erased ? [recorded.entityId] : []);
  expectRevocations(before, ledger, recorded, changed);
}

/** Only submissions increase the number of records, with a live consent and up to its limit. */
function expectRecordCount(
  old: Entity | undefined,
  token: Token,
  { operation, publicFacts, acceptedAt }: Recorded,
): void {
  const before = old?.kind === 'TOKEN' ? old.submitted : 0;
  if (operation.name !== 'submitRecords') {
    expectSame(token.submitted, before);
    return;
  }
  const { commitments } = publicFacts as { commitments: readonly string[] };
  expect(token).toEqual({ ...old, submitted: before + commitments.length, seq: token.seq });
  expect(token.scope.intents).toContain('SUBMIT_RECORD');
  expectSame(token.grantee.kind, 'IEO');
  expectSame(isLive(token, Date.parse(acceptedAt)), true);
  expect(token.submitted).toBeLessThanOrEqual(token.scope.max_records ?? Number.POSITIVE_INFINITY);
}

function expectPartyChange(old: Entity | undefined, party: EntityOf<'BEO' | 'IEO'>, recorded: Recorded): void {
  const { name } = recorded.operation;
  expectSame(party.updatedAt, recorded.acceptedAt);
  if (name !== 'approveProposal') expectSame(party.id, recorded.entityId);
  if (old?.kind !== 'BEO' && old?.kind !== 'IEO') return;
  expectSame(party.createdAt, old.createdAt);
  const recovered = isRecovery(old, party);
  const rotated = name === 'rotateBEOKey' || name === 'rotateIEOKey' || recovered;
  expectSame(party.keyVersion - old.keyVersion, rotated ? 1 : 0);
  if (recovered) expectSame(name, 'confirmRecovery');
  const governed = [old.status, party.status].some((status) => status === 'SUSPENDED' || status === 'REVOKED');
  if (old.status !== party.status && governed) expect(['approveProposal', 'destroyIEO']).toContain(name);
}

const isRecovery = (before: Entity | undefined, after: Entity | undefined): boolean =>
  before?.kind === 'BEO' &&
  after?.kind === 'BEO' &&
  after.recovery.recoveredAt !== before.recovery.recoveredAt &&
  after.status !== 'DESTROYED';

/** A revocation ends exactly the tokens that it covers, and returns their number. */
function expectRevocations(
  before: readonly Entity[],
  ledger: TestLedger,
  recorded: Recorded,
  changed: readonly Entity[],
): void {
  const now = Date.parse(recorded.acceptedAt);
  const [statesBefore, statesAfter] = [tokenStates(before, now), tokenStates(ledger.all(), now)];
  const ended = [...statesAfter].filter(
    ([id, { status }]) => status === 'REVOKED' && statesBefore.get(id)?.status === 'ACTIVE',
  );
  const { name } = recorded.operation;
  if (!name.startsWith('revokeAll') && name !== 'revokeByIntent') {
    expectSame(revokedBy(recorded), name === 'revokeToken' ? 1 : 0);
    return;
  }
  expectSame(revokedBy(recorded), ended.length);
  expectSame(changed.filter(({ kind }) => kind === 'TOKEN').length, ended.length);
  const { grantee } = recorded.subjects;
  const { intent } = recorded.publicFacts as { intent?: Scope['intents'][number] };
  const isCovered = (token: Token): boolean =>
    token.beoId === recorded.entityId &&
    (!grantee || token.grantee.id === grantee) &&
    (!intent || token.scope.intents.includes(intent));
  const active = [...statesBefore].filter(([, { status, token }]) => status === 'ACTIVE' && isCovered(token));
  expect(ended.map(([id]) => id)).toEqual(active.map(([id]) => id));
}

/** No name is assigned again before it is available. */
function expectNamesHeld(history: readonly Recorded[]): void {
  const releasedAt = new Map<string, number>();
  const domainOf = new Map<string, string>();
  for (const { operation, entityId, publicFacts, acceptedAt } of history) {
    const time = Date.parse(acceptedAt);
    if (operation.name === 'createBEO' || operation.name === 'createIEO') {
      const { domain } = publicFacts as { domain: string };
      expect(time - (releasedAt.get(domain) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(HOLD_MS);
      domainOf.set(entityId, domain);
    }
    if (operation.name === 'destroyBEO') releasedAt.set(domainOf.get(entityId) ?? '', time);
    if (operation.name === 'destroyIEO') releasedAt.set(domainOf.get(entityId) ?? '', Number.POSITIVE_INFINITY);
  }
}

/** A revoked token stays revoked, with the same time. */
function expectRevocationsKept(revocations: Map<string, string>, ledger: TestLedger, now: number): void {
  for (const [id, { revokedAt }] of tokenStates(ledger.all(), now)) {
    if (revocations.has(id)) expectSame(revokedAt, revocations.get(id));
    else if (revokedAt !== null) revocations.set(id, revokedAt);
  }
}

/** Runs random histories. @returns how often each operation was accepted and each error occurred */
function runHistories(steps: fc.Arbitrary<Step>, initial: readonly Step[]): Map<string, number> {
  const counts = new Map<string, number>();
  const histories = fc.array(fc.record({ step: steps, wait }), { minLength: 20, maxLength: 80, size: 'max' });
  fc.assert(
    fc.property(histories, (rest) => {
      const ledger = createTestLedger();
      const revocations = new Map<string, string>();
      let now = START;
      [...initial.map((step) => ({ step, wait: 1 })), ...rest].forEach(({ step, wait }, index) => {
        now += wait;
        const before = ledger.all();
        const request = requestOf(step, index, ledger, now);
        if (request === null) return;
        try {
          const recorded = submitAt(ledger, request, now);
          expectValidChanges(before, ledger, recorded);
          increment(counts, `${request.operation.name} accepted`);
          if ((ledger.find('TOKEN', recorded.entityId)?.submitted ?? 0) > 100) increment(counts, 'several batches');
          if (revokedBy(recorded) > 1) increment(counts, 'several revoked');
          const previous = before.find(({ kind, id }) => kind === 'BEO' && id === recorded.entityId);
          if (isRecovery(previous, ledger.find('BEO', recorded.entityId))) increment(counts, 'recovered');
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error;
          expect(ledger.all()).toEqual(before);
          increment(counts, error.code);
        }
        expectValidState(ledger, now);
        expectRevocationsKept(revocations, ledger, now);
      });
      expectNamesHeld(ledger.recorded);
      expect(replay(ledger.recorded).all()).toEqual(ledger.all());
    }),
    // A fixed seed, because fewer histories may not contain every error.
    amount({ numRuns: 40, seed: 1 }, { numRuns: 100 }),
  );
  expectSame(counts.has('INTERNAL'), false);
  return counts;
}

describe('any sequence of operations', () => {
  test('keeps the invariants of names, consents, proposals and ledger positions', () => {
    const counts = runHistories(step, INITIAL_STEPS);
    expect([...counts.keys()]).toEqual(
      expect.arrayContaining([...ACCEPTED.map((name) => `${name} accepted`), ...REFUSED]),
    );
    expect(counts.get('several revoked')).toBeGreaterThan(0);
    expect(counts.get('several batches')).toBeGreaterThan(0);
  });

  test('keeps the invariants of guardians', () => {
    const counts = runHistories(guardianStep, [...INITIAL_STEPS, ...GUARDIAN_STEPS]);
    const accepted = ACCEPTED_WITH_GUARDIANS.map((name) => `${name} accepted`);
    expect([...counts.keys()]).toEqual(expect.arrayContaining([...accepted, 'recovered', ...REFUSED_WITH_GUARDIANS]));
  });
});

const ACCEPTED = [
  ...['createBEO', 'lockBEO', 'unlockBEO', 'rotateBEOKey', 'destroyBEO'],
  ...['createIEO', 'lockIEO', 'unlockIEO', 'rotateIEOKey', 'destroyIEO'],
  ...['grantConsent', 'revokeToken', 'revokeAllTokens', 'revokeAllFromIEO', 'revokeByIntent'],
  ...['openProposal', 'approveProposal', 'updateCertification', 'submitRecords'],
];
const REFUSED = [
  ...['BEO_NOT_FOUND', 'BEO_DESTROYED', 'BEO_LOCKED', 'IEO_NOT_FOUND', 'IEO_DESTROYED'],
  ...['IEO_NOT_ACTIVE', 'ALREADY_LOCKED', 'NOT_LOCKED', 'KEY_UNCHANGED', 'DOMAIN_TAKEN', 'PUBLIC_KEY_TAKEN'],
  ...['DUPLICATE_TOKEN', 'TOKEN_ALREADY_REVOKED', 'INTENT_NOT_ALLOWED_FOR_TYPE', 'ALREADY_APPROVED', 'REQUEST_CLOSED'],
  ...['RECORD_LIMIT_REACHED', 'TOKEN_REVOKED', 'TOKEN_EXPIRED', 'INTENT_NOT_AUTHORIZED', 'IEO_LOCKED'],
];
const ACCEPTED_WITH_GUARDIANS = [
  ...['inviteGuardian', 'acceptGuardian', 'confirmGuardian', 'confirmRecovery', 'cancelRecovery', 'updateBEORecovery'],
  ...['rotateBEOKey', 'lockBEO', 'unlockBEO', 'destroyBEO'],
];
const REFUSED_WITH_GUARDIANS = [
  ...['GUARDIAN_LIMIT', 'GUARDIAN_ROLE_TAKEN', 'PUBLIC_KEY_TAKEN', 'LINK_EXPIRED', 'LINK_USED'],
  ...['ALREADY_CONFIRMED', 'RECOVERY_COOLDOWN', 'BEO_LOCKED', 'BEO_DESTROYED', 'NOT_FOUND', 'VALIDATION_FAILED'],
];

const submitAt = (ledger: TestLedger, request: Request, now: number): Recorded =>
  ledger.submit(request, new Date(now).toISOString());

function replay(history: readonly Recorded[]): TestLedger {
  const ledger = createTestLedger();
  for (const entry of history) ledger.submit(entry, entry.acceptedAt);
  return ledger;
}

const increment = (counts: Map<string, number>, what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
