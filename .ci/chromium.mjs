import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installFromDebian } from '../server/launch/debian.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const ADVICE =
  'The browser tests need Chromium: install the system package "chromium", run "npx playwright install chromium", or set CHROMIUM_PATH.';

/** The path of a Chromium: CHROMIUM_PATH, Playwright's own or the system's; null if there is none. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  const candidates = [...FOLDERS.flatMap((folder) => NAMES.map((name) => `${folder}/${name}`)), ...APPLICATIONS];
  return candidates.find((path) => existsSync(path) && runs(path)) ?? null;
}

/** Finds a browser, or installs Debian's as root. If neither works, `advice` is the message to print. */
export function ensureChromium() {
  const path = findChromium() ?? (installFromDebian('chromium') ? findChromium() : null);
  if (path && runs(path)) return { path, advice: null };
  return { path: null, advice: path ? `The browser ${path} does not run. ${ADVICE}` : ADVICE };
}

// Some systems have a script with that name that only prints how to install the browser.
function runs(path) {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return status === 0 && /\d+\.\d+/.test(stdout);
}
