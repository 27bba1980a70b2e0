import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that compute or wait for more than 15 seconds. One of them left for the end would run alone. */
const LONG = [
  'protocol/operations/sequences.test.ts',
  'lab/faults/',
  'server/platform/db/postgres/',
  'server/http/http-server.test.ts',
  'auditor/audit/',
  'server/features/events/webhooks/',
  'server/http/openapi/',
  'server/features/mail/outbox.test.ts',
  'server/features/guardians/request-recovery.test.ts',
  'commands/',
  'server/ledger/',
  'auditor/mirror/',
  'auditor/witness/',
  'client/',
];

/** A process that changed between projects would start anew and load every module again. */
const PROJECTS = ['pure', 'long', 'service'];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const index = LONG.findIndex((path) => moduleId.includes(`/${path}`));
      return PROJECTS.indexOf(project.name) * (LONG.length + 1) + (index === -1 ? LONG.length : index);
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** The folders whose tests need no database. */
const PURE = 'protocol,messages,lab/bench';
/** What takes long or needs many processes: part of `npm run test:all`, not of `npm test`. */
const LONG_TESTS = '**/*.long.test.ts';
/** What needs root on Debian and takes minutes: `npm run test:deployments`, which sets TEST_DEPLOYMENTS. */
const DEPLOYMENTS = '**/*.deployment.test.ts';
const DEPLOYMENTS_PROJECT: TestProjectInlineConfiguration = {
  extends: true,
  // They use the whole machine: processors, network name spaces, packages.
  test: {
    name: 'deployments',
    include: [DEPLOYMENTS],
    fileParallelism: false,
    // Some build the product several times.
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
  },
};
const WITH_DATABASE = {
  include: [
    '{.ci,app,auditor,client,commands,deploy,docs,lab/{chaos,deployments,faults,fuzz},mcp,server}/**/*.test.{ts,tsx}',
  ],
  globalSetup: ['server/platform/db/test-server.ts'],
};

export default defineConfig({
  test: {
    pool: 'forks',
    // A process keeps its modules from one file to the next. A file that changes their state calls vi.resetModules().
    isolate: false,
    // Most tests wait for timers, processes and the database: two processors are idle beside two workers. With six, the whole takes longer.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    // How long a machine takes is not what is tested: these only end what hangs.
    testTimeout: 900_000,
    // A product that a test starts may wait for the build.
    hookTimeout: 900_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 600_000 } },
    allowOnly: false,
    passWithNoTests: false,
    projects: [
      { extends: true, test: { name: 'pure', include: [`{${PURE}}/**/*.test.ts`] } },
      { extends: true, test: { name: 'service', ...WITH_DATABASE, exclude: [LONG_TESTS, DEPLOYMENTS] } },
      { extends: true, test: { name: 'long', ...WITH_DATABASE, include: [LONG_TESTS] } },
      ...(process.env.TEST_DEPLOYMENTS ? [DEPLOYMENTS_PROJECT] : []),
    ],
  },
});
