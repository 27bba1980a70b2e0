import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Beo } from '../../protocol/entities/beo.ts';
import type { Entity, EntityKind, Name } from '../../protocol/entities/entities.ts';
import { type Ieo, NO_CONTACTS, UNCERTIFIED } from '../../protocol/entities/ieo.ts';
import type { Proposal } from '../../protocol/entities/proposal.ts';
import type { Token } from '../../protocol/entities/token.ts';
import { amount } from '../../protocol/test-amount.ts';
import { openStateFile, temporaryStateFolder } from './audit-state-file.ts';
import { createEndedQueue } from './ended-queue.ts';
import { createReplayedState, type Ended } from './replayed-state.ts';
import { createSetDigest } from './set-digest.ts';
import { createMemoryState } from './test-memory-state.ts';
import { testState } from './test-state.ts';

const KINDS: readonly EntityKind[] = ['BEO', 'IEO', 'TOKEN', 'PROPOSAL', 'NAME'];
const at = (ms: number) => new Date(ms).toISOString();

/** Few ids, so that operations meet the same entities. */
const number = fc.integer({ min: 0, max: 4 });
const time = fc.integer({ min: 0, max: 9 }).map((step) => step * 300_000);
const text = fc.string({ unit: 'binary', maxLength: 8 });

const place = (seq: number) => ({ seq, createdSeq: seq, transactionId: `transaction-${seq}` });

const beo = fc.record({
  id: number,
  status: fc.constantFrom('ACTIVE', 'LOCKED', 'DESTROYED'),
  guarded: fc.boolean(),
  domain: text,
});
const ieo = fc.record({
  id: number,
  status: fc.constantFrom('ACTIVE', 'SUSPENDED', 'REVOKED', 'DESTROYED'),
  displayName: text,
});
const token = fc.record({ id: number, holder: number, grantee: number, revoked: fc.boolean(), submitted: fc.nat() });
const proposal = fc.record({ id: number, until: time, executed: fc.boolean() });
const name = fc.record({ id: number, until: fc.option(time) });

const step = fc.oneof(
  beo.map((value) => ({ kind: 'BEO' as const, ...value })),
  ieo.map((value) => ({ kind: 'IEO' as const, ...value })),
  token.map((value) => ({ kind: 'TOKEN' as const, ...value })),
  proposal.map((value) => ({ kind: 'PROPOSAL' as const, ...value })),
  name.map((value) => ({ kind: 'NAME' as const, ...value })),
  time.map((until) => ({ kind: 'prune' as const, until })),
  fc.tuple(number, time).map(([nonce, until]) => ({ kind: 'nonce' as const, nonce: `nonce ${nonce}`, until })),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Only what the state reads; the rest of an entity is stored as it is. */
function entityOf(step: Exclude<Step, { kind: 'prune' | 'nonce' }>, seq: number): Entity {
  const { kind, id } = step;
  const common = { kind, id: `${kind} ${id}`, ...place(seq) };
  switch (kind) {
    case 'BEO': {
      const guardians = step.guarded ? [{ status: 'ACTIVE' }] : [];
      return {
        ...common,
        status: step.status,
        domain: step.domain,
        recovery: { guardians, requests: [] },
      } as unknown as Beo;
    }
    case 'IEO':
      return {
        ...{ ...common, status: step.status, displayName: step.displayName },
        ...{ certification: UNCERTIFIED, contacts: NO_CONTACTS },
      } as unknown as Ieo;
    case 'TOKEN':
      return {
        ...{ ...common, beoId: `BEO ${step.holder}`, grantee: { kind: 'IEO', id: `IEO ${step.grantee}` } },
        ...{ scopeKey: `BEO ${step.holder} to ${step.grantee}`, submitted: step.submitted },
        revokedAt: step.revoked ? at(0) : null,
      } as unknown as Token;
    case 'PROPOSAL':
      return { ...common, expiresAt: at(step.until), executedAt: step.executed ? at(0) : null } as unknown as Proposal;
    case 'NAME': {
      const holder = step.until === null ? { kind: 'BEO', id: 'BEO 0' } : null;
      return { ...common, holder, availableAt: step.until === null ? null : at(step.until) } as unknown as Name;
    }
  }
}

test('a state in a file is the same as one in memory after any operations', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const file = openStateFile(temporaryStateFolder());
      try {
        const model = createMemoryState();
        const ended: Ended[] = [];
        let now = 0;
        const state = createReplayedState(file, { onEnded: (entity) => void ended.push(entity) });
        for (const [index, step] of steps.entries()) {
          if (step.kind === 'nonce') {
            now += step.until;
            expect(state.isNonceUsed(step.nonce, now)).toBe(model.isNonceUsed(step.nonce, now));
          } else {
            for (const each of [state, model]) {
              if (step.kind === 'prune') each.prune(step.until);
              else each.put(entityOf(step, index + 1));
            }
          }
        }
        const digests = {
          BEO: createSetDigest(),
          IEO: createSetDigest(),
          TOKEN: createSetDigest(),
          PROPOSAL: createSetDigest(),
        };
        for (const entity of model.ended) if (entity.kind !== 'NAME') digests[entity.kind].add(entity);
        expect(new Set(ended.map((entity) => JSON.stringify(entity)))).toEqual(
          new Set(model.ended.map((entity) => JSON.stringify(entity))),
        );
        for (const kind of KINDS) {
          const all: readonly Entity[] = [...state.live[kind].values()];
          const expected: readonly Entity[] = [...model.live[kind].values()];
          expect(new Map(all.map((entity) => [entity.id, entity]))).toEqual(
            new Map(expected.map((entity) => [entity.id, entity])),
          );
          expect(state.live[kind].size).toBe(expected.length);
          expect(state.live[kind].newest(3).map(({ seq }) => seq)).toEqual(
            expected
              .map(({ seq }) => seq)
              .sort((a, b) => b - a)
              .slice(0, 3),
          );
          expect(new Set(state.live[kind].random(9).map(({ id }) => id))).toEqual(
            new Set(expected.map(({ id }) => id)),
          );
          if (kind !== 'NAME') {
            expect(state.endedDigests[kind].digest).toBe(digests[kind].digest);
          }
          for (let id = 0; id < 5; id += 1) {
            expect(state.get(kind, `${kind} ${id}`)).toEqual(model.get(kind, `${kind} ${id}`));
            if (kind !== 'NAME') {
              expect(state.isTaken(kind, `${kind} ${id}`)).toBe(model.isTaken(kind, `${kind} ${id}`));
            }
          }
        }
        for (let holder = 0; holder < 5; holder += 1) {
          expect(bySeq(state.granted(`BEO ${holder} to 0`))).toEqual(bySeq(model.granted(`BEO ${holder} to 0`)));
        }
        const guarded = [...model.live.BEO.values()].filter(({ recovery }) => recovery.guardians.length > 0);
        expect(bySeq([...state.withGuardians()])).toEqual(bySeq(guarded));
      } finally {
        file.close();
      }
    }),
    { numRuns: amount(20, 60) },
  );
});

const bySeq = <Of extends Entity>(entities: readonly Of[]): Of[] => entities.toSorted((a, b) => a.seq - b.seq);

test('more entities than the memory keeps are found, listed and ended', () => {
  const ended: string[] = [];
  const file = openStateFile(temporaryStateFolder());
  onTestFinished(file.close);
  const state = createReplayedState(file, { onEnded: ({ id }) => void ended.push(id) });
  const count = 3_000;
  for (let id = 0; id < count; id += 1) {
    state.put(entityOf({ kind: 'TOKEN', id, holder: id, grantee: 0, revoked: false, submitted: 0 }, id + 1));
  }
  expect(state.get('TOKEN', 'TOKEN 0')?.seq).toBe(1);
  expect(state.get('TOKEN', `TOKEN ${count}`)).toBeUndefined();
  expect([...state.live.TOKEN.values()].map(({ seq }) => seq)).toEqual(
    Array.from({ length: count }, (_, id) => id + 1),
  );
  state.put(entityOf({ kind: 'IEO', id: 0, status: 'REVOKED', displayName: '' }, count + 1));
  expect([ended.length, state.live.TOKEN.size, state.endedDigests.TOKEN.count]).toEqual([count + 1, 0, count]);
});

test('ended entities that wait to be written are taken once, in order', () => {
  const file = openStateFile(temporaryStateFolder());
  onTestFinished(file.close);
  const queue = createEndedQueue(file);
  const entities = Array.from({ length: 600 }, (_, id) =>
    entityOf({ kind: 'BEO', id, status: 'DESTROYED', guarded: false, domain: '' }, id + 1),
  );
  for (const entity of entities) queue.add(entity as Ended);
  expect([...queue.take()]).toEqual(entities);
  expect([...queue.take()]).toEqual([]);
});

test('closing a state file removes its folder; a folder that cannot be used is one sentence', () => {
  const file = openStateFile(temporaryStateFolder());
  expect(existsSync(file.path)).toBe(true);
  file.close();
  expect(existsSync(dirname(file.path))).toBe(false);
  const missing = join(mkdtempSync(join(tmpdir(), 'perpetua-state-')), 'missing');
  expect(() => openStateFile(missing)).toThrow(/The temporary files in .*missing cannot be written/);
});

test('a full disk is one sentence that says what to do', () => {
  const file = openStateFile(temporaryStateFolder());
  onTestFinished(file.close);
  file.query('PRAGMA max_page_count = 60').all();
  const state = createReplayedState(file);
  const fill = () => {
    for (let id = 0; id < 5_000; id += 1) {
      state.put(entityOf({ kind: 'BEO', id, status: 'ACTIVE', guarded: false, domain: 'x'.repeat(100) }, id + 1));
    }
  };
  expect(fill).toThrow(
    /cannot be written, perhaps because the disk is full .* Set TMPDIR to a folder with more space\.$/,
  );
});

test('a nonce is remembered for ten minutes, over many more than fit in memory', () => {
  const state = testState();
  for (let number = 0; number < 5_000; number += 1) {
    expect(state.isNonceUsed(`nonce ${number}`, number * 100)).toBe(false);
  }
  expect(state.isNonceUsed('nonce 0', 599_000)).toBe(true);
  expect(state.isNonceUsed('nonce 0', 1_199_000)).toBe(false);
});
