import type { Figure } from '../figures.ts';
import { type Filled, fillIdentities } from '../fill.ts';
import { untilPosted } from '../ledger-state.ts';
import type { Workload } from '../load/workloads.ts';
import { inPairedRounds, type PairedRounds } from '../paired-rounds.ts';
import { residentMemory } from '../process-usage.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Scenario, Session } from '../session.ts';

const FEW = 10_000;
const AT_MOST = [{ of: 'value', atMost: 1.2 }] as const;
const MEGABYTE = 1e6;

/** A server whose database was filled. */
interface Population {
  readonly identities: number;
  readonly filled: Filled;
  server: ServerProcess;
  start(): Promise<ServerProcess>;
  /** The number of the next identity that is created. */
  next: number;
}

/** Reads, writes and the start of a server with 10,000 identities and of one with many, in alternating rounds. */
export const manyIdentities = (many: number): Scenario => ({
  name: `${many} identities against ${FEW}`,
  async run(session) {
    const few = await populate(session, FEW, (name) => session.startAnother(name));
    const large = await populate(session, many, () => session.restart());
    const figures: Figure[] = [];
    for (const read of READS) {
      figures.push(await compare(session, read.title, few, large, (of) => read.workload(of, session.settings.reads)));
    }
    figures.push(
      await compare(session, 'createBEO', few, large, (of) => {
        const { writes } = session.settings;
        of.next += writes;
        return { kind: 'createBEO', from: of.next - writes, count: writes };
      }),
    );
    const memory = await residentMemory(large.server.pid);
    const limit = [{ of: 'value', atMost: 300 }] as const;
    const name = `resident memory with ${many} identities`;
    figures.push(
      { name, unit: 'MB', rounds: [memory.now / MEGABYTE], targets: limit },
      { name: `${name}: peak`, unit: 'MB', rounds: [memory.peak / MEGABYTE], targets: limit },
      await starts(session, few, large),
    );
    return figures;
  },
});

async function populate(
  session: Session,
  identities: number,
  startNamed: (name: string) => Promise<ServerProcess>,
): Promise<Population> {
  const start = () => startNamed(`with-${identities}-identities`);
  const first = await start();
  // The rows of this identity are what the others are copied from.
  await session.measure(first, { workload: { kind: 'createBEO', from: 0, count: 1 } });
  await untilPosted(first.url);
  await first.stop();
  const filled = await fillIdentities(String(first.env.DATA_DIR), identities, session.log);
  return { identities, filled, start, server: await start(), next: identities };
}

interface Read {
  readonly title: string;
  workload(of: Population, count: number): Workload;
}

const READS: readonly Read[] = [
  {
    title: 'an identity by its domain',
    workload: ({ identities }, count) => ({ kind: 'readByDomain', population: identities, count }),
  },
  {
    title: 'an identity by its id',
    workload: ({ filled }, count) => ({ kind: 'get', paths: filled.beoIds.map((id) => `/api/beos/${id}`), count }),
  },
  {
    title: 'an entry by its id',
    workload: ({ filled }, count) => ({
      kind: 'get',
      paths: filled.transactionIds.map((id) => `/api/transactions/${id}`),
      count,
    }),
  },
  {
    title: 'the head of the ledger',
    workload: (_, count) => ({ kind: 'get', paths: ['/api/ledger'], count: Math.ceil(count / 4) }),
  },
];

/** The time with many divided by the time with few, in each round. The first round is not counted. */
async function compare(
  session: Session,
  title: string,
  few: Population,
  many: Population,
  workload: (of: Population) => Workload,
): Promise<Figure> {
  const measured = (of: Population) => async () => {
    const measurement = await session.measure(of.server, { workload: workload(of) });
    await untilPosted(of.server.url);
    return measurement;
  };
  await measured(few)();
  await measured(many)();
  const rounds = await inPairedRounds(session, { title, reference: measured(few), server: measured(many) });
  return {
    name: `${title}: time with ${many.identities} / time with ${few.identities} identities`,
    unit: '×',
    rounds: slowdown(rounds),
    targets: AT_MOST,
  };
}

const slowdown = ({ reference, server }: PairedRounds): readonly number[] =>
  server.map(({ perSecond }, round) => (reference[round]?.perSecond ?? Number.NaN) / perSecond);

async function starts(session: Session, few: Population, many: Population): Promise<Figure> {
  const seconds = async (of: Population): Promise<number> => {
    await of.server.stop();
    of.server = await of.start();
    return of.server.startSeconds;
  };
  const rounds: number[] = [];
  for (let round = 1; round <= session.settings.rounds; round++) {
    const ofFew = await seconds(few);
    const ofMany = await seconds(many);
    session.log(`start, round ${round}: ${ofMany.toFixed(2)} s, reference ${ofFew.toFixed(2)} s`);
    rounds.push(ofMany / ofFew);
  }
  return {
    name: `start: time with ${many.identities} / time with ${few.identities} identities`,
    unit: '×',
    rounds,
    targets: AT_MOST,
  };
}
