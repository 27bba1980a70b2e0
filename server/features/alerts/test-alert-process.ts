import { pino } from 'pino';
import { createClock } from '../../platform/db/clock.ts';
import { createPool } from '../../platform/db/pool.ts';
import { createNotifier } from '../../platform/process/notifier.ts';
import { createAddressHashes } from '../mail/address-hashes.ts';
import { startOutbox } from '../mail/outbox.ts';
import { openAccessEvent } from '../records/access-events.ts';
import { createVault } from '../vault/vault.ts';
import { startAlerts } from './start-alerts.ts';

/** The search for alerts and the outbox in their own process, for the test that kills it. */
const { databaseUrl, vaultKey, port } = JSON.parse(process.argv[2] ?? '{}');
const pool = createPool(databaseUrl, 4, () => undefined);
const clock = createClock();
const vault = createVault(Buffer.from(vaultKey, 'hex'));
await clock.synchronise(pool);
startAlerts({
  pool,
  vault,
  clock,
  changes: createNotifier(),
  openUse: openAccessEvent,
  onProblem: (error) => process.stderr.write(`${error}\n`),
});
startOutbox({
  pool,
  vault,
  clock,
  addressHashes: createAddressHashes(Buffer.from(vaultKey, 'hex')),
  perDay: 1_000,
  log: pino({ level: 'silent' }),
  publicUrl: () => 'https://id.example',
  server: { host: '127.0.0.1', port, secure: false, credentials: null },
  from: { name: 'Perpetua', address: 'alerts@id.example' },
});
