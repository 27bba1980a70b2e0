import { untilPosted } from './api.ts';
import { prepareForCreate, prepareForRead, prepareForSubmit } from './bare/bare-database.ts';
import type { Figure, Target } from './figures.ts';
import { BATCH, pathOfDomain, type Workload } from './load/workloads.ts';
import { inPairedRounds, type Measure, rateFigures } from './paired-rounds.ts';
import { createHolders, createInstitutions, grantEach, type SeededConsent } from './parties.ts';
import type { ServerProcess } from './server-process.ts';
import type { Session } from './session.ts';

const HOLDERS = 200;
const SUBMITTING_HOLDERS = 20;
const INSTITUTIONS = 5;
const SCOPE = { intents: ['SUBMIT_RECORD'], categories: ['*'], max_records: null };
/** Many clients write consents at once; few institutions submit, and in batches. */
const [GRANTING, SUBMITTING] = [{ connections: 64 }, { connections: 8 }] as const;

/** The loads that the server is compared with, by name. */
export const LOADS = [
  'createBEO',
  'GET by domain',
  'GET by id',
  'grantConsent',
  `submitRecords, batches of ${BATCH}`,
  'checking a token',
] as const;
type LoadName = (typeof LOADS)[number];

/** Each measures one round. */
type Loads = Readonly<Record<LoadName, Measure>>;

/** Compares the loads whose names contain the text of --only, or all if none does. */
export async function compareLoads(
  session: Session,
  [reference, server]: readonly [Loads, Loads],
  targetsOf: (name: LoadName) => readonly Target[],
): Promise<Figure[]> {
  const selected = LOADS.filter((name) => name.includes(session.settings.only));
  const figures: Figure[] = [];
  for (const name of selected.length > 0 ? selected : LOADS) {
    const rounds = await inPairedRounds(session, name, { reference: reference[name], server: server[name] });
    figures.push(...rateFigures(name, rounds, targetsOf(name)));
  }
  return figures;
}

/** Creates what the loads need on a server. */
export async function loadsOfServer(session: Session, server: ServerProcess) {
  const { reads, warmUp, writes } = session.settings;
  const { url } = server;
  const holders = await createHolders(url, HOLDERS);
  const institutions = await createInstitutions(url, INSTITUTIONS);
  const consents = await grantEach(url, holders.slice(0, SUBMITTING_HOLDERS), institutions, SCOPE);
  const ieoIds = institutions.map(({ ieoId }) => ieoId);
  await session.measure(server, { workload: { kind: 'createBEO', from: 0, count: warmUp } });
  const get = (paths: readonly string[]) => () =>
    session.measure(server, { workload: { kind: 'get', paths, count: reads } });
  const write = (count: number, workload: (from: number) => Workload, load = {}) =>
    inTurn(count, async (from) => {
      const measurement = await session.measure(server, { workload: workload(from), ...load });
      await untilPosted(url);
      return measurement;
    });
  const batches = Math.ceil(writes / 50);
  const loads: Loads = {
    createBEO: write(writes, (from) => ({ kind: 'createBEO', from: warmUp + from, count: writes })),
    'GET by domain': () => session.measure(server, { workload: readByDomain(session) }),
    'GET by id': get(holders.map(({ beoId }) => `/api/beos/${beoId}`)),
    grantConsent: write(writes, (from) => ({ kind: 'grantConsent', holders, ieoIds, from, count: writes }), GRANTING),
    [LOADS[4]]: write(batches, (from) => ({ kind: 'submitRecords', consents, from, count: batches }), SUBMITTING),
    'checking a token': get(
      consents.map(({ tokenId }) => `/api/consent/${tokenId}?intent=SUBMIT_RECORD&category=BSP-CV`),
    ),
  };
  return { loads, consents };
}

/** The bare loop of each load: one for writes of an entry, one for reads of a row, one for records. */
export async function loadsOfBareLoops(session: Session, consents: readonly SeededConsent[]): Promise<Loads> {
  const { warmUp, writes } = session.settings;
  const creating = await session.startBareLoop('bare-create', prepareForCreate);
  const submitting = await session.startBareLoop('bare-submit', (url) => prepareForSubmit(url, consents));
  const reading = await session.startBareLoop('bare-read', (url) => prepareForRead(url, warmUp));
  let created = 0;
  const create =
    (load = {}) =>
    () => {
      created += writes;
      const workload = { kind: 'createBEO', from: created - writes, count: writes } as const;
      return session.measure(creating, { workload, ...load });
    };
  const read = () => session.measure(reading, { workload: readByDomain(session) });
  const batches = Math.ceil(writes / 50);
  return {
    createBEO: create(),
    'GET by domain': read,
    'GET by id': read,
    grantConsent: create(GRANTING),
    [LOADS[4]]: inTurn(batches, (from) => {
      const workload = { kind: 'submitRecords', consents, from, count: batches } as const;
      return session.measure(submitting, { workload, ...SUBMITTING });
    }),
    'checking a token': read,
  };
}

/** The identities of the warm-up, in an order that no cache smaller than their number helps. */
const readByDomain = ({ settings: { reads, warmUp } }: Session): Workload => ({
  ...{ kind: 'get', paths: Array.from({ length: warmUp }, (_, index) => pathOfDomain(index)), count: reads },
});

/** Each round has new requests. */
function inTurn(count: number, measure: (from: number) => ReturnType<Measure>): Measure {
  let from = 0;
  return () => {
    from += count;
    return measure(from - count);
  };
}
