import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installFromDebian } from '../server/launch/debian.mjs';

/** Debian's Chromium without a window: the browser tests take about three quarters of the time with it. */
const WITHOUT_WINDOW = 'chromium-headless-shell';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const ADVICE =
  'The browser tests need Chromium: install the system package "chromium", run "npx playwright install chromium", or set CHROMIUM_PATH.';

/** The path of a Chromium: CHROMIUM_PATH, one without a window, Playwright's own or the system's; null if there is none. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const inFolders = (name) => FOLDERS.map((folder) => `${folder}/${name}`);
  const candidates = [
    ...inFolders(WITHOUT_WINDOW),
    chromium.executablePath(),
    ...NAMES.flatMap(inFolders),
    ...APPLICATIONS,
  ];
  return candidates.find((path) => existsSync(path) && runs(path)) ?? null;
}

/** Finds a browser; as root on Debian, installs what is missing. If there is none, `advice` is the message to print. */
export function ensureChromium() {
  const found = findChromium();
  const isFastest = found !== null && (found === process.env.CHROMIUM_PATH || found.endsWith(WITHOUT_WINDOW));
  const installed = !isFastest && (installFromDebian(WITHOUT_WINDOW) || (!found && installFromDebian('chromium')));
  const path = installed ? findChromium() : found;
  if (path && runs(path)) return { path, advice: null };
  return { path: null, advice: path ? `The browser ${path} does not run. ${ADVICE}` : ADVICE };
}

// Some systems have a script with that name that only prints how to install the browser.
function runs(path) {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return status === 0 && /\d+\.\d+/.test(stdout);
}
