import { prepareForCreate } from '../bare/bare-database.ts';
import { inPairedRounds, pairedFigure } from '../paired-rounds.ts';
import type { Scenario } from '../session.ts';

const CONNECTIONS = 32;

/** createBEO in an open loop at a steady rate: how long a client waits. */
export const steadyWrites: Scenario = {
  name: 'steady-writes',
  async run(session) {
    const { steadyPerSecond: perSecond, steadySeconds, warmUp } = session.settings;
    const count = perSecond * steadySeconds;
    const bareLoop = await session.startBareLoop('bare-create', prepareForCreate);
    let created = 0;
    const createBare = (count: number, load: { perSecond?: number; connections?: number }) => {
      const workload = { kind: 'createBEO', from: created, count } as const;
      created += count;
      return session.measure(bareLoop, { ...load, workload });
    };
    await createBare(warmUp, {});
    await session.create(warmUp);
    const openLoop = { perSecond, connections: CONNECTIONS };
    const title = `createBEO at ${perSecond}/s`;
    const rounds = await inPairedRounds(session, {
      title,
      reference: () => createBare(count, openLoop),
      server: () => session.create(count, openLoop),
    });
    await bareLoop.stop();
    return [
      pairedFigure(rounds, `${title}: p50`, 'ms', ({ latencies }) => latencies.p50),
      pairedFigure(rounds, `${title}: p99`, 'ms', ({ latencies }) => latencies.p99, [{ of: 'value', atMost: 25 }]),
      pairedFigure(rounds, `${title}: maximum`, 'ms', ({ latencies }) => latencies.max),
    ];
  },
};
