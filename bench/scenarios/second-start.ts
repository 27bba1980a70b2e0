import type { Scenario } from '../scenario.ts';

/** From the start of the process to the first healthy answer, with everything built and a database there. */
export const secondStart: Scenario = {
  name: 'second-start',
  async run(session) {
    const rounds: number[] = [];
    for (let round = 1; round <= session.settings.rounds; round++) rounds.push((await session.restart()).startSeconds);
    const name = `second start to healthy, with ${session.identities()} identities`;
    return [{ name, unit: 's', rounds, targets: [{ of: 'value', atMost: 5 }] }];
  },
};
