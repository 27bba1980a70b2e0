import { describe, expect, test } from 'vitest';
import { type Flow, screenBefore, screenFor, screensBefore } from './step-order.ts';

interface State {
  readonly named: boolean;
  readonly hasKey: boolean;
  readonly sent: boolean;
}

const FLOW: Flow<State, 'name' | 'public' | 'key' | 'send' | 'watch', 'stop' | 'done'> = {
  steps: [
    { name: 'name', isDone: ({ named }) => named },
    { name: 'public' },
    { name: 'key', isDone: ({ hasKey }) => hasKey },
    { name: 'send', back: 'name' },
    { name: 'watch', back: null },
  ],
  beside: { stop: 'name' },
  only: ({ sent }) => (sent ? 'done' : null),
};
const state = (changes: Partial<State> = {}): State => ({ named: false, hasKey: false, sent: false, ...changes });
const READY = state({ named: true, hasKey: true });

describe('the screen of a flow', () => {
  test('is the first for no step, an unknown one, and the name of a member that every object has', () => {
    for (const requested of [null, '', 'Name', 'constructor']) {
      expect(screenFor(FLOW, requested, READY)).toBe('name');
    }
  });

  test('is the requested one where the steps before it are done', () => {
    for (const { name } of FLOW.steps) expect(screenFor(FLOW, name, READY)).toBe(name);
  });

  test('is the first that is not done where a later one is requested', () => {
    expect(screenFor(FLOW, 'public', state())).toBe('name');
    expect(screenFor(FLOW, 'public', state({ named: true }))).toBe('public');
    expect(screenFor(FLOW, 'send', state({ named: true }))).toBe('key');
    expect(screenFor(FLOW, 'send', state({ hasKey: true }))).toBe('name');
  });

  test('is one beside the steps at any time, but not the last one because it is in the address', () => {
    expect(screenFor(FLOW, 'stop', state())).toBe('stop');
    expect(screenFor(FLOW, 'done', READY)).toBe('name');
  });

  test('is the one of the state where the address does not decide', () => {
    for (const requested of [null, 'name', 'stop']) {
      expect(screenFor(FLOW, requested, state({ sent: true }))).toBe('done');
    }
  });
});

test('the link back leads to the step before, or to the one that the flow names', () => {
  const back = (['name', 'public', 'key', 'send', 'watch', 'stop', 'done'] as const).map((name) =>
    screenBefore(FLOW, name),
  );
  expect(back).toEqual([null, 'name', 'public', 'name', null, 'name', null]);
});

test('from a step, the links back lead to the steps before it as far as the first without one', () => {
  const before = FLOW.steps.map(({ name }) => [...screensBefore(FLOW, name)]);
  expect(before).toEqual([[], ['name'], ['public', 'name'], ['name'], []]);
});
