import { runCommand } from '../command-run.ts';
import type { Figure, Target } from '../figures.ts';
import { makeFinal, untilPosted } from '../ledger-state.ts';
import { BATCH, type Workload } from '../load/workloads.ts';
import { inPairedRounds, pairedFigure, processorFigures } from '../paired-rounds.ts';
import { createHolders, createInstitutions, grantEach } from '../parties.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Measurement, Scenario, Session } from '../session.ts';

const HOLDERS = 200;
const SUBMITTING_HOLDERS = 20;
const INSTITUTIONS = 5;
const SCOPE = { intents: ['SUBMIT_RECORD'], categories: ['*'], max_records: null };
const TARGETS = [{ of: 'ratio', atLeast: 0.85 }] as const;

type Range = { readonly from: number; readonly count: number };

/** A load of this comparison, for one of the two servers. */
interface Load {
  readonly name: string;
  readonly connections: number;
  /** Requests of one round. */
  readonly count: number;
  readonly workload: (range: Range) => Workload;
}

const NAMES = {
  createBEO: 'createBEO',
  byDomain: 'GET by domain',
  byId: 'GET by id',
  grantConsent: 'grantConsent',
  submitRecords: `submitRecords, batches of ${BATCH}`,
  token: 'checking a token',
} as const;
const VERIFY = 'verify';

/** What `compareWith` measures. */
export const COMPARED: readonly string[] = [...Object.values(NAMES), VERIFY];

/** Runs the same loads on the server of another checkout and on the one under test, in alternating rounds. */
export const compareWith = (checkout: string): Scenario => ({
  name: `compare with ${checkout}`,
  async run(session) {
    const { only, writes, reads } = session.settings;
    const other = await session.startAnother('other-checkout', { checkout });
    const isSelected = (name: string) => name.includes(only);
    const figures = await compareLoads(session, other, { writes, reads, isSelected, targets: TARGETS });
    return isSelected(VERIFY) ? [...figures, await verify(session, other)] : figures;
  },
});

export interface Comparison {
  /** Requests of one round. */
  readonly writes: number;
  readonly reads: number;
  readonly isSelected: (name: string) => boolean;
  readonly targets: readonly Target[];
}

export async function compareLoads(session: Session, other: ServerProcess, comparison: Comparison): Promise<Figure[]> {
  const ofOther = await prepareLoads(session, other, comparison);
  const ofThis = await prepareLoads(session, session.server(), comparison);
  const figures: Figure[] = [];
  for (const [index, load] of ofThis.entries()) {
    const otherLoad = ofOther[index];
    if (!otherLoad || !comparison.isSelected(load.name)) continue;
    const [reference, server] = [measuring(session, other, otherLoad), measuring(session, session.server(), load)];
    // The first round is not counted.
    await reference();
    await server();
    const rounds = await inPairedRounds(session, { title: load.name, reference, server });
    figures.push(
      pairedFigure(rounds, load.name, '/s', ({ perSecond }) => perSecond, comparison.targets),
      ...processorFigures(rounds, load.name),
    );
  }
  return figures;
}

async function prepareLoads(
  { settings, measure }: Session,
  server: ServerProcess,
  { writes, reads }: Comparison,
): Promise<readonly Load[]> {
  const { connections, warmUp } = settings;
  const { url } = server;
  const holders = await createHolders(url, HOLDERS);
  const institutions = await createInstitutions(url, INSTITUTIONS);
  const consents = await grantEach(url, holders.slice(0, SUBMITTING_HOLDERS), institutions, SCOPE);
  const ieoIds = institutions.map(({ ieoId }) => ieoId);
  await measure(server, { workload: { kind: 'createBEO', from: 0, count: warmUp } });
  return [
    {
      name: NAMES.createBEO,
      connections,
      count: writes,
      workload: ({ from, count }) => ({ kind: 'createBEO', from: warmUp + from, count }),
    },
    {
      name: NAMES.byDomain,
      connections,
      count: reads,
      workload: ({ count }) => ({ kind: 'readByDomain', population: warmUp, count }),
    },
    {
      name: NAMES.byId,
      connections,
      count: reads,
      workload: ({ count }) => ({ kind: 'get', paths: holders.map(({ beoId }) => `/api/beos/${beoId}`), count }),
    },
    {
      name: NAMES.grantConsent,
      connections: 64,
      count: writes,
      workload: (range) => ({ kind: 'grantConsent', holders, ieoIds, ...range }),
    },
    {
      name: NAMES.submitRecords,
      connections: 8,
      count: Math.ceil(writes / 50),
      workload: (range) => ({ kind: 'submitRecords', consents, ...range }),
    },
    {
      name: NAMES.token,
      connections,
      count: reads,
      workload: ({ count }) => ({
        kind: 'get',
        paths: consents.map(({ tokenId }) => `/api/consent/${tokenId}?intent=SUBMIT_RECORD&category=BSP-CV`),
        count,
      }),
    },
  ];
}

/** Measures one round after the other, each with new requests. */
function measuring(session: Session, server: ServerProcess, load: Load): () => Promise<Measurement> {
  const { connections, count, workload } = load;
  let from = 0;
  return async () => {
    const measurement = await session.measure(server, { connections, workload: workload({ from, count }) });
    from += count;
    await untilPosted(server.url);
    return measurement;
  };
}

/** `npm run verify` of each checkout on its own server's ledger. */
async function verify(session: Session, other: ServerProcess): Promise<Figure> {
  const rate = async (server: ServerProcess): Promise<number> => {
    const { head } = await makeFinal(server.url);
    const { seconds } = await runCommand(server, 'verify', { signal: session.interrupted });
    return head.seq / seconds;
  };
  const rounds: number[] = [];
  const reference: number[] = [];
  for (let round = 1; round <= session.settings.rounds; round++) {
    reference.push(await rate(other));
    rounds.push(await rate(session.server()));
    session.log(
      `verify, round ${round}: ${rounds.at(-1)?.toFixed(0)} entries/s, reference ${reference.at(-1)?.toFixed(0)}`,
    );
  }
  return { name: 'verify', unit: 'entries/s', rounds, reference, targets: TARGETS };
}
