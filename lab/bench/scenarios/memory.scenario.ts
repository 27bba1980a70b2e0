import { residentMemory } from '../process-usage.ts';
import type { Scenario } from '../session.ts';

const MEGABYTE = 1e6;

/** The memory of the server process with many identities, and the most that it used while they were created. */
export const memory: Scenario = {
  name: 'memory',
  async run(session) {
    await session.grow(session.settings.manyIdentities);
    const { now, peak } = await residentMemory(session.server().pid);
    const targets = [{ of: 'value', atMost: 300 }] as const;
    const name = `resident memory with ${session.identities()} identities`;
    return [
      { name, unit: 'MB', rounds: [now / MEGABYTE], targets },
      { name: `${name}: peak so far`, unit: 'MB', rounds: [peak / MEGABYTE], targets },
    ];
  },
};
