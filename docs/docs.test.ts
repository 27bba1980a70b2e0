import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../server/config.ts';
import { LIMIT_GROUPS } from '../server/http/limits/groups.ts';
import { ROUTES } from '../server/http/rest/routes.ts';

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'client/README.md',
  'protocol/vectors/README.md',
  'protocol/records/fhir/README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
/** Files that a document tells the reader to create. */
const TO_CREATE = new Set([
  'create.mjs',
  'protocol/operations/renew-beo.ts',
  'server/platform/db/migrations/NNN-name.ts',
]);
const MODULES = new Set(
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .map((file) => basename(file)),
);

const textOf = (document: string): string => readFileSync(document, 'utf8');
const proseOf = (document: string): string => textOf(document).replace(/```[\s\S]*?```/g, '');

/** The anchors that GitHub gives the headings of a document. */
const anchorsOf = (document: string): string[] =>
  [...proseOf(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(DOCUMENTS)('%s', (document) => {
  test('links to files and headings that exist', () => {
    const links = [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link));
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? document : join(dirname(document), path);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  test('names files and folders that exist, in prose and in commands', () => {
    const quoted =
      /`((?:app|auditor|client|commands|deploy|docs|e2e|lab|mcp|messages|protocol|public|server)\/[^`\s<*{]*)`/g;
    const inCommands = /^ {4}npx .*?((?:app|server|protocol|e2e)\/\S+)/gm;
    const paths = [quoted, inCommands]
      .flatMap((pattern) => [...proseOf(document).matchAll(pattern)])
      .map(([, path = '']) => path)
      .filter((path) => !TO_CREATE.has(path));
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('names modules that exist', () => {
    const named = [...proseOf(document).matchAll(/`([\w-]+(?:\.test)?\.(?:tsx?|mjs|py))`/g)].map(
      ([, name = '']) => name,
    );
    expect(named.filter((name) => !MODULES.has(name) && !TO_CREATE.has(name))).toEqual([]);
  });
});

test('README.md links to every document', () => {
  const linked = [...textOf('README.md').matchAll(/\]\((docs\/[^)#]+\.md)\)/g)].map(([, path]) => path);
  expect(DOCUMENTS.filter((path) => path.startsWith('docs/') && !linked.includes(path))).toEqual([]);
});

/** Folders that commands or editors create. */
const isGenerated = (name: string): boolean =>
  name.startsWith('.') ||
  textOf('.gitignore')
    .split('\n')
    .some((line) => line.replaceAll('/', '') === name);

test.each(['.', 'server'])('the layout in README.md names every folder in %s', (parent) => {
  const layout = /## Layout\n([\s\S]+?)\n## /.exec(textOf('README.md'))?.[1] ?? '';
  const folders = readdirSync(parent, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !isGenerated(entry.name),
  );
  expect(folders.filter(({ name }) => !layout.includes(`${name}/`)).map(({ name }) => name)).toEqual([]);
});

/** What a row of docs/api.md begins with: `GET /a, /b?limit=` stands for two routes. */
function routesOf(cell: string): string[] {
  const [method = '', ...rest] = cell.trim().split(' ');
  return rest
    .join(' ')
    .split(', ')
    .map((path) => `${method} ${path.split('?')[0]}`);
}

test('docs/api.md lists every route of the API with its limit group', () => {
  const documented = textOf('docs/api.md')
    .split('\n')
    .filter((line) => /^\| (GET|POST|DELETE) /.test(line))
    .flatMap((line) => {
      const [, first = '', ...cells] = line.split('|');
      return routesOf(first).map((route) => [route, cells.map((cell) => cell.trim())] as const);
    });
  const expected = ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect(documented.map(([route]) => route).sort(), 'each route needs a row').toEqual(expected.sort());
  const wrong = ROUTES.filter(({ method, path, limit }) => {
    const cells = new Map(documented).get(`${method} ${path}`) ?? [];
    return !cells.includes(limit === null ? 'not limited' : limit.replaceAll('_', ' '));
  });
  expect(
    wrong.map(({ path }) => path),
    'the rows of these lack the limit group',
  ).toEqual([]);
});

test('docs/api.md lists the rate limits of the API', () => {
  const { trpc_read, trpc_write, ...groups } = LIMIT_GROUPS;
  const document = textOf('docs/api.md');
  for (const [group, { limit, perKey }] of Object.entries(groups)) {
    expect(document).toContain(`| ${group.replaceAll('_', ' ')}${perKey ? ' †' : ''} | ${limit} |`);
  }
  expect(document).toContain(`${trpc_read.limit} reads and ${trpc_write.limit} writes a minute`);
});

test('docs/operations.md lists every setting, and the defaults that are numbers', () => {
  const settings = [...textOf('server/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
  const rows = textOf('docs/operations.md')
    .split('\n')
    .filter((line) => /^\| [A-Z][A-Z_]+\b/.test(line));
  const listed = new Set(rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z_]{3,}/g) ?? []));
  listed.delete('NEW_VAULT_KEY');
  expect([...listed].sort(), 'each setting of server/config.ts needs a row').toEqual(settings.sort());
  const defaults: Readonly<Record<string, unknown>> = readConfig({});
  const numbers = rows.flatMap((row) => {
    const [, names = '', values = ''] = row.split('|');
    return names.split(',').map((name, place) => [name.trim(), values.split(',')[place]?.trim() ?? ''] as const);
  });
  const stated = numbers.filter(([name, value]) => /^\d+$/.test(value) && name in defaults);
  expect(stated.length).toBeGreaterThan(10);
  expect(stated.filter(([name, value]) => String(defaults[name]) !== value)).toEqual([]);
});

test('docs/dependencies.md lists every package', () => {
  const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Record<
    string,
    Record<string, string>
  >;
  const document = textOf('docs/dependencies.md');
  const named = new Set(document.match(/(@[\w-]+\/)?[\w.*-]+/g));
  const missing = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !named.has(name) && !name.startsWith('@types/'),
  );
  expect(missing).toEqual([]);
});
