import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** The routes of all pages under app/, such as `/me/consents/[tokenId]`. For tests that cover every page. */
export function pagesOnDisk(): string[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file === 'page.tsx' || file.endsWith('/page.tsx'))
    .map((file) => dirname(`/${file}`).replace(/\/\([^)]*\)/g, '') || '/')
    .sort();
}
