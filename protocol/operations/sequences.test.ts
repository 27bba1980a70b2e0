import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Beo, Entity } from '../entities.ts';
import { ProtocolError } from '../errors.ts';
import { GUARDIAN_ROLES, type GuardianId, type InvitationId } from '../ids.ts';
import type { AnyOperation } from '../operations.ts';
import { createBEO } from './create-beo.ts';
import { destroyBEO } from './destroy-beo.ts';
import { lockBEO } from './lock-beo.ts';
import { rotateBEOKey } from './rotate-beo-key.ts';
import { createTestLedger, type Recorded, type Request, type TestLedger } from './test-ledger.ts';
import { unlockBEO } from './unlock-beo.ts';

const START = Date.parse('2026-01-31T12:00:00.000Z');
const REST_MS = 10 * 60_000;
const digits = fc.constantFrom('a', 'b', 'c', 'A', 'd');
const domains = fc.constantFrom('ana.bsp', 'bruno.bsp', 'celia.bsp');
const guardians = fc
  .subarray([...GUARDIAN_ROLES])
  .chain((roles) => fc.tuple(...roles.map((role) => fc.option(digits).map((digit) => ({ role, digit })))));
const wait = fc.oneof(fc.nat(60_000), fc.constantFrom(0, 1, REST_MS - 1, REST_MS, 6 * 60_000));

const step = fc.oneof(
  fc.record({ does: fc.constant('create' as const), domain: domains, digit: digits, guardians, wait }),
  fc.record({
    does: fc.constantFrom<AnyOperation[]>(lockBEO, unlockBEO, destroyBEO),
    which: fc.nat(5),
    wait,
  }),
  fc.record({ does: fc.constant('rotate' as const), which: fc.nat(5), digit: digits, wait }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const key = (digit: string): string => digit.repeat(64);

function requestOf(taken: Step, index: number): Request {
  if (taken.does === 'create') {
    const invited = taken.guardians.map(({ role, digit }) => ({
      guardian_id: `${index} ${role}` as GuardianId,
      invitation_id: `${index} invitation ${role}` as InvitationId,
      role,
      public_key: digit && key(digit.toLowerCase()),
    }));
    const publicKey = key(taken.digit.toLowerCase());
    const known = { domain: taken.domain, publicKey, enabled: invited.length > 0, guardians: invited };
    return { operation: createBEO, entityId: `beo ${index}`, known };
  }
  const entityId = `beo ${taken.which}`;
  if (taken.does === 'rotate') {
    return { operation: rotateBEOKey, entityId, known: { beoId: entityId, newPublicKey: key(taken.digit) } };
  }
  return { operation: taken.does, entityId, known: { beoId: entityId } };
}

const isBeo = (entity: Entity): entity is Beo => entity.kind === 'BEO';
const beosOf = (ledger: TestLedger): Beo[] => ledger.all().filter(isBeo);
const byKey = (entities: readonly Entity[]) =>
  new Map(entities.map((entity) => [`${entity.kind} ${entity.id}`, entity]));

/** What is true of the state whatever has happened. */
function expectSound(ledger: TestLedger): void {
  const living = beosOf(ledger).filter(({ status }) => status !== 'DESTROYED');
  const held = ledger.all().flatMap((entity) => (entity.kind === 'NAME' && entity.holder ? [entity] : []));
  expect(held.map(({ id, holder }) => `${id} ${holder?.id}`).sort()).toEqual(
    living.map(({ id, domain }) => `${domain} ${id}`).sort(),
  );
  for (const beo of beosOf(ledger)) {
    expect(beo.lockedAt !== null).toBe(beo.status === 'LOCKED');
    const keys = [beo.publicKey, ...beo.recovery.guardians.map(({ publicKey }) => publicKey)].filter((k) => k !== null);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.every((text) => text === text.toLowerCase())).toBe(true);
    if (beo.status === 'DESTROYED') {
      expect([beo.domain, beo.publicKey, beo.recovery.guardians.length]).toEqual([null, null, 0]);
    }
  }
}

/** What is true of every step that was accepted. */
function expectRecorded(before: readonly Entity[], ledger: TestLedger, recorded: Recorded): void {
  const was = byKey(before);
  const changed = ledger.all().filter((entity) => was.get(`${entity.kind} ${entity.id}`) !== entity);
  expect(changed.map(({ id }) => id)).toContain(recorded.entityId);
  for (const entity of changed) {
    const old = was.get(`${entity.kind} ${entity.id}`);
    expect(entity.seq).toBe(recorded.seq);
    const begins = !old || (old.kind === 'NAME' && old.holder === null);
    expect(entity.transactionId).toBe(begins ? recorded.transactionId : old.transactionId);
    if (!isBeo(entity)) continue;
    expect([entity.id, entity.updatedAt]).toEqual([recorded.entityId, recorded.acceptedAt]);
    if (!old || !isBeo(old)) continue;
    expect(old.status).not.toBe('DESTROYED');
    expect(entity.createdAt).toBe(old.createdAt);
    expect(entity.keyVersion - old.keyVersion).toBe(recorded.operation.name === 'rotateBEOKey' ? 1 : 0);
  }
  expect(recorded.erases).toEqual(recorded.operation.name === 'destroyBEO' ? [recorded.entityId] : []);
}

/** What is true of the whole history: between two holders of a name lies its rest. */
function expectRests(history: readonly Recorded[]): void {
  const freed = new Map<string, number>();
  const domainOf = new Map<string, string>();
  for (const { operation, entityId, known, acceptedAt } of history) {
    const time = Date.parse(acceptedAt);
    if (operation.name === 'createBEO') {
      const { domain } = known as { domain: string };
      expect(time - (freed.get(domain) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(REST_MS);
      domainOf.set(entityId, domain);
    }
    if (operation.name === 'destroyBEO') freed.set(domainOf.get(entityId) ?? '', time);
  }
}

describe('any sequence of operations', () => {
  test('keeps one holder for a name, the destroyed destroyed, and every change in its place in the ledger', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), (steps) => {
        const ledger = createTestLedger();
        let now = START;
        steps.forEach((taken, index) => {
          now += taken.wait;
          const before = ledger.all();
          const request = requestOf(taken, index);
          try {
            expectRecorded(before, ledger, submitted(ledger, request, now));
            count(seen, `${request.operation.name} done`);
          } catch (error) {
            if (!(error instanceof ProtocolError)) throw error;
            expect(ledger.all()).toEqual(before);
            count(seen, error.code);
          }
          expectSound(ledger);
        });
        expectRests(ledger.recorded);
        expect(replayed(ledger.recorded).all()).toEqual(ledger.all());
      }),
      { numRuns: 150 },
    );
    const all = ['lockBEO', 'unlockBEO', 'rotateBEOKey', 'destroyBEO', 'createBEO'].map((name) => `${name} done`);
    const refusals = ['BEO_NOT_FOUND', 'BEO_DESTROYED', 'ALREADY_LOCKED', 'NOT_LOCKED', 'KEY_UNCHANGED'];
    expect([...seen.keys()]).toEqual(expect.arrayContaining([...all, ...refusals, 'DOMAIN_TAKEN', 'PUBLIC_KEY_TAKEN']));
  });
});

const submitted = (ledger: TestLedger, request: Request, now: number): Recorded =>
  ledger.submit(request, new Date(now).toISOString());

function replayed(history: readonly Recorded[]): TestLedger {
  const ledger = createTestLedger();
  for (const entry of history) ledger.submit(entry, entry.acceptedAt);
  return ledger;
}

const count = (seen: Map<string, number>, what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
