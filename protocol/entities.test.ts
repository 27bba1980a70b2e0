import { describe, expect, test } from 'vitest';
import { claimName, domainAvailableAt, type Entities, type Name } from './entities.ts';
import type { BeoId, IeoId, TransactionId } from './ids.ts';

const AT = '2026-01-31T12:00:00.000Z';
const maria = { kind: 'BEO', id: 'maria' as BeoId } as const;
const lab = { kind: 'IEO', id: 'lab' as IeoId } as const;

const name = (holder: Name['holder'], availableAt: string | null = null): Name => ({
  kind: 'NAME',
  id: 'care.bsp',
  holder,
  availableAt,
  transactionId: 'transaction' as TransactionId,
  seq: 3,
});
const knowing = (...names: Name[]): Entities => ({
  get: (kind, id) => names.find((one) => one.kind === kind && one.id === id) as never,
  granted: () => [],
  tokensOf: () => [],
});

test('a domain rests for ten minutes', () => {
  expect(domainAvailableAt('2026-12-31T23:55:00.001Z')).toBe('2027-01-01T00:05:00.001Z');
});

describe('a name of the namespace that people and institutions share', () => {
  test.each([maria, lab])('that nobody ever had goes to whoever asks: %j', (holder) => {
    const taken = { kind: 'NAME', id: 'care.bsp', holder, availableAt: null, transactionId: '', seq: 0 };
    expect(claimName(knowing(), 'care.bsp', holder, AT)).toEqual(taken);
  });

  test.each([
    [maria, lab],
    [lab, maria],
    [maria, maria],
    [lab, lab],
  ])('that %j has does not go to %j', (holder, other) => {
    const take = () => claimName(knowing(name(holder)), 'care.bsp', other, AT);
    expect(take).toThrow(expect.objectContaining({ code: 'DOMAIN_TAKEN', details: undefined }));
  });

  test.each([maria, lab])('that rests goes to nobody until its rest is over, and says when that is: %j', (holder) => {
    const resting = knowing(name(null, AT));
    const early = () => claimName(resting, 'care.bsp', holder, '2026-01-31T11:59:59.999Z');
    expect(early).toThrow(expect.objectContaining({ code: 'DOMAIN_TAKEN', details: { available_at: AT } }));
    expect(claimName(resting, 'care.bsp', holder, AT)).toMatchObject({ holder, availableAt: null });
  });
});
