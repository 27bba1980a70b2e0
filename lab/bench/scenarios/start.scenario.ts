import type { Scenario } from '../session.ts';

const below = (atMost: number) => [{ of: 'value', atMost }] as const;

/** From the start of the process to its first healthy response, when the server is built: without data and with it. */
export const start: Scenario = {
  name: 'start',
  async run(session) {
    const [first, second]: [number[], number[]] = [[], []];
    for (let round = 1; round <= session.settings.rounds; round++) {
      for (const seconds of [first, second]) {
        const server = await session.start(`start-${round}`);
        seconds.push(server.startSeconds);
        await server.stop();
      }
    }
    return [
      { name: 'start without data', unit: 's', rounds: first, targets: below(6) },
      { name: 'start with data', unit: 's', rounds: second, targets: below(3) },
    ];
  },
};
