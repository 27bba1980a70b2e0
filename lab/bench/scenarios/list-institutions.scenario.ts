import { z } from 'zod';
import { getJson } from '../api.ts';
import { fillForRead, prepareForRead } from '../bare/bare-database.ts';
import { untilFinal, untilPosted } from '../ledger-state.ts';
import { inAlternatingRounds, type PairedLoad, pairedFigure, slowdownFigure } from '../paired-rounds.ts';
import type { ServerProcess } from '../server-process.ts';
import type { BareLoop, Scenario, Session } from '../session.ts';

const LIMIT = 20;
const MAX_PREPARED = 20_000;

/** GET /api/ieos with its count, filtered and deep into the list, of a server with few institutions and of a server with many. */
export const listInstitutions: Scenario = {
  name: 'list-institutions',
  async run(session) {
    const { fewIdentities, manyIdentities } = session.settings;
    const small = await session.startAnother('few-institutions');
    const ofFew = await prepare(session, small, fewIdentities);
    const ofMany = await prepare(session, session.server(), manyIdentities);
    const [few, many] = await inAlternatingRounds(session, [ofFew, ofMany]);
    await Promise.all([ofFew.bareLoop.stop(), ofMany.bareLoop.stop(), small.stop()]);
    return [
      pairedFigure(few, ofFew.title, '/s', ({ perSecond }) => perSecond),
      pairedFigure(many, ofMany.title, '/s', ({ perSecond }) => perSecond),
      slowdownFigure(`GET /api/ieos: time with ${manyIdentities} / time with ${fewIdentities} institutions`, few, many),
    ];
  },
};

/** Creates the institutions and waits until they are final, so that relaying them is not measured. */
async function prepare(
  session: Session,
  server: ServerProcess,
  population: number,
): Promise<PairedLoad & { readonly bareLoop: BareLoop }> {
  const { reads, warmUp } = session.settings;
  for (let from = 0; from < population; from += MAX_PREPARED) {
    const count = Math.min(MAX_PREPARED, population - from);
    await session.measure(server, { workload: { kind: 'createIEO', from, count } });
    await untilPosted(server.url);
  }
  await untilFinal(server.url);
  const bareLoop = await session.startBareLoop('bare-read', async (url) => {
    await prepareForRead(url);
    await fillForRead(url, population);
  });
  const paths = await pagePaths(server.url);
  const list = (count: number) => session.measure(server, { workload: { kind: 'get', paths, count } });
  await list(Math.ceil(warmUp / 4));
  return {
    title: `GET /api/ieos, ${LIMIT} of ${population}, with count`,
    bareLoop,
    reference: () => session.measure(bareLoop, { workload: { kind: 'readByDomain', population, count: reads } }),
    server: () => list(Math.ceil(reads / 8)),
  };
}

const MATCHING = ['', '&status=ACTIVE', '&ieoType=LAB', '&certLevel=UNCERTIFIED', '&status=ACTIVE&ieoType=PHYSICIAN'];
const NOT_MATCHING = [
  '&status=SUSPENDED',
  '&ieoType=LAB&certLevel=ADVANCED',
  '&status=ACTIVE&ieoType=LAB&certLevel=BASIC',
];

const listShape = z.object({ next_cursor: z.string().nullable() });

/** The first page with each filter, and one page from further down the unfiltered list. */
async function pagePaths(url: string): Promise<string[]> {
  const firstPages = [...MATCHING, ...NOT_MATCHING].map((filter) => `/api/ieos?limit=${LIMIT}${filter}`);
  let cursor: string | null = null;
  for (let page = 0; page < 3; page++) {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`;
    const list: z.infer<typeof listShape> = await getJson(`${url}/api/ieos?limit=200${after}`, listShape);
    cursor = list.next_cursor;
  }
  return cursor === null ? firstPages : [...firstPages, `/api/ieos?limit=${LIMIT}&cursor=${cursor}`];
}
