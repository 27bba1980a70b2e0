import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pagesOnDisk } from '../app/test-pages.ts';

/** What the drawing of app/ calls the patterns that stand for no single folder. */
const WORDS: Readonly<Record<string, string>> = {
  '[^_].*': 'a-route',
  '.*/app/\\(signed\\)/[^_].*': 'signed-route',
  'page.tsx': 'home-page',
};

const namesIn = (pattern: string): string[] => {
  const word = WORDS[pattern];
  return word ? [word] : pattern.split('|').map((name) => name.replaceAll('\\', ''));
};

/** The arrows that a lint rule allows, “room > imported”. */
function arrowsOfRule(file: string): string[] {
  const rule = readFileSync(`.ci/lint/${file}`, 'utf8');
  const allowed = rule.slice(rule.indexOf('not or {'));
  const rows = /and \{\s*\$(?:room|folder|feature|filename) <: r?"([^"]+)",\s*\$imported <: r?"([^"]+)"\s*\}/g;
  return [...allowed.matchAll(rows)].flatMap(([, rooms = '', imported = '']) =>
    namesIn(rooms).flatMap((room) => namesIn(imported).map((name) => `${room} > ${name}`)),
  );
}

/** The arrows of a drawing: a line for each room, with a mark below the name of each room that it imports from. */
function arrowsOfDrawing(title: string): string[] {
  const document = readFileSync('docs/architecture.md', 'utf8');
  const drawing = document.split('```text\n').find((text) => text.startsWith(`${title} `)) ?? '';
  const [header = '', ...lines] = (drawing.split('```')[0] ?? '').trimEnd().split('\n');
  const columns = [...header.matchAll(/\S+/g)].slice(1);
  return lines.flatMap((line) =>
    [...line.matchAll(/x/g)].flatMap(({ index }) => {
      const room = line.slice(0, header.indexOf(columns[0]?.[0] ?? '')).trim();
      const column = columns.find((name) => index >= name.index && index < name.index + name[0].length);
      return column && index >= (columns[0]?.index ?? 0) ? [`${room} > ${column[0]}`] : [];
    }),
  );
}

test.each([
  ['folders', 'top-level.grit'],
  ['server/', 'server.grit'],
  ['server/features/', 'features.grit'],
  ['server/platform/', 'platform.grit'],
  ['app/', 'app.grit'],
])('the drawing of %s in docs/architecture.md has the arrows of .ci/lint/%s', (title, rule) => {
  const allowed = arrowsOfRule(rule);
  expect(allowed.length).toBeGreaterThan(3);
  expect(arrowsOfDrawing(title).sort()).toEqual(allowed.sort());
});

test('.ci/lint/app.grit names every route, which no other folder may import from', () => {
  const rule = readFileSync('.ci/lint/app.grit', 'utf8');
  const [, named = ''] = /\(([a-z-]+(?:\|[a-z-]+)+)\)\/\.\*"\(\$imported\)/.exec(rule) ?? [];
  const routes = new Set(pagesOnDisk().flatMap((page) => page.split('/')[1] || []));
  expect(named.split('|')).toEqual([...routes].sort());
});
