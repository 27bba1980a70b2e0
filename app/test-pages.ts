import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** The files that make a folder a page: Next's, and that of /view, which is built without it. */
const PAGE = /(^|\/)(page|document)\.tsx$/;

/** The routes of all pages under app/, such as `/me/consents/[tokenId]`. For tests that cover every page. */
export function pagesOnDisk(): string[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => PAGE.test(file))
    .map((file) => dirname(`/${file}`).replace(/\/\([^)]*\)/g, '') || '/')
    .sort();
}
