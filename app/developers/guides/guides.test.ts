import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { addressOf, contentOf, fileNamed, GUIDES, readText } from './guides.ts';

const LINKS = GUIDES.flatMap((guide) =>
  [...readText(guide.file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => ({ guide, href })),
);

test('every guide begins with its title', () => {
  for (const { file } of GUIDES) expect(readText(file)).toMatch(/^# \S/);
  for (const guide of GUIDES) expect(contentOf(guide).body).not.toMatch(/^# /);
});

test('a link to another guide or a file for download leads to its address here', () => {
  const here = LINKS.map(({ guide, href }) => addressOf(href, guide)).filter((address) => address?.startsWith('/'));
  for (const address of here) expect(address).toMatch(/^[/](developers|check-proof\.mjs)/);
  expect(here).toEqual(expect.arrayContaining(['/developers', '/developers/files/perpetua.py', '/check-proof.mjs']));
  expect(here).toContain('/developers/guides/audit#recoveries-asserted-by-the-relayer');
});

test('a link to the source is shown as text', () => {
  const [cryptography] = GUIDES.filter(({ slug }) => slug === 'cryptography');
  if (!cryptography) throw new Error('There is no guide to cryptography.');
  expect(addressOf('../protocol/signing/message.ts', cryptography)).toBeNull();
  expect(addressOf('http://example.org', cryptography)).toBeNull();
  expect(addressOf('javascript:alert(1)', cryptography)).toBeNull();
});

test('only the listed files can be downloaded', () => {
  expect(fileNamed('perpetua.py')).toBe('docs/examples/perpetua.py');
  for (const name of ['package.json', '../package.json', 'docs/examples/perpetua.py', '', 'client.ts']) {
    expect(fileNamed(name)).toBeUndefined();
  }
  const linked = LINKS.filter(({ guide, href }) => addressOf(href, guide)?.startsWith('/developers/files/'));
  for (const { guide, href } of linked) {
    expect(existsSync(join(guide.file, '..', href))).toBe(true);
    expect(fileNamed(basename(href))).toBe(join(guide.file, '..', href));
  }
  expect(linked.length).toBeGreaterThan(6);
});
