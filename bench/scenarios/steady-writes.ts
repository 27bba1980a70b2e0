import { prepareForCreate } from '../bare/bare-database.ts';
import { inPairedRounds, pairedFigure } from '../paired-rounds.ts';
import type { Scenario } from '../scenario.ts';

const CONNECTIONS = 32;

/** createBEO at a steady rate, whatever the answers do: how long one person waits. */
export const steadyWrites: Scenario = {
  name: 'steady-writes',
  async run(session) {
    const { steadyPerSecond: perSecond, steadySeconds, warmUp } = session.settings;
    const count = perSecond * steadySeconds;
    const loop = await session.startBare('bare-create', prepareForCreate);
    let created = 0;
    const createBare = (count: number, job: { perSecond?: number; connections?: number }) => {
      const workload = { kind: 'createBEO', from: created, count } as const;
      created += count;
      return session.measure(loop, { ...job, workload });
    };
    await createBare(warmUp, {});
    await session.create(warmUp);
    const open = { perSecond, connections: CONNECTIONS };
    const name = `createBEO at ${perSecond}/s`;
    const rounds = await inPairedRounds(session, name, {
      bare: () => createBare(count, open),
      served: () => session.create(count, open),
    });
    await loop.stop();
    return [
      pairedFigure(rounds, `${name}: p50`, 'ms', ({ latencies }) => latencies.p50),
      pairedFigure(rounds, `${name}: p99`, 'ms', ({ latencies }) => latencies.p99, [{ of: 'value', atMost: 25 }]),
      pairedFigure(rounds, `${name}: longest`, 'ms', ({ latencies }) => latencies.max),
    ];
  },
};
