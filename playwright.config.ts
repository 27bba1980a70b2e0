import { defineConfig, devices } from '@playwright/test';
import { findChromium } from './.ci/chromium.mjs';

// Playwright loads this file in every worker; CHROMIUM_PATH saves them the search.
const executablePath = findChromium();
if (executablePath) process.env.CHROMIUM_PATH = executablePath;

const ON_DESKTOP = /@(desktop|both-sizes)/;

/** Draws less than a real one: a seventh of the pixels, and no animations. */
const PHONE = {
  ...devices['Pixel 7'],
  deviceScaleFactor: 1,
  contextOptions: { reducedMotion: 'reduce' },
} as const;

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  forbidOnly: true,
  retries: 0,
  workers: 3,
  fullyParallel: true,
  // Long enough for a slow machine: these only end a test that hangs.
  timeout: 900_000,
  expect: { timeout: 60_000, toPass: { timeout: 60_000 } },
  globalTimeout: 5_000_000,
  reporter: 'list',
  use: {
    ...(process.env.BASE_URL ? { baseURL: process.env.BASE_URL } : {}),
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
  // A test runs once: on the phone, or on the desktop if its title says so. Its screens are checked in both sizes
  // (e2e/check-screen.ts). The few that take other steps on the desktop than on the phone run on both.
  projects: [
    { name: 'desktop', use: devices['Desktop Chrome'], grep: ON_DESKTOP },
    { name: 'phone', use: PHONE, grepInvert: /@desktop/ },
  ],
});
