import { fetchFrom } from '../api.ts';
import type { Figure } from '../figures.ts';
import { untilPosted } from '../ledger-state.ts';
import type { DistantDatabase } from '../load/distant-database.worker.ts';
import type { Scenario } from '../session.ts';
import { startWorker } from '../worker-process.ts';
import { inTurn, type Service, startService } from './processes.scenario.ts';

const PROCESSES = [1, 2, 4] as const;
/** Enough that operations always wait for the head. */
const CONNECTIONS = 256;
const PARTS_OF_A_ROUND = 5;

/** createBEO on services of one, two and four processes whose database is about a millisecond away. */
export const distantDatabase: Scenario = {
  name: 'distant-database',
  async run(session) {
    const services: Service[] = [];
    const proxies: { stop(): Promise<void> }[] = [];
    const roundTrips: number[] = [];
    for (const count of PROCESSES) {
      const proxy = startWorker('distant-database', await session.createDatabase());
      proxies.push(proxy);
      const { url, roundTripMs } = await proxy.receive<DistantDatabase>();
      roundTrips.push(roundTripMs);
      services.push(
        await startService(session, count, {
          name: 'distant-',
          settings: { DATABASE_URL: url, METRICS_PUBLIC: 'true' },
        }),
      );
    }
    const perBatch = services.map((): number[] => []);
    const rates = await inTurn(session, services, 'createBEO, distant database', async (service) => {
      const before = await readBatches(service.server.url);
      const { perSecond } = await session.measure(service.server, {
        connections: CONNECTIONS,
        workload: service.creations(Math.ceil(session.settings.writes / PARTS_OF_A_ROUND)),
      });
      const after = await readBatches(service.server.url);
      perBatch[services.indexOf(service)]?.push(
        (after.operations - before.operations) / (after.batches - before.batches),
      );
      await untilPosted(service.server.url);
      return perSecond;
    });
    for (const { server } of services) await server.stop();
    for (const { stop } of proxies) await stop();
    const sizes = services.map(
      ({ processes }, index): Figure => ({
        name: `operations of a batch, ${processes} ${processes === 1 ? 'process' : 'processes'}`,
        unit: '',
        rounds: perBatch[index] ?? [],
      }),
    );
    return [{ name: 'round trip to the database, without load', unit: 'ms', rounds: roundTrips }, ...rates, ...sizes];
  },
};

interface Batches {
  readonly batches: number;
  readonly operations: number;
}

async function readBatches(url: string): Promise<Batches> {
  const text = await (await fetchFrom(`${url}/metrics`)).text();
  const metric = (name: string) =>
    Number(new RegExp(`^perpetua_batch_operations_${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return { batches: metric('count'), operations: metric('sum') };
}
