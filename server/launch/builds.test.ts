import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { currentBuild, folderOf, isSource, keepOldStatic, makeCurrent, removeOldBuilds, useBuilt } from './builds.mjs';

const HOUR = 3_600;

/** A folder with these builds, oldest first. */
function buildsFolder(...ids: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'perpetua-builds-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [index, id] of ids.entries()) {
    for (const part of ['server', 'pages'] as const) {
      const folder = folderOf(directory, part, id);
      mkdirSync(join(folder, 'static'), { recursive: true });
      writeFileSync(join(folder, 'main.js'), id);
      const at = Date.now() / 1_000 - (ids.length - index) * HOUR;
      utimesSync(folder, at, at);
    }
  }
  return directory;
}

const id = (digit: number | string): string => String(digit).repeat(16);
const remaining = (directory: string): string[] =>
  readdirSync(directory).filter((name) => /^(server|pages)-/.test(name));
const both = (...ids: readonly string[]): string[] =>
  ['pages', 'server'].flatMap((part) => ids.map((each) => `${part}-${each}`));

test('the link to the current build changes at once, also where an earlier version left a folder', () => {
  const directory = buildsFolder(id(1), id(2));
  expect(currentBuild(directory)).toBe(null);
  mkdirSync(join(directory, 'server'));
  writeFileSync(join(directory, 'server', 'main.js'), 'earlier version');
  for (const each of [id(1), id(2)]) {
    makeCurrent(directory, each);
    expect(currentBuild(directory)).toBe(each);
    expect(readFileSync(join(directory, 'server', 'main.js'), 'utf8')).toBe(each);
  }
});

test('of the builds that are not used the last three stay, the current one, and the one that a command runs', () => {
  const directory = buildsFolder(...[1, 2, 3, 4, 5, 6, 7].map(id));
  makeCurrent(directory, id(1));
  removeOldBuilds(directory, id(2));
  expect(remaining(directory)).toEqual(both(id(1), id(2), id(5), id(6), id(7)));
});

test('a build stays while a process that began with it runs', () => {
  const directory = buildsFolder(...[1, 2, 3, 4, 5, 6].map(id));
  makeCurrent(directory, id(1));
  expect(readFileSync(useBuilt(directory, id(1), 'main.js'), 'utf8')).toBe(id(1));
  // No process has this id: it was killed.
  writeFileSync(join(directory, 'used', '4194305'), id(2));
  makeCurrent(directory, id(6));
  removeOldBuilds(directory, id(6));
  expect(remaining(directory)).toEqual(both(id(1), id(4), id(5), id(6)));
  expect(readdirSync(join(directory, 'used'))).toEqual([String(process.pid)]);
});

test('a new build takes over the scripts of the last one for seven days, and keeps its own', () => {
  const directory = buildsFolder(id(1), id(2));
  const old = join(folderOf(directory, 'pages', id(2)), 'static');
  mkdirSync(join(old, 'chunks'));
  for (const [name, days] of [
    ['yesterday.js', 1],
    ['last-month.js', 30],
    ['same.js', 1],
  ] as const) {
    writeFileSync(join(old, 'chunks', name), 'old');
    const at = Date.now() / 1_000 - days * 24 * HOUR;
    utimesSync(join(old, 'chunks', name), at, at);
  }
  const pages = join(directory, 'new');
  mkdirSync(join(pages, 'static', 'chunks'), { recursive: true });
  writeFileSync(join(pages, 'static', 'chunks', 'same.js'), 'new');
  const viewers = [folderOf(directory, 'pages', id(2)), pages].map((folder) => join(folder, 'viewer'));
  for (const [index, viewer] of viewers.entries()) {
    mkdirSync(viewer);
    for (const name of ['en.html', `opened-${index}.js`]) writeFileSync(join(viewer, name), String(index));
  }
  keepOldStatic(directory, pages);
  expect(readdirSync(join(pages, 'viewer')).sort()).toEqual(['en.html', 'opened-0.js', 'opened-1.js']);
  expect(readFileSync(join(pages, 'viewer', 'en.html'), 'utf8')).toBe('1');
  expect(readdirSync(join(pages, 'static', 'chunks')).sort()).toEqual(['same.js', 'yesterday.js']);
  expect(readFileSync(join(pages, 'static', 'chunks', 'same.js'), 'utf8')).toBe('new');
  // Its age counts from the build that made it.
  const kept = statSync(join(pages, 'static', 'chunks', 'yesterday.js'));
  expect(Date.now() - kept.mtimeMs).toBeGreaterThan(23 * HOUR * 1_000);
});

test('a change of a test, or of a file that only tests use, needs no new build', () => {
  const sources = ['server/main.ts', 'app/page.tsx', 'lab/bench/latest-load.ts', 'next.config.js', 'messages/en.json'];
  const others = ['app/page.test.tsx', 'server/testing/test-service.ts', 'vitest.config.ts', 'client/dist/client.js'];
  expect([...sources, ...others].filter(isSource)).toEqual(sources);
});
