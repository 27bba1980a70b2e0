import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';
import { completeBidi } from './firefox-esr.ts';

completeBidi();

/** Firefox reports the end of a request only after a test let it go on. */
const NOT_DRIVEN = /cancels the pending query/;

/** The tests of a new user and of guardians in Debian's Firefox ESR, by WebDriver BiDi: `npm run test:deployments -- firefox`. */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: [
    'create-and-consent.spec.ts',
    'me-{overview,guardians,cancel-recovery}.spec.ts',
    'guardian{,-*}.spec.ts',
    'practise.spec.ts',
    'recover{,-with-guardians}.spec.ts',
  ],
  // It measures with Chromium's own protocol.
  testIgnore: 'guardian-page-weight.spec.ts',
  globalSetup: './global-setup.ts',
  outputDir: '../test-results/firefox',
  // Firefox has neither isMobile nor hasTouch: a phone is a window of its size.
  projects: (base.projects ?? []).map(({ use: { viewport = null } = {}, grepInvert = [], ...project }) => ({
    ...project,
    grepInvert: [NOT_DRIVEN, ...[grepInvert].flat()],
    use: {
      browserName: 'firefox',
      channel: 'moz-firefox',
      viewport,
      launchOptions: {
        executablePath: '/usr/bin/firefox-esr',
        firefoxUserPrefs: { 'ui.prefersReducedMotion': 1, 'browser.chrome.site_icons': false },
      },
    },
  })),
});
