import { setTimeout as sleep } from 'node:timers/promises';
import { readHead } from '../../server/ledger/head.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { openStandbys } from '../../server/platform/db/standbys.ts';
import { type Check, type Finding, warning } from './check.ts';

/** Some samples: a standby that follows another server is recognised at the second one. */
const SAMPLING_MS = 1_500;

/** Whether the service would use each server of DATABASE_READ_URL. The service works without them. */
export const standbys: Check = {
  name: 'standbys',
  skips: ({ DATABASE_URL, DATABASE_READ_URL }) =>
    DATABASE_URL && DATABASE_READ_URL.length > 0 ? null : 'DATABASE_URL or DATABASE_READ_URL is not set',
  async run({ DATABASE_URL = '', DATABASE_READ_URL, DATABASE_READ_MAX_LAG_MS: maxLagMs }) {
    const primary = createPool(DATABASE_URL, 1, () => undefined);
    try {
      const head = await readHead(primary).catch(() => null);
      if (!head) return [];
      const problems = new Map<string, string | null>();
      const onChange = (standby: string, problem: string | null) => void problems.set(standby, problem);
      const opened = openStandbys(DATABASE_READ_URL, { primary, ledgerId: head.ledgerId, maxLagMs, onChange });
      await sleep(SAMPLING_MS);
      await opened.stop();
      return [...problems].flatMap(([name, problem]) => (problem === null ? [] : [skipped(name, problem)]));
    } finally {
      await primary.end();
    }
  },
};

const skipped = (name: string, problem: string): Finding =>
  warning(
    `The standby ${name} of DATABASE_READ_URL would not be used. ${problem}`,
    'Let it follow the primary, or remove it from DATABASE_READ_URL. Meanwhile the primary answers.',
  );
