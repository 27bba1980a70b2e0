import { startDevnet } from './devnet.ts';

/** A devnet in its own process, for the test that kills it. */
const [, , directory = ''] = process.argv;
const quiet = { info: () => {}, warn: () => {}, error: console.error };
const devnet = await startDevnet({ directory, blockMs: 20, log: quiet });
console.log(devnet.url);
