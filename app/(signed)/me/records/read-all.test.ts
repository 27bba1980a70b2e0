import { expect, test } from 'vitest';
import { MAX_PAGE_SIZE as PAGE } from '../../../../protocol/page.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { type ReadPage, readAll } from './read-all.ts';
import { bioRecord } from './test-records.ts';

/** Pages of what `records` holds when they are asked for. */
const pagesOf =
  (records: () => readonly BioRecord[], asked: string[] = []): ReadPage =>
  async ({ status, limit, offset }) => {
    const all = records().filter((record) => record.status === status);
    asked.push(`${status} ${offset}`);
    return { records: all.slice(offset, offset + limit), total: all.length, has_more: offset + limit < all.length };
  };

const many = (count: number) => Array.from({ length: count }, () => bioRecord());

test('every page is read, and it is said how far one is', async () => {
  const records = [...many(2 * PAGE + 5), bioRecord({ status: 'SUPERSEDED' })];
  const said: [number, number][] = [];
  const asked: string[] = [];
  const read = await readAll(
    pagesOf(() => records, asked),
    (...how) => said.push(how),
  );
  expect(new Set(read)).toEqual(new Set(records));
  expect(asked).toEqual(['ACTIVE 0', 'ACTIVE 200', 'ACTIVE 400', 'SUPERSEDED 0']);
  expect(said).toEqual([
    [200, 405],
    [400, 405],
    [405, 405],
    [406, 406],
  ]);
});

test('nothing is read where there is nothing', async () => {
  expect(await readAll(pagesOf(() => []))).toEqual([]);
});

test('a record that came meanwhile shifts the pages; none is missed and none is there twice', async () => {
  const records = many(PAGE + 1);
  const pages = pagesOf(() => records);
  const read = await readAll(async (asked) => {
    const page = await pages(asked);
    if (asked.status === 'ACTIVE' && records.length === PAGE + 1) records.unshift(bioRecord());
    return page;
  });
  expect(read.map(({ record_id }) => record_id).sort()).toEqual(records.map(({ record_id }) => record_id).sort());
});

test('a record that was corrected meanwhile is there once, as superseded', async () => {
  const [wrong, ...others] = many(PAGE + 1) as [BioRecord, ...BioRecord[]];
  let records = [wrong, ...others];
  const pages = pagesOf(() => records);
  const read = await readAll(async (asked) => {
    const page = await pages(asked);
    if (asked.status === 'ACTIVE' && asked.offset > 0)
      records = [bioRecord({ supersedes: wrong.record_id }), { ...wrong, status: 'SUPERSEDED' }, ...others];
    return page;
  });
  expect(read.filter(({ record_id }) => record_id === wrong.record_id)).toMatchObject([{ status: 'SUPERSEDED' }]);
  expect(others.filter((record) => !read.includes(record))).toEqual([]);
});

test('a refusal is handed on', async () => {
  await expect(readAll(() => Promise.reject(new Error('TOKEN_REVOKED')))).rejects.toThrow('TOKEN_REVOKED');
});
