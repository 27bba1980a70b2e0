import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{protocol,server,app,bench}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/db/test-server.ts'],
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
