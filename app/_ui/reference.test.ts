import { expect, it } from 'vitest';
import { isId, normalizeReference, suggestedDomain } from './reference.ts';

const normalized = (typed: string) => normalizeReference(typed, 'bsp');

it('adds the suffix to a bare name, and keeps a full domain', () => {
  expect([normalized('ana'), normalized(' Ana.bsp '), normalized('ana.lab.bsp'), normalized('ana.com')]).toEqual([
    'ana.bsp',
    'ana.bsp',
    'ana.lab.bsp',
    'ana.com',
  ]);
});

it('keeps the ids of identities and transactions', () => {
  const uuid = '6ba7b811-9dad-51d1-80b4-00c04fd430c8';
  const transaction = 'bVnNH2dW4cBMiGb5vgqK0Od8LqZBZFuLKoW9JnT1yTA';
  expect([normalized(uuid), normalized(transaction)]).toEqual([uuid, transaction]);
});

it('is empty for an empty text', () => {
  expect(normalized('   ')).toBe('');
});

it('suggests a domain for a name as people write it', () => {
  const suggested = (typed: string) => suggestedDomain(typed, 'bsp');
  expect(['Hospital São Vítor', ' Clínica  & Filhos.bsp ', 'dr. ana', '-ana-'].map(suggested)).toEqual([
    'hospital-sao-vitor.bsp',
    'clinica-filhos.bsp',
    'dr-ana.bsp',
    'ana.bsp',
  ]);
  for (const typed of ['', '...', '日本', 'ł', 'x'.repeat(61), 'ana.bsp']) expect(suggested(typed)).toBeNull();
});

it('knows what has the form of an id', () => {
  const id = '0e9a4f6c-6b1c-5f43-9f3f-0d7a4e1c2b3a';
  for (const typed of [id, ` ${id.toUpperCase()} `, `tok_${id}`, 'aB3-'.repeat(10).concat('xY0')])
    expect(isId(typed)).toBe(true);
  for (const typed of ['', '123', 'ana.bsp', id.slice(1), 'x'.repeat(44)]) expect(isId(typed)).toBe(false);
});
