import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Starts the tests of server/faults first: each starts the whole product, and one left for the end would run alone. */
class ProductsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const startsProduct = ({ moduleId }: TestSpecification) => moduleId.includes('/server/faults/');
    const sorted = await super.sort(files);
    return [...sorted.filter(startsProduct), ...sorted.filter((file) => !startsProduct(file))];
  }
}

export default defineConfig({
  test: {
    include: ['{protocol,messages,server,app,bench}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/db/test-server.ts'],
    pool: 'forks',
    // A process keeps its modules from one file to the next. A file that changes their state calls vi.resetModules().
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: ProductsFirst },
    // How long a machine takes is not what is tested: these only end what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
    passWithNoTests: false,
  },
});
