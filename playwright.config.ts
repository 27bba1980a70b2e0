import { defineConfig, devices } from '@playwright/test';
import { findChromium } from './.ci/chromium.mjs';

// Playwright reads this file again in every worker; the browser is looked for once.
const executablePath = findChromium();
if (executablePath) process.env.CHROMIUM_PATH = executablePath;

const GUARDIANS = /(guardians|recovery)[\w-]*\.spec\.ts/;

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  globalTimeout: 900_000,
  reporter: 'list',
  use: {
    ...(process.env.BASE_URL ? { baseURL: process.env.BASE_URL } : {}),
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
  // The first page shows the latest entries of the ledger: it is looked at before the guardians write theirs.
  projects: [
    { name: 'desktop', use: devices['Desktop Chrome'], testIgnore: GUARDIANS },
    { name: 'phone', use: devices['Pixel 7'], testIgnore: GUARDIANS },
    {
      name: 'guardians, desktop',
      use: devices['Desktop Chrome'],
      testMatch: GUARDIANS,
      dependencies: ['desktop', 'phone'],
    },
    {
      name: 'guardians, phone',
      use: devices['Pixel 7'],
      testMatch: GUARDIANS,
      dependencies: ['desktop', 'phone'],
    },
  ],
});
