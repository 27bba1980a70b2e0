import { expect, test } from 'vitest';
import { MAX_PAGE_SIZE as PAGE } from '../../../../protocol/page.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { bioRecord } from '../../../_ui/records/test-records.ts';
import { type ReadPage, readAll } from './read-all.ts';

/** Returns pages of the records that `records` returns at the time of the query. */
const pagesOf =
  (records: () => readonly BioRecord[], queries: string[] = []): ReadPage =>
  async ({ status, limit, offset }) => {
    const all = records().filter((record) => record.status === status);
    queries.push(`${status} ${offset}`);
    return { records: all.slice(offset, offset + limit), total: all.length, has_more: offset + limit < all.length };
  };

const many = (count: number) => Array.from({ length: count }, () => bioRecord());

test('reads every page and reports its progress', async () => {
  const records = [...many(2 * PAGE + 5), bioRecord({ status: 'SUPERSEDED' })];
  const progress: [number, number][] = [];
  const queries: string[] = [];
  const read = await readAll(
    pagesOf(() => records, queries),
    (...update) => progress.push(update),
  );
  expect(new Set(read)).toEqual(new Set(records));
  expect(queries).toEqual(['ACTIVE 0', 'ACTIVE 200', 'ACTIVE 400', 'SUPERSEDED 0']);
  expect(progress).toEqual([
    [200, 405],
    [400, 405],
    [405, 405],
    [406, 406],
  ]);
});

test('returns an empty list without records', async () => {
  expect(await readAll(pagesOf(() => []))).toEqual([]);
});

test('misses and repeats no record if one is added meanwhile', async () => {
  const records = many(PAGE + 1);
  const pages = pagesOf(() => records);
  const read = await readAll(async (query) => {
    const page = await pages(query);
    if (query.status === 'ACTIVE' && records.length === PAGE + 1) records.unshift(bioRecord());
    return page;
  });
  expect(read.map(({ record_id }) => record_id).sort()).toEqual(records.map(({ record_id }) => record_id).sort());
});

test('returns a record that is corrected meanwhile once, as superseded', async () => {
  const [wrong, ...others] = many(PAGE + 1) as [BioRecord, ...BioRecord[]];
  let records = [wrong, ...others];
  const pages = pagesOf(() => records);
  const read = await readAll(async (query) => {
    const page = await pages(query);
    if (query.status === 'ACTIVE' && query.offset > 0)
      records = [bioRecord({ supersedes: wrong.record_id }), { ...wrong, status: 'SUPERSEDED' }, ...others];
    return page;
  });
  expect(read.filter(({ record_id }) => record_id === wrong.record_id)).toMatchObject([{ status: 'SUPERSEDED' }]);
  expect(others.filter((record) => !read.includes(record))).toEqual([]);
});

test('throws the error of a page', async () => {
  await expect(readAll(() => Promise.reject(new Error('TOKEN_REVOKED')))).rejects.toThrow('TOKEN_REVOKED');
});
