import { fillForRead, prepareForRead } from '../bare/bare-database.ts';
import { untilPosted } from '../ledger-facts.ts';
import { inPairedRounds, type PairedRounds, pairedFigure } from '../paired-rounds.ts';
import type { Scenario } from '../scenario.ts';
import type { Session } from '../session.ts';

const LIMIT = 20;
const SLICE = 20_000;
const MAX_POSTING_SECONDS = 120;

/** GET /api/ieos with its count, under every filter and deep into the list, first with few institutions, then with many. */
export const listInstitutions: Scenario = {
  name: 'list-institutions',
  async run(session) {
    const { fewIdentities, manyIdentities } = session.settings;
    let created = 0;
    const grow = async (population: number) => {
      while (created < population) {
        const count = Math.min(SLICE, population - created);
        await session.measure(session.server(), { workload: { kind: 'createIEO', from: created, count } });
        created += count;
        await untilPosted(session.server().url, MAX_POSTING_SECONDS);
      }
    };
    await grow(fewIdentities);
    const few = await list(session, fewIdentities);
    await grow(manyIdentities);
    const many = await list(session, manyIdentities);
    const name = (population: number) => `GET /api/ieos, ${LIMIT} of ${population}, counted`;
    return [
      pairedFigure(few, name(fewIdentities), '/s', ({ perSecond }) => perSecond),
      pairedFigure(many, name(manyIdentities), '/s', ({ perSecond }) => perSecond),
      {
        name: `GET /api/ieos: time with ${manyIdentities} institutions to time with ${fewIdentities}`,
        unit: '×',
        rounds: many.served.map(({ perSecond }, round) => (few.served[round]?.perSecond ?? Number.NaN) / perSecond),
        targets: [{ of: 'value', atMost: 1.2 }],
      },
    ];
  },
};

async function list(session: Session, population: number): Promise<PairedRounds> {
  const { reads, warmUp } = session.settings;
  const count = Math.ceil(reads / 8);
  const loop = await session.startBare('bare-read', async (url) => {
    await prepareForRead(url);
    await fillForRead(url, population);
  });
  const paths = await pages(session.server().url);
  const ask = (requests: number) =>
    session.measure(session.server(), { workload: { kind: 'get', paths, count: requests } });
  await ask(Math.ceil(warmUp / 4));
  const rounds = await inPairedRounds(session, `GET /api/ieos, ${population} institutions`, {
    bare: () => session.measure(loop, { workload: { kind: 'readByDomain', population, count: reads } }),
    served: () => ask(count),
  });
  await loop.stop();
  return rounds;
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
