import { fillForRead, prepareForRead } from '../bare/bare-database.ts';
import { inPairedRounds, type PairedRounds, pairedFigure, processorFigures } from '../paired-rounds.ts';
import type { Scenario } from '../scenario.ts';
import type { LoadTarget, Session } from '../session.ts';

/** GET /api/beos/domain/:domain, first with few identities, then with many. */
export const readByDomain: Scenario = {
  name: 'read-by-domain',
  async run(session) {
    const { fewIdentities, manyIdentities, connections } = session.settings;
    const title = (population: number) => `GET by domain, ${connections} connections, ${population} identities`;
    await session.grow(fewIdentities);
    const few = await compare(session, fewIdentities, title(fewIdentities));
    await session.grow(manyIdentities);
    const many = await compare(session, manyIdentities, title(manyIdentities));
    return [
      ...[few, many].flatMap((rounds, index) => {
        const name = title([fewIdentities, manyIdentities][index] ?? 0);
        const targets = [
          { of: 'value', atLeast: 8_000 },
          { of: 'ratio', atLeast: 0.5 },
        ] as const;
        return [
          pairedFigure(rounds, name, '/s', ({ perSecond }) => perSecond, targets),
          ...processorFigures(rounds, name),
        ];
      }),
      {
        name: `GET by domain: time with ${manyIdentities} identities to time with ${fewIdentities}`,
        unit: '×',
        rounds: slowdown(few.served, many.served),
        bare: slowdown(few.bare, many.bare),
        targets: [{ of: 'value', atMost: 1.2 }],
      },
    ];
  },
};

async function compare(session: Session, population: number, title: string): Promise<PairedRounds> {
  const { reads, warmUp } = session.settings;
  const loop = await session.startBare('bare-read', async (url) => {
    await prepareForRead(url);
    await fillForRead(url, population);
  });
  const read = (target: LoadTarget, count: number) =>
    session.measure(target, { workload: { kind: 'readByDomain', population, count } });
  await read(loop, warmUp);
  await read(session.server(), warmUp);
  const rounds = await inPairedRounds(session, title, {
    bare: () => read(loop, reads),
    served: () => read(session.server(), reads),
  });
  await loop.stop();
  return rounds;
}

function slowdown(few: PairedRounds['served'], many: PairedRounds['served']): number[] {
  return many.map(({ perSecond }, round) => (few[round]?.perSecond ?? Number.NaN) / perSecond);
}
