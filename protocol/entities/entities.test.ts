import { describe, expect, test } from 'vitest';
import type { BeoId, IeoId, TransactionId } from '../ids.ts';
import { claimName, domainAvailableAt, type Entities, type Name, requireNewName } from './entities.ts';

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
const entitiesWith = (...names: Name[]): Entities => ({
  get: (kind, id) => names.find((name) => name.kind === kind && name.id === id) as never,
  granted: () => [],
});

test('a replay accepts the domain of a destroyed identity again after ten minutes', () => {
  expect(domainAvailableAt('2026-12-31T23:55:00.001Z')).toBe('2027-01-01T00:05:00.001Z');
});

describe('claimName', () => {
  test.each([maria, lab])('assigns a new name: %j', (holder) => {
    const claimed = { kind: 'NAME', id: 'care.bsp', holder, availableAt: null, transactionId: '', seq: 0 };
    expect(claimName(entitiesWith(), 'care.bsp', holder, AT)).toEqual(claimed);
  });

  test.each([
    [maria, lab],
    [lab, maria],
    [maria, maria],
    [lab, lab],
  ])('rejects a name that %j holds: %j', (holder, other) => {
    const claim = () => claimName(entitiesWith(name(holder)), 'care.bsp', other, AT);
    expect(claim).toThrow(expect.objectContaining({ code: 'DOMAIN_TAKEN', details: undefined }));
  });

  test.each([maria, lab])('rejects a released name until it is available: %j', (holder) => {
    const released = entitiesWith(name(null, AT));
    const early = () => claimName(released, 'care.bsp', holder, '2026-01-31T11:59:59.999Z');
    expect(early).toThrow(expect.objectContaining({ code: 'DOMAIN_TAKEN', details: undefined }));
    expect(claimName(released, 'care.bsp', holder, AT)).toMatchObject({ holder, availableAt: null });
  });
});

test('a new operation claims only a name that never had a holder', () => {
  expect(() => requireNewName(entitiesWith(), 'care.bsp')).not.toThrow();
  for (const availableAt of [AT, null]) {
    const released = entitiesWith(name(null, availableAt));
    expect(() => requireNewName(released, 'care.bsp')).toThrow(expect.objectContaining({ code: 'DOMAIN_TAKEN' }));
  }
});
