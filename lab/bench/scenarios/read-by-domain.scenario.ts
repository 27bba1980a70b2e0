import { fillForRead, prepareForRead } from '../bare/bare-database.ts';
import { untilFinal } from '../ledger-state.ts';
import {
  inAlternatingRounds,
  type PairedLoad,
  pairedFigure,
  processorFigures,
  slowdownFigure,
} from '../paired-rounds.ts';
import type { ServerProcess } from '../server-process.ts';
import type { BareLoop, LoadTarget, Scenario, Session } from '../session.ts';

/** GET /api/beos/domain/:domain of a server with few identities and of a server with many, in alternating rounds. */
export const readByDomain: Scenario = {
  name: 'read-by-domain',
  async run(session) {
    const { fewIdentities, manyIdentities } = session.settings;
    const small = await session.startAnother('few-identities');
    await session.measure(small, { workload: { kind: 'createBEO', from: 0, count: fewIdentities } });
    await session.grow(manyIdentities);
    const ofFew = await prepare(session, small, fewIdentities);
    const ofMany = await prepare(session, session.server(), manyIdentities);
    const [few, many] = await inAlternatingRounds(session, [ofFew, ofMany]);
    await Promise.all([ofFew.bareLoop.stop(), ofMany.bareLoop.stop(), small.stop()]);
    const targets = [
      { of: 'value', atLeast: 8_000 },
      { of: 'ratio', atLeast: 0.5 },
    ] as const;
    return [
      pairedFigure(few, ofFew.title, '/s', ({ perSecond }) => perSecond, targets),
      ...processorFigures(few, ofFew.title),
      pairedFigure(many, ofMany.title, '/s', ({ perSecond }) => perSecond, targets),
      ...processorFigures(many, ofMany.title),
      slowdownFigure(`GET by domain: time with ${manyIdentities} / time with ${fewIdentities} identities`, few, many),
    ];
  },
};

async function prepare(
  session: Session,
  server: ServerProcess,
  population: number,
): Promise<PairedLoad & { readonly bareLoop: BareLoop }> {
  const { reads, warmUp, connections } = session.settings;
  const bareLoop = await session.startBareLoop('bare-read', async (url) => {
    await prepareForRead(url);
    await fillForRead(url, population);
  });
  const read = (target: LoadTarget, count: number) =>
    session.measure(target, { workload: { kind: 'readByDomain', population, count } });
  // The servers shall differ in the number of identities only, not in how many of them are still being relayed.
  await untilFinal(server.url);
  await read(bareLoop, warmUp);
  await read(server, warmUp);
  return {
    title: `GET by domain, ${connections} connections, ${population} identities`,
    bareLoop,
    reference: () => read(bareLoop, reads),
    server: () => read(server, reads),
  };
}
