import { expect, test } from 'vitest';
import { type Begun, NOTHING } from './begun.ts';
import { stepFor } from './progress.ts';

const NAMED: Begun = { ...NOTHING, domain: 'olive.bsp', publicKey: 'ab' };
const ON_PAPER: Begun = { ...NAMED, copy: { as: 'words', domain: 'olive.bsp' } };
const IN_FILE: Begun = { ...NAMED, copy: { as: 'file', domain: 'olive.bsp' } };

test('no screen is reached before those ahead of it are done', () => {
  expect(stepFor(null, { begun: NOTHING, sealed: false })).toBe('name');
  expect(stepFor('send', { begun: NOTHING, sealed: true })).toBe('name');
  expect(stepFor('send', { begun: NAMED, sealed: true })).toBe('key');
  expect(stepFor('send', { begun: ON_PAPER, sealed: false })).toBe('here');
  expect(stepFor('send', { begun: ON_PAPER, sealed: true })).toBe('send');
  expect(stepFor('public', { begun: ON_PAPER, sealed: true })).toBe('public');
  expect(stepFor('elsewhere', { begun: ON_PAPER, sealed: true })).toBe('name');
});

test('under another name the words still do, but not a file that bears the first one', () => {
  const sealed = true;
  expect(stepFor('send', { begun: { ...ON_PAPER, domain: 'stone.bsp' }, sealed })).toBe('send');
  expect(stepFor('send', { begun: { ...IN_FILE, domain: 'stone.bsp' }, sealed })).toBe('key');
});
