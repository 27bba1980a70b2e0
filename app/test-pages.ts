import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** The places under app/ that hold a page, as addresses name them: `/me/consents/[tokenId]`. For tests, so that none is forgotten. */
export function pagesOnDisk(): string[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file === 'page.tsx' || file.endsWith('/page.tsx'))
    .map((file) => dirname(`/${file}`).replace(/\/\([^)]*\)/g, '') || '/')
    .sort();
}
