import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BeoId } from '../ids.ts';
import { scopeKeyOf } from './scope-key.ts';
import type { Scope } from './token.ts';

describe('scopeKeyOf', () => {
  const MARIA = 'maria' as BeoId;
  const full: Scope = {
    intents: ['READ_RECORDS', 'EXPORT_DATA', 'REQUEST_SCORE'],
    categories: ['BSP-CV', 'BSP-GL', 'BSP-DV'],
    levels: ['CORE', 'STANDARD'],
    period: { from: '2026-01-31T12:00:00.000Z', to: '2026-01-31T13:00:00.000Z' },
    max_records: 10,
  };
  const shuffled = <Item>(items: readonly Item[]) => fc.shuffledSubarray([...items], { minLength: items.length });

  test('does not depend on the order of the lists', () => {
    fc.assert(
      fc.property(
        shuffled(full.intents),
        shuffled(full.categories),
        shuffled(full.levels),
        (intents, categories, levels) => {
          expect(scopeKeyOf(MARIA, 'lab', { ...full, intents, categories, levels })).toBe(
            scopeKeyOf(MARIA, 'lab', full),
          );
        },
      ),
    );
  });

  test('depends on holder, grantee and every limit', () => {
    const others: Partial<Scope>[] = [
      { intents: full.intents.slice(1) },
      { categories: ['*'] },
      { categories: full.categories.slice(1) },
      { levels: [] },
      { period: null },
      { period: { from: null, to: '2026-01-31T13:00:00.000Z' } },
      { period: { from: '2026-01-31T12:00:00.000Z', to: null } },
      { max_records: null },
      { max_records: 11 },
    ];
    const keys = [
      scopeKeyOf(MARIA, 'lab', full),
      scopeKeyOf('other' as BeoId, 'lab', full),
      scopeKeyOf(MARIA, 'other', full),
      ...others.map((changes) => scopeKeyOf(MARIA, 'lab', { ...full, ...changes })),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });
});
