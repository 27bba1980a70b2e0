import { peakMemory } from '../../process-table.ts';
import { untilPosted } from '../api.ts';
import type { Figure } from '../figures.ts';
import { filledBeoId, filledEntryId, fillIdentities } from '../fill.ts';
import { pathOfDomain, type Workload } from '../load/workloads.ts';
import { inPairedRounds } from '../paired-rounds.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Scenario, Session } from '../session.ts';

const MEGABYTE = 1e6;
const PATHS = 5_000;

/** A server whose database was filled. */
interface Population {
  readonly identities: number;
  server: ServerProcess;
  /** The number of the next identity that is created. */
  next: number;
}

const below = (atMost: number) => [{ of: 'value', atMost }] as const;

/** Reads, writes, the start and the memory of a server with few identities and of one with many, in alternating rounds. */
export const manyIdentities: Scenario = {
  name: 'many-identities',
  async run(session) {
    const { fewIdentities, identities, reads, rounds, writes } = session.settings;
    const few = await populate(session, fewIdentities);
    const many = await populate(session, identities);
    const title = (what: string) => `${what}: time with ${identities} / time with ${fewIdentities} identities`;

    const figures: Figure[] = [];
    for (const [name, workload] of Object.entries(WORKLOADS)) {
      const measured = (of: Population) => async () => {
        const measurement = await session.measure(of.server, { workload: workload(of, reads, writes) });
        await untilPosted(of.server.url);
        return measurement;
      };
      const { reference, server } = await inPairedRounds(session, name, {
        ...{ reference: measured(few), server: measured(many) },
      });
      const slowdown = server.map(({ perSecond }, round) => (reference[round]?.perSecond ?? Number.NaN) / perSecond);
      figures.push({ name: title(name), unit: '×', rounds: slowdown, targets: below(1.2) });
    }
    const megabytes = peakMemory(many.server.pid) / MEGABYTE;
    const starts: number[] = [];
    while (starts.length < rounds) {
      const [ofFew, ofMany] = [await restarted(session, few), await restarted(session, many)];
      starts.push(ofMany / ofFew);
    }
    for (const { server } of [few, many]) await server.stop();
    return [
      ...figures,
      { name: title('start'), unit: '×', rounds: starts, targets: below(1.2) },
      { name: `peak memory with ${identities} identities`, unit: 'MB', rounds: [megabytes], targets: below(300) },
    ];
  },
};

const nameOf = (identities: number): string => `with-${identities}-identities`;

async function populate(session: Session, identities: number): Promise<Population> {
  const first = await session.start(nameOf(identities));
  // The rows of this identity are what the others are copied from.
  await session.measure(first, { workload: { kind: 'createBEO', from: 0, count: 1 } });
  await untilPosted(first.url);
  await first.stop();
  await fillIdentities(first.dataDir, identities, session.log);
  return { identities, server: await session.start(nameOf(identities)), next: identities };
}

/** Spread over all identities, but for the first. */
const spread = (identities: number, pathOf: (i: number) => string): string[] =>
  Array.from({ length: PATHS }, (_, index) => pathOf(1 + Math.floor((index * (identities - 1)) / PATHS)));

const WORKLOADS: Readonly<Record<string, (of: Population, reads: number, writes: number) => Workload>> = {
  'an identity by its domain': ({ identities }, count) => ({
    ...{ kind: 'get', paths: spread(identities, pathOfDomain), count },
  }),
  'an identity by its id': ({ identities }, count) => ({
    ...{ kind: 'get', paths: spread(identities, (i) => `/api/beos/${filledBeoId(i)}`), count },
  }),
  'an entry by its id': ({ identities }, count) => ({
    ...{ kind: 'get', paths: spread(identities, (i) => `/api/transactions/${filledEntryId(i)}`), count },
  }),
  createBEO(of, _, count) {
    of.next += count;
    return { kind: 'createBEO', from: of.next - count, count };
  },
};

async function restarted(session: Session, of: Population): Promise<number> {
  await of.server.stop();
  of.server = await session.start(nameOf(of.identities));
  return of.server.startSeconds;
}
