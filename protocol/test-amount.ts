/** Whether this run is `npm run test:all`. */
export const IN_FULL = process.env.TEST_IN_FULL === 'true';

/** How many rounds, rows or sizes a test takes, or which cases: fewer in `npm test` where all of them take seconds. */
export const amount = <Value>(quick: Value, full: Value): Value => (IN_FULL ? full : quick);

/** Every n-th case in `npm test`, all of them in `npm run test:all`. */
export const everyNth = <Case>(n: number, cases: readonly Case[]): readonly Case[] =>
  cases.filter((_, index) => IN_FULL || index % n === 0);

type Register = (title: string, run: () => Promise<void> | void) => void;

/** A `test` for what only `npm run test:all` runs, beside short tests with the same set-up: `const longTest = inFull(test)`. */
export const inFull = (test: Register): Register => (IN_FULL ? test : () => undefined);
