import type { Figure } from '../figures.ts';
import { untilPosted } from '../ledger-state.ts';
import type { Workload } from '../load/workloads.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Scenario, Session } from '../session.ts';

const PROCESSES = [1, 2, 4] as const;
const CONNECTIONS = [16, 64] as const;
/** Rounds are short, so that a change in the machine's pace affects all servers. */
const PARTS_OF_A_ROUND = 5;

/** createBEO and GET by domain on services of one, two and four processes, in alternating rounds. */
export const processes: Scenario = {
  name: 'processes',
  async run(session) {
    const { warmUp, writes, reads } = session.settings;
    const services: Service[] = [];
    for (const count of PROCESSES) services.push(await startService(session, count));
    const figures: Figure[] = [];
    for (const connections of CONNECTIONS) {
      const measured = await inTurn(session, services, `createBEO, ${connections} connections`, async (service) => {
        const count = Math.ceil(writes / PARTS_OF_A_ROUND);
        const { perSecond } = await session.measure(service.server, {
          connections,
          workload: service.creations(count),
        });
        await untilPosted(service.server.url);
        return perSecond;
      });
      figures.push(...measured);
    }
    const title = `GET by domain, ${CONNECTIONS[1]} connections`;
    const workload = {
      kind: 'readByDomain',
      population: warmUp,
      count: Math.ceil(reads / PARTS_OF_A_ROUND),
    } as const;
    figures.push(
      ...(await inTurn(session, services, title, async ({ server }) => {
        const { perSecond } = await session.measure(server, { connections: CONNECTIONS[1], workload });
        return perSecond;
      })),
    );
    for (const { server } of services) await server.stop();
    return figures;
  },
};

export interface Service {
  readonly processes: number;
  readonly server: ServerProcess;
  /** Creations of identities that the service does not have yet. */
  creations(count: number): Workload;
}

/** Starts a service of that many processes and warms each of them up. */
export async function startService(
  session: Session,
  processes: number,
  { name = '', settings = {} }: { name?: string; settings?: Readonly<Record<string, string>> } = {},
): Promise<Service> {
  const server = await session.startAnother(`${name}${processes}-processes`, {
    settings: { ...settings, PROCESSES: String(processes) },
  });
  let from = 0;
  const service: Service = {
    processes,
    server,
    creations(count) {
      const workload = { kind: 'createBEO', from, count } as const;
      from += count;
      return workload;
    },
  };
  for (let times = 0; times < 2; times++) {
    await session.measure(server, { workload: service.creations(session.settings.warmUp / 2) });
  }
  await untilPosted(server.url);
  return service;
}

/** Measures each service once a round. The figures of the others are compared with the first. */
export async function inTurn(
  session: Session,
  services: readonly Service[],
  title: string,
  measure: (service: Service) => Promise<number>,
  unit = '/s',
): Promise<Figure[]> {
  const rounds = services.map((): number[] => []);
  for (let round = 1; round <= session.settings.rounds; round++) {
    for (const [index, service] of services.entries()) rounds[index]?.push(await measure(service));
    session.log(`${title}, round ${round}: ${rounds.map((values) => values.at(-1)?.toFixed(0)).join(', ')}`);
  }
  return services.map(({ processes }, index) => ({
    name: `${title}, ${processes} ${processes === 1 ? 'process' : 'processes'}`,
    unit,
    rounds: rounds[index] ?? [],
    ...(index > 0 && { reference: rounds[0] ?? [] }),
    ...(processes === 2 && { targets: [{ of: 'ratio', atLeast: 0.9 }] as const }),
  }));
}
