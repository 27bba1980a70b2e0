import { prepareForCreate } from '../bare/bare-database.ts';
import { readLedger } from '../ledger-state.ts';
import { networkFigures } from '../network-cost.ts';
import { inPairedRounds, pairedFigure, processorFigures } from '../paired-rounds.ts';
import type { Measurement, Scenario } from '../session.ts';

/** POST /api/relayer/beo in a closed loop, and what its entries cost on the network. */
export const createBEO: Scenario = {
  name: 'create-beo',
  async run(session) {
    const { writes, warmUp, connections } = session.settings;
    const title = `createBEO, ${connections} connections`;
    const bareLoop = await session.startBareLoop('bare-create', prepareForCreate);
    let created = 0;
    const createBare = (count: number): Promise<Measurement> => {
      const workload = { kind: 'createBEO', from: created, count } as const;
      created += count;
      return session.measure(bareLoop, { workload });
    };
    await createBare(warmUp);
    await session.create(warmUp);
    const before = await readLedger(session.server().url);
    const rounds = await inPairedRounds(session, {
      title,
      reference: () => createBare(writes),
      server: () => session.create(writes),
    });
    await bareLoop.stop();
    const after = await readLedger(session.server().url);
    const targets = [
      { of: 'value', atLeast: 2_500 },
      { of: 'ratio', atLeast: 0.5 },
    ] as const;
    return [
      pairedFigure(rounds, title, '/s', ({ perSecond }) => perSecond, targets),
      pairedFigure(rounds, `${title}: p99`, 'ms', ({ latencies }) => latencies.p99),
      ...processorFigures(rounds, title),
      ...(await networkFigures(after, { firstSeq: before.head.seq + 1, lastSeq: after.head.seq })),
    ];
  },
};
