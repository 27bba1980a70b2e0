import { prepareForCreate } from '../bare/bare-database.ts';
import { readLedger } from '../ledger-facts.ts';
import { inPairedRounds, pairedFigure, processorFigures } from '../paired-rounds.ts';
import type { Scenario } from '../scenario.ts';
import type { Measured } from '../session.ts';
import { networkFigures } from './network-use.ts';

/** POST /api/relayer/beo as fast as the connections allow, and what of it goes to the network. */
export const createBEO: Scenario = {
  name: 'create-beo',
  async run(session) {
    const { writes, warmUp, connections } = session.settings;
    const name = `createBEO, ${connections} connections`;
    const loop = await session.startBare('bare-create', prepareForCreate);
    let created = 0;
    const createBare = async (count: number): Promise<Measured> => {
      const workload = { kind: 'createBEO', from: created, count } as const;
      created += count;
      return session.measure(loop, { workload });
    };
    await createBare(warmUp);
    await session.create(warmUp);
    const before = await readLedger(session.server().url);
    const rounds = await inPairedRounds(session, name, {
      bare: () => createBare(writes),
      served: () => session.create(writes),
    });
    await loop.stop();
    const after = await readLedger(session.server().url);
    const targets = [
      { of: 'value', atLeast: 2_500 },
      { of: 'ratio', atLeast: 0.5 },
    ] as const;
    return [
      pairedFigure(rounds, name, '/s', ({ perSecond }) => perSecond, targets),
      pairedFigure(rounds, `${name}: p99`, 'ms', ({ latencies }) => latencies.p99),
      ...processorFigures(rounds, name),
      ...(await networkFigures(after, { firstSeq: before.head.seq + 1, lastSeq: after.head.seq })),
    ];
  },
};
