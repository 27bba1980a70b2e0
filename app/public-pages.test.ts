import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isPage, PLACES, PUBLIC_PAGES } from './public-pages.ts';
import { pagesOnDisk } from './test-pages.ts';

/** They show what somebody searched for. */
const NOT_INDEXED = ['/explore/search', '/developers/search'];

test('the sitemap has every page that needs no key and no parameter', () => {
  const needsKey = (page: string) => existsSync(join(import.meta.dirname, '(signed)', page.slice(1)));
  const found = pagesOnDisk().filter((page) => page === '/' || !(page.includes('[') || needsKey(page)));
  expect(found.filter((page) => !NOT_INDEXED.includes(page))).toEqual([...PUBLIC_PAGES].sort());
});

test('every place is listed once, and each page of the list exists', () => {
  const paths = PLACES.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  const pages = paths.filter(isPage).map((path) => path.split('#')[0] || '/');
  expect(pagesOnDisk()).toEqual(expect.arrayContaining(pages));
});
