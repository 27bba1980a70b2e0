import type { Scenario } from '../session.ts';

/** From the start of the process to its first healthy response, when the server is built and its database exists. */
export const secondStart: Scenario = {
  name: 'second-start',
  async run(session) {
    const rounds: number[] = [];
    for (let round = 1; round <= session.settings.rounds; round++) rounds.push((await session.restart()).startSeconds);
    const name = `second start to healthy, ${session.identities()} identities`;
    return [{ name, unit: 's', rounds, targets: [{ of: 'value', atMost: 5 }] }];
  },
};
