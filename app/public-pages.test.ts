import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PUBLIC_PAGES } from './public-pages.ts';
import { pagesOnDisk } from './test-pages.ts';

/** It shows what somebody searched for. */
const NOT_INDEXED = ['/explore/search'];

test('the sitemap has every page that needs no key and no parameter', () => {
  const needsKey = (page: string) => existsSync(join(import.meta.dirname, '(signed)', page.slice(1)));
  const found = pagesOnDisk().filter((page) => page === '/' || !(page.includes('[') || needsKey(page)));
  expect(found.filter((page) => !NOT_INDEXED.includes(page))).toEqual([...PUBLIC_PAGES].sort());
});
