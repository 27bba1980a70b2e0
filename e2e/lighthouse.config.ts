import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

/** For `npm run lighthouse`: measures how pages load, when they paint, then frame times, one page at a time. */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: ['lighthouse.ts', 'paint-times.ts', 'frame-times.ts'],
  globalSetup: './global-setup.ts',
  outputDir: '../.build/lighthouse',
  reporter: 'line',
  workers: 1,
  timeout: 3_600_000,
  globalTimeout: 7_200_000,
  projects: [{ name: 'lighthouse' }],
});
