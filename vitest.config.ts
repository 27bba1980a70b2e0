import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{protocol,messages,server,app,bench}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/db/test-server.ts'],
    pool: 'forks',
    maxWorkers: 3,
    // How long a machine takes is not what is tested: these only end what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
    passWithNoTests: false,
  },
});
