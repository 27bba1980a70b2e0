import { residentMemory } from '../process-facts.ts';
import type { Scenario } from '../scenario.ts';

const MEGABYTE = 1e6;

/** What the server process holds once there are many identities, and the most it held on the way there. */
export const memory: Scenario = {
  name: 'memory',
  async run(session) {
    await session.grow(session.settings.manyIdentities);
    const { now, peak } = await residentMemory(session.server().pid);
    const targets = [{ of: 'value', atMost: 300 }] as const;
    const with_ = `resident memory of the server with ${session.identities()} identities`;
    return [
      { name: with_, unit: 'MB', rounds: [now / MEGABYTE], targets },
      { name: `${with_}, at most so far`, unit: 'MB', rounds: [peak / MEGABYTE], targets },
    ];
  },
};
