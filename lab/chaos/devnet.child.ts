import { destination, pino } from 'pino';
import { startDevnet } from '../../server/network/devnet/devnet.ts';

// The devnet in its own process, so that it can be killed.
process.once('disconnect', () => process.exit(1));
const [, , directory = '', port = '0', blockMs = '100'] = process.argv;
const log = pino({ level: 'warn', base: null }, destination({ fd: 1, sync: true }));
const devnet = await startDevnet({ directory, port: Number(port), blockMs: Number(blockMs), log });
process.once('SIGTERM', () => void devnet.stop().then(() => process.exit(0)));
process.send?.({ port: Number(new URL(devnet.url).port) });
