/** Whether this run is `npm run test:all`. */
export const IN_FULL = process.env.TEST_IN_FULL === 'true';

/** How many rounds, rows or sizes a test takes: fewer in `npm test` where the full number takes seconds. */
export const amount = (quick: number, full: number): number => (IN_FULL ? full : quick);
