import { expect, it } from 'vitest';
import { normalizeReference } from './reference.ts';

const meant = (typed: string) => normalizeReference(typed, 'bsp');

it('adds the suffix to a bare name, and leaves a whole domain alone', () => {
  expect([meant('ana'), meant(' Ana.bsp '), meant('ana.lab.bsp'), meant('ana.com')]).toEqual([
    'ana.bsp',
    'ana.bsp',
    'ana.lab.bsp',
    'ana.com',
  ]);
});

it('keeps the id of an identity and of a transaction as they are', () => {
  const uuid = '6ba7b811-9dad-51d1-80b4-00c04fd430c8';
  const transaction = 'bVnNH2dW4cBMiGb5vgqK0Od8LqZBZFuLKoW9JnT1yTA';
  expect([meant(uuid), meant(transaction)]).toEqual([uuid, transaction]);
});

it('asks for nothing when nothing was typed', () => {
  expect(meant('   ')).toBe('');
});
