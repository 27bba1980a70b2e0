import { fillForRead, prepareForRead } from '../bare/bare-database.ts';
import { untilFinal, untilPosted } from '../ledger-facts.ts';
import { inTurns, type PairedLoad, pairedFigure, slowdownFigure } from '../paired-rounds.ts';
import type { Scenario } from '../scenario.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import type { BareLoop, Session } from '../session.ts';

const LIMIT = 20;
const SLICE = 20_000;
const MAX_SECONDS_TO_POSTED = 120;
const MAX_SECONDS_TO_FINAL = 180;

/** GET /api/ieos with its count, under every filter and deep into the list, of a server with few institutions and of one with many, in turns. */
export const listInstitutions: Scenario = {
  name: 'list-institutions',
  async run(session) {
    const { fewIdentities, manyIdentities } = session.settings;
    const small = await session.startAnother('few-institutions');
    const sides = [
      await prepare(session, small, fewIdentities),
      await prepare(session, session.server(), manyIdentities),
    ] as const;
    const title = (population: number) => `GET /api/ieos, ${LIMIT} of ${population}, counted`;
    const [few, many] = await inTurns(session, [
      { ...sides[0], title: title(fewIdentities) },
      { ...sides[1], title: title(manyIdentities) },
    ]);
    await Promise.all([...sides.map(({ loop }) => loop.stop()), small.stop()]);
    return [
      pairedFigure(few, title(fewIdentities), '/s', ({ perSecond }) => perSecond),
      pairedFigure(many, title(manyIdentities), '/s', ({ perSecond }) => perSecond),
      slowdownFigure(
        `GET /api/ieos: time with ${manyIdentities} institutions to time with ${fewIdentities}`,
        few,
        many,
      ),
    ];
  },
};

/** Registers as many institutions, and waits until they are final, so that only their number is measured. */
async function prepare(
  session: Session,
  server: ServerUnderTest,
  population: number,
): Promise<PairedLoad & { readonly loop: BareLoop }> {
  const { reads, warmUp } = session.settings;
  for (let from = 0; from < population; from += SLICE) {
    const count = Math.min(SLICE, population - from);
    await session.measure(server, { workload: { kind: 'createIEO', from, count } });
    await untilPosted(server.url, MAX_SECONDS_TO_POSTED);
  }
  await untilFinal(server.url, MAX_SECONDS_TO_FINAL);
  const loop = await session.startBare('bare-read', async (url) => {
    await prepareForRead(url);
    await fillForRead(url, population);
  });
  const paths = await pages(server.url);
  const list = (count: number) => session.measure(server, { workload: { kind: 'get', paths, count } });
  await list(Math.ceil(warmUp / 4));
  return {
    loop,
    bare: () => session.measure(loop, { workload: { kind: 'readByDomain', population, count: reads } }),
    served: () => list(Math.ceil(reads / 8)),
  };
}

/** The first page under filters of every number, and pages from the middle of the whole list. */
async function pages(url: string): Promise<string[]> {
  const filters = ['', '&status=ACTIVE', '&ieoType=LAB', '&certLevel=UNCERTIFIED', '&status=ACTIVE&ieoType=PHYSICIAN'];
  const none = ['&status=SUSPENDED', '&ieoType=LAB&certLevel=ADVANCED', '&status=ACTIVE&ieoType=LAB&certLevel=BASIC'];
  const first = [...filters, ...none].map((filter) => `/api/ieos?limit=${LIMIT}${filter}`);
  let cursor: string | null = null;
  for (let page = 0; page < 3; page++) {
    const behind: string = cursor === null ? '' : `&cursor=${cursor}`;
    const answer = await fetch(`${url}/api/ieos?limit=200${behind}`);
    cursor = ((await answer.json()) as { next_cursor: string | null }).next_cursor;
  }
  return cursor === null ? first : [...first, `/api/ieos?limit=${LIMIT}&cursor=${cursor}`];
}
