import type { Config } from '../../../config.ts';
import { createResolve, resolveLikeSystem } from '../../../network/checked-address.ts';
import { POOL_SIZES } from '../../../platform/db/connections.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { EXCHANGE_MS, startWebhooks, type Webhooks, type WebhooksParts } from './webhooks.ts';

interface Given
  extends Pick<WebhooksParts, 'clock' | 'ledgerId' | 'vault' | 'log' | 'seeds' | 'onAnswered' | 'changes'> {
  readonly databaseUrl: string;
  /** Replaces the limit of waiting for a connection. */
  readonly databaseWaitMs?: number | undefined;
  /** What differs from the settings and defaults: how receivers are found, recognised and waited for. */
  readonly targets?: Partial<Pick<WebhooksParts['rules'], 'resolve' | 'ca' | 'timeoutMs'>> | undefined;
}

/** Starts the webhooks as configured. Delivery has its own pool, so that it and the writes do not wait for each other. */
export async function openWebhooks(
  config: Config,
  { databaseUrl, databaseWaitMs, targets, ...parts }: Given,
): Promise<Webhooks> {
  const { log } = parts;
  const lost = ({ message }: Error) => log.warn({ reason: message }, 'a database connection of the webhooks was lost');
  const { WEBHOOK_PORTS: ports, WEBHOOK_PRIVATE_TARGETS: privateAddresses } = config;
  if (privateAddresses) log.warn('webhooks may reach private addresses: WEBHOOK_PRIVATE_TARGETS is true');
  const pool = createPool(databaseUrl, POOL_SIZES.webhooks, lost, { connectMs: databaseWaitMs });
  try {
    const webhooks = await startWebhooks({
      ...parts,
      pool,
      rules: {
        ports,
        privateAddresses,
        resolve: privateAddresses ? resolveLikeSystem : createResolve(),
        timeoutMs: EXCHANGE_MS,
        ...targets,
      },
      userAgent: `Perpetua/${config.VERSION}`,
    });
    const stop = async () => {
      await webhooks.stop();
      await pool.end();
    };
    let stopped: Promise<void> | null = null;
    return {
      ...webhooks,
      stop() {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
