import type { Target } from '../figures.ts';
import { compareLoads, LOADS, loadsOfBareLoops, loadsOfServer } from '../loads.ts';
import type { Scenario } from '../session.ts';

const [CREATE, , , , SUBMIT] = LOADS;

/** Rates per second, and ratios to the bare loop. */
const TARGETS: Readonly<Partial<Record<string, readonly [rate: number, ratio: number]>>> = {
  [CREATE]: [2_500, 0.8],
  'GET by domain': [8_000, 0.9],
  grantConsent: [2_000, 0.6],
  [SUBMIT]: [60, 0.6],
  'checking a token': [6_000, 0.85],
};

/** Each load on the server under test and on the bare loop of its kind, in alternating rounds. */
export const bareLoops: Scenario = {
  name: 'bare-loops',
  async run(session) {
    const { loads, consents } = await loadsOfServer(session, await session.server());
    const bare = await loadsOfBareLoops(session, consents);
    return compareLoads(session, [bare, loads], (name): readonly Target[] => {
      const [rate, ratio] = TARGETS[name] ?? [];
      if (rate === undefined || ratio === undefined) return [];
      return [
        { of: 'value', atLeast: rate },
        { of: 'ratio', atLeast: ratio },
      ];
    });
  },
};
