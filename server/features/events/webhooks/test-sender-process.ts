import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import type { LedgerId } from '../../../../protocol/ids.ts';
import { createResolve } from '../../../network/checked-address.ts';
import { createClock } from '../../../platform/db/clock.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { createVault } from '../../vault/vault.ts';
import { startWebhooks } from './webhooks.ts';

/** A sender in its own process, for the test that kills it. */
const { databaseUrl, ledgerId, seed, port, nameServer, caFile, shiftMs } = JSON.parse(process.argv[2] ?? '{}');
const pool = createPool(databaseUrl, 2, () => undefined);
const clock = createClock(Date.now, () => shiftMs);
await clock.synchronise(pool);
await startWebhooks({
  pool,
  clock,
  ledgerId: ledgerId as LedgerId,
  // No consent of the test was granted on a request, so that nothing is decrypted.
  vault: createVault(Buffer.alloc(32)),
  log: pino({ level: 'silent' }),
  seeds: [Buffer.from(seed, 'hex')],
  rules: {
    ports: [port],
    privateAddresses: true,
    resolve: createResolve([nameServer]),
    ca: readFileSync(caFile, 'utf8'),
    timeoutMs: 15_000,
  },
  userAgent: 'Perpetua/test',
  onAnswered: () => undefined,
});
