import { expect, test } from 'vitest';
import { ALL_COVERED, badCodes, filtersOf, isBackwards, parametersOf, queryIn } from './record-query.ts';

test('leaves out empty filters', () => {
  expect(filtersOf(ALL_COVERED, 0)).toEqual({
    categories: null,
    biomarkers: null,
    levels: null,
    status: 'ACTIVE',
    from: null,
    to: null,
    limit: 200,
    offset: 0,
  });
});

test('includes both days of a period completely', () => {
  const { from, to } = filtersOf({ ...ALL_COVERED, from: '2026-03-01', to: '2026-03-01' }, 100);
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(24 * 3_600_000 - 1);
  expect(isBackwards({ ...ALL_COVERED, from: '2026-03-02', to: '2026-03-01' })).toBe(true);
  expect(isBackwards({ ...ALL_COVERED, from: '2026-03-01', to: '2026-03-01' })).toBe(false);
});

test('accepts codes in any case, separated by commas, semicolons or spaces', () => {
  const query = { ...ALL_COVERED, biomarkers: 'bsp-gl-001; BSP-HR-001  bsp-gl-001', categories: ['BSP-HR', 'BSP-LA'] };
  expect(filtersOf(query, 0)).toMatchObject({
    biomarkers: ['BSP-GL-001', 'BSP-HR-001'],
    categories: ['BSP-LA', 'BSP-HR'],
  });
  expect(badCodes('BSP-GL-001, glucose')).toEqual(['GLUCOSE']);
});

test('the address has the versions of a query, and nothing of what was read', () => {
  const query = {
    categories: ['BSP-GL'],
    biomarkers: 'BSP-GL-001 BSP-HR-001',
    from: '2026-03-01',
    to: '2026-03-02',
    status: 'SUPERSEDED',
  } as const;
  const address = new URLSearchParams(parametersOf(query));
  expect(`${address}`).toBe('versions=SUPERSEDED');
  expect(queryIn(address)).toEqual({ ...ALL_COVERED, status: 'SUPERSEDED' });
  expect(queryIn(new URLSearchParams('data=BSP-GL&codes=BSP-GL-001&versions=old'))).toEqual(ALL_COVERED);
});
