import { fillForRead, prepareForRead } from '../bare/bare-database.ts';
import { untilFinal } from '../ledger-facts.ts';
import { inTurns, type PairedLoad, pairedFigure, processorFigures, slowdownFigure } from '../paired-rounds.ts';
import type { Scenario } from '../scenario.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import type { BareLoop, LoadTarget, Session } from '../session.ts';

/** GET /api/beos/domain/:domain, of a server with few identities and of one with many, in turns. */
export const readByDomain: Scenario = {
  name: 'read-by-domain',
  async run(session) {
    const { fewIdentities, manyIdentities, connections } = session.settings;
    const title = (population: number) => `GET by domain, ${connections} connections, ${population} identities`;
    const small = await session.startAnother('few-identities');
    await session.measure(small, { workload: { kind: 'createBEO', from: 0, count: fewIdentities } });
    await session.grow(manyIdentities);
    const sides = [
      await prepare(session, small, fewIdentities),
      await prepare(session, session.server(), manyIdentities),
    ] as const;
    const [few, many] = await inTurns(session, [
      { ...sides[0], title: title(fewIdentities) },
      { ...sides[1], title: title(manyIdentities) },
    ]);
    await Promise.all([...sides.map(({ loop }) => loop.stop()), small.stop()]);
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
      slowdownFigure(`GET by domain: time with ${manyIdentities} identities to time with ${fewIdentities}`, few, many),
    ];
  },
};

const MAX_SECONDS_TO_FINAL = 180;

async function prepare(
  session: Session,
  server: ServerUnderTest,
  population: number,
): Promise<PairedLoad & { readonly loop: BareLoop }> {
  const { reads, warmUp } = session.settings;
  const loop = await session.startBare('bare-read', async (url) => {
    await prepareForRead(url);
    await fillForRead(url, population);
  });
  const read = (target: LoadTarget, count: number) =>
    session.measure(target, { workload: { kind: 'readByDomain', population, count } });
  // What differs is to be the number of identities, and not how many of them are still on their way to the network.
  await untilFinal(server.url, MAX_SECONDS_TO_FINAL);
  await read(loop, warmUp);
  await read(server, warmUp);
  return { loop, bare: () => read(loop, reads), served: () => read(server, reads) };
}
