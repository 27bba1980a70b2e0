import { expect, test } from 'vitest';
import { IEO_TYPES } from '../../../../protocol/entities/ieo.ts';
import { includesCategory, type TokenView } from '../../../../protocol/entities/token.ts';
import { CATEGORIES } from '../../../../protocol/records/taxonomy.ts';
import { coverOf } from './cover.ts';

test('covers the same categories as the protocol does', () => {
  for (const categories of [['*'], ['BSP-HR', 'BSP-DV'], ['BSP-HR']]) {
    const scope = { intents: [], categories, levels: [], period: null, max_records: null };
    for (const type of IEO_TYPES)
      for (const category of CATEGORIES)
        expect(coverOf({ scope } as unknown as TokenView, type).covers(category)).toBe(
          includesCategory(scope, category, type),
        );
  }
});
