import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { currentBuild } from '../../server/launch/builds.mjs';
import { newInstance } from '../../server/testing/test-product.ts';
import { copyOfProject } from './test-copy.ts';

/** Two builds, on a slow machine. */
const BUILDS_MS = 600_000;

interface Fetched {
  readonly status: number;
  readonly text: string;
}

async function read(url: string): Promise<Fetched> {
  const response = await fetch(url, { headers: { accept: 'text/html', 'accept-language': 'en' } });
  return { status: response.status, text: await response.text() };
}

/** Every script, style and font that a page names. */
const filesOf = ({ text }: Fetched): string[] => [
  ...new Set(text.match(/\/_next\/static\/[\w./~-]+\.(?:js|css|woff2)/g)),
];

async function npmRun(root: string, ...args: readonly string[]): Promise<void> {
  const child = spawn('npm', ['run', ...args], { cwd: root, stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([0, null]);
}

/** What the viewer of shares is built from, which is no page of Next. */
const OF_VIEWER = /^_|^view$|^titles\.ts$/;

/** Pages of two routes, each with a script of its own, which are built much faster than those of the project. */
function writePages(root: string, text: string): void {
  const app = join(root, 'app');
  for (const name of readdirSync(app)) if (!OF_VIEWER.test(name)) rmSync(join(app, name), { recursive: true });
  rmSync(join(root, 'proxy.ts'), { force: true });
  mkdirSync(join(app, 'later'), { recursive: true });
  writeFileSync(
    join(app, 'layout.tsx'),
    'export default function Layout({ children }) {\n  return <html><body>{children}</body></html>;\n}\n',
  );
  for (const folder of [app, join(app, 'later')]) {
    writeFileSync(
      join(folder, 'page.tsx'),
      `import { Shown } from './shown.tsx';\nexport const dynamic = 'force-dynamic';\nexport default function Page() {\n  return <Shown />;\n}\n`,
    );
    writeFileSync(
      join(folder, 'shown.tsx'),
      `'use client';\nexport function Shown() {\n  return <p onClick={() => alert('${text}')}>${text} of ${folder === app ? 'home' : 'later'}</p>;\n}\n`,
    );
  }
}

test(
  'a service keeps its pages while a new version is built, and the new version keeps the scripts of the old pages',
  async () => {
    const root = copyOfProject('rebuild-test');
    writePages(root, 'the first version');
    const instance = await newInstance({}, { root });
    onTestFinished(() => instance.remove());
    await npmRun(root, 'build');
    let product = await instance.start();
    const fetchAll = (paths: readonly string[]) => Promise.all(paths.map((path) => read(product.url + path)));
    const home = await read(`${product.url}/`);
    expect(home.text).toContain('the first version of home');
    const oldFiles = filesOf(home);
    expect(oldFiles.length).toBeGreaterThan(3);
    const oldContents = await fetchAll(oldFiles);
    expect(new Set(oldContents.map(({ status }) => status))).toEqual(new Set([200]));
    expect(oldContents.some(({ text }) => text.includes('the first version'))).toBe(true);

    writePages(root, 'the second version');
    // A command needs no pages. Its build is not the one that the next start of the service finds.
    const builds = join(root, '.build');
    const running = currentBuild(builds);
    await npmRun(root, 'doctor', '--', '--help');
    expect(currentBuild(builds)).toBe(running);
    await npmRun(root, 'build');
    expect(currentBuild(builds)).not.toBe(running);
    expect(await fetchAll(oldFiles)).toEqual(oldContents);
    // The running service has not loaded this page before.
    const later = await read(`${product.url}/later`);
    expect([later.status, later.text.includes('the first version of later')]).toEqual([200, true]);
    for (const { status } of await fetchAll(filesOf(later))) expect(status).toBe(200);
    expect(await product.end('SIGTERM')).toBe(0);

    product = await instance.start();
    const rebuilt = await read(`${product.url}/`);
    expect(rebuilt.text).toContain('the second version of home');
    const newFiles = filesOf(rebuilt);
    expect(newFiles.filter((path) => !oldFiles.includes(path)).length).toBeGreaterThan(0);
    for (const { status } of await fetchAll(newFiles)) expect(status).toBe(200);
    // A page that was opened before the restart.
    expect(await fetchAll(oldFiles)).toEqual(oldContents);
    expect(await product.end('SIGTERM')).toBe(0);
  },
  BUILDS_MS,
);
