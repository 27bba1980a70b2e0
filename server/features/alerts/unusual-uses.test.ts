import { expect, test } from 'vitest';
import { type TimedUse, unusualUses } from './unusual-uses.ts';

const OWNER = 'owner';
const use = (day: number, records: number, more: Partial<TimedUse> = {}): TimedUse => ({
  kind: 'read',
  token_id: 'tok_1',
  grantee_id: 'clinic',
  records,
  at: new Date(Date.UTC(2026, 10, day, 12)).toISOString(),
  ...more,
});

test('the first read or export under a consent is unusual, a submission or a use by the holder is not', () => {
  const fresh = [
    use(1, 5, { kind: 'submit' }),
    use(2, 5, { grantee_id: OWNER, token_id: 'tok_own' }),
    use(3, 5),
    use(4, 5),
    use(5, 5, { kind: 'export', token_id: 'tok_2' }),
  ];
  expect(unusualUses([], fresh, OWNER).firstUses.map(({ tokenId }) => tokenId)).toEqual(['tok_1', 'tok_2']);
  expect(unusualUses([use(1, 5)], [use(2, 5)], OWNER).firstUses).toEqual([]);
});

test('more than ten times the average of the days before is unusual, once a day and institution', () => {
  const earlier = [use(1, 10), use(2, 20), use(3, 30)];
  const many = (records: number) => unusualUses(earlier, [use(4, records)], OWNER).manyReads;
  expect(many(200)).toEqual([]);
  expect(many(201)).toEqual([{ granteeId: 'clinic', at: use(4, 0).at }]);
  const inParts = unusualUses(earlier, [use(4, 150), use(4, 150), use(4, 150)], OWNER).manyReads;
  expect(inParts).toHaveLength(1);
  expect(unusualUses(earlier, [use(4, 500, { grantee_id: 'other' })], OWNER).manyReads).toEqual([]);
});

test('a month with very many uses is counted in one pass', () => {
  const earlier = Array.from({ length: 20_000 }, (_, index) => use(1 + Math.floor(index / 1_000), 1));
  const fresh = Array.from({ length: 20_000 }, () => use(22, 1));
  expect(unusualUses(earlier, fresh, OWNER)).toEqual({
    firstUses: [],
    manyReads: [{ granteeId: 'clinic', at: use(22, 1).at }],
  });
});

test('an institution that has read on fewer than three days has no usual number', () => {
  expect(unusualUses([use(1, 1), use(2, 1)], [use(3, 1_000)], OWNER).manyReads).toEqual([]);
});
