import { startAlerts } from '../../features/alerts/start-alerts.ts';
import { openWebhooks } from '../../features/events/webhooks/open-webhooks.ts';
import type { Webhooks } from '../../features/events/webhooks/webhooks.ts';
import { openOutbox } from '../../features/mail/open-outbox.ts';
import type { Outbox } from '../../features/mail/outbox.ts';
import { openAccessEvent } from '../../features/records/access-events.ts';
import { type Loops, startLoops } from '../../ledger/loops.ts';
import { createPublisher } from '../../ledger/transparency/checkpoints.ts';
import { startWitnessing } from '../../ledger/transparency/witnessing.ts';
import { loadWebhookSeeds } from '../../platform/data-folder/key-files.ts';
import type { Closing } from '../../platform/process/closing.ts';
import type { OpenParts, ServiceParts } from '../service.ts';
import { PAUSE_MS, repeat } from './repeat.ts';

/** Without a change, the publisher runs again after this time. */
const IDLE_MS = 5_000;
const CONFIRM_PAUSE_MS = { devnet: 500, arweave: 15_000 };

/** What works without being asked: delivery of events and mail, posting, checkpoints. */
export interface Background {
  readonly webhooks: Webhooks;
  readonly loops: Loops;
  /** Null where no mail server is configured. */
  readonly outbox: Outbox | null;
}

type Given = Pick<OpenParts, 'pools' | 'ledger' | 'sources' | 'observers' | 'writes' | 'clock' | 'changes'>;

/** @throws {ConfigError} if a key of webhooks or the address of the mail server cannot be used */
export async function openBackground(service: ServiceParts, given: Given, closing: Closing): Promise<Background> {
  const { config, log, databaseUrl, databaseWaitMs, gateway } = service;
  const { pools, ledger, sources, observers, writes, clock, changes } = given;
  const { pool } = pools;
  const webhooks = await openWebhooks(config, {
    databaseUrl,
    databaseWaitMs,
    targets: service.webhookTargets,
    log,
    clock,
    ledgerId: ledger.head.ledgerId,
    vault: writes.vault,
    seeds: loadWebhookSeeds(config),
    onAnswered: observers.metrics.webhookAnswered,
    changes,
  });
  closing.add('the webhooks', webhooks.stop);
  const loops = startLoops(
    {
      pool,
      fence: sources.fence,
      settled: sources.questions.settled,
      changes,
      client: sources.arweave,
      wallet: gateway.wallet,
      maxAgeMs: config.BUNDLE_MAX_AGE_MS,
      maxWinston: config.MAX_WINSTON_PER_BUNDLE,
      dailyBytes: config.DAILY_BYTES,
      confirmPauseMs: CONFIRM_PAUSE_MS[gateway.kind],
      onPosted: observers.metrics.posted,
      tracing: observers.tracing,
    },
    (loop, error) => log.warn({ err: error }, `the ${loop} loop failed and is retried`),
  );
  // The loops wait for what the sources answer.
  closing.add('the loops of the ledger', () => Promise.all([sources.questions.stop(), loops.stop()]));
  const witnessing = startWitnessing({ pool, log, witnesses: sources.transparencyLog?.witnesses ?? [] });
  closing.add('witnessing', witnessing.stop);
  const publish = sources.transparencyLog && createPublisher(pool, sources.transparencyLog, witnessing.request);
  const checkpoints = repeat(
    (error) => log.warn({ err: error }, 'checkpoints fail and are retried'),
    async () => {
      if (publish && loops.state().leading && !sources.fence.problem()) return (await publish()) ? PAUSE_MS : IDLE_MS;
      await witnessing.request(null);
      return PAUSE_MS;
    },
    changes,
  );
  closing.add('the checkpoints', checkpoints.stop);
  const outbox = openOutbox(config, {
    databaseUrl,
    databaseWaitMs,
    publicUrl: service.publicUrl,
    log,
    vault: writes.vault,
    clock,
    addressHashes: writes.addressHashes,
    onAttempt: observers.metrics.mailed,
  });
  closing.add('the outbox', () => outbox?.stop());
  const alerts =
    outbox &&
    startAlerts({
      pool,
      vault: writes.vault,
      clock,
      changes,
      openUse: openAccessEvent,
      onProblem: (error) => log.warn({ err: error }, 'the search for alerts failed and is retried'),
    });
  closing.add('the alerts', () => alerts?.stop());
  return { webhooks, loops, outbox };
}
