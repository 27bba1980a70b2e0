import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { startReceiver } from '../server/features/events/webhooks/test-receiver.ts';
import { startProduct } from './product.ts';

/** What the product under test has as CONTACT_EMAIL. */
export const CONTACT_EMAIL = 'contact@perpetua.example';

/** Starts the product, logs its output, and stops it after the last test. */
export default async function setup({ projects }: FullConfig): Promise<() => Promise<void>> {
  const receiver = await startReceiver({ keep: false });
  const results = projects[0]?.outputDir ?? '.';
  await mkdir(results, { recursive: true });
  const settings = {
    // The name receiver.test leads to the receiver of this setup; 443 is what other names get.
    WEBHOOK_PRIVATE_TARGETS: 'true',
    WEBHOOK_PORTS: `443,${receiver.port}`,
    // OPERATOR_NAME and GOVERNING_LAW stay unset, which the pages must say.
    CONTACT_EMAIL,
  };
  const { baseUrl, dataDir, stop } = await startProduct(settings, join(results, 'server.log'));
  const ledger = (await (await fetch(`${baseUrl}/api/ledger`)).json()) as { ledger_id: string };
  process.env.LEDGER_ID = ledger.ledger_id;
  process.env.BASE_URL = baseUrl;
  process.env.PRODUCT_DATA_DIR = dataDir;
  process.env.WEBHOOK_URL = `https://receiver.test:${receiver.port}/hook`;
  return async () => {
    await receiver.stop();
    await stop();
  };
}
