import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

/** For `npm run lighthouse`: the product is started as for the browser tests, and one page at a time is measured, first as it loads, then as somebody moves through it. */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: ['lighthouse.ts', 'smoothness.ts'],
  globalSetup: './global-setup.ts',
  outputDir: '../.build/lighthouse',
  reporter: 'line',
  workers: 1,
  timeout: 3_600_000,
  globalTimeout: 7_200_000,
  projects: [{ name: 'lighthouse' }],
});
