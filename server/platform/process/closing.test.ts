import { expect, test } from 'vitest';
import { createClosing } from './closing.ts';

test('parts are closed once, one after the other, the last opened one first', async () => {
  const events: string[] = [];
  const closing = createClosing((part) => events.push(`${part} failed`));
  closing.add('a', () => events.push('a'));
  closing.add('b', async () => {
    await Promise.resolve();
    events.push('b');
  });
  closing.add('c', () => events.push('c'));
  await closing.run();
  await closing.run();
  expect(events).toEqual(['c', 'b', 'a']);
});

test('a part that fails to close is reported, and does not keep the others open', async () => {
  const events: string[] = [];
  const closing = createClosing((part, error) => events.push(`${part}: ${(error as Error).message}`));
  closing.add('a', () => events.push('a'));
  closing.add('b', () => Promise.reject(new Error('still in use')));
  await closing.run();
  expect(events).toEqual(['b: still in use', 'a']);
});
