import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';

/** The files of the checkout, without those that git ignores. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .trim()
  .split('\n');
const modules = files.filter(
  (file) => file.includes('/') && /\.(?:tsx?|mts|mjs)$/.test(file) && !file.endsWith('.d.mts'),
);

/** Names that Next or the interface of a plug-in gives. */
const FREE = new Set(['page', 'layout', 'route', 'error', 'not-found', 'manifest', 'index', 'plug-in']);
const nameOf = (file: string): string => basename(file).replace(/\.(?:tsx?|mts|mjs)$/, '');

test('inside a top-level folder no two modules have the same name', () => {
  const places = new Map<string, string[]>();
  for (const file of modules.filter((file) => !/\.test\.tsx?$/.test(file) && !FREE.has(nameOf(file)))) {
    const key = `${file.split('/')[0]}/…/${nameOf(file)}`;
    places.set(key, [...(places.get(key) ?? []), file]);
  }
  // The entry of a command that is not built with the product, beside its code.
  const expected = ['lab/chaos/chaos', 'lab/fuzz/fuzz'];
  const twice = [...places].filter(
    ([, of]) => of.length > 1 && !of.every((file) => expected.some((one) => file.startsWith(`${one}.`))),
  );
  expect(twice).toEqual([]);
});

const foldersOf = (room: string): string[] =>
  [
    ...new Set(
      files.filter((file) => file.startsWith(`${room}/`)).map((file) => file.split('/')[room.split('/').length] ?? ''),
    ),
  ].filter((name) => !name.includes('.'));

test('no folder below a room of server/ has the name of a room or of a feature, which the import rules rely on', () => {
  const rooms = new Set([...foldersOf('server'), ...foldersOf('server/features')]);
  const folders = new Set(files.filter((file) => file.startsWith('server/')).map((file) => dirname(file)));
  const isRoom = (folder: string) => /^server\/(?:features\/)?[a-z]+$/.test(folder);
  expect(rooms.size).toBeGreaterThan(15);
  expect([...folders].filter((folder) => !isRoom(folder) && rooms.has(basename(folder)))).toEqual([]);
});

test.each(['server', 'server/features', 'server/platform'])(
  '%s has no loose files but the two of the process',
  (folder) => {
    const loose = files.filter((file) => dirname(file) === folder).map((file) => basename(file));
    expect(loose.filter((name) => !['main.ts', 'config.ts', 'config.test.ts'].includes(name))).toEqual([]);
  },
);

test('every scenario of the bench is named as one', () => {
  const scenarios = files.filter((file) => dirname(file) === 'lab/bench/scenarios').map((file) => basename(file));
  expect(scenarios.length).toBeGreaterThan(5);
  expect(scenarios.filter((name) => !name.endsWith('.scenario.ts'))).toEqual([]);
});
