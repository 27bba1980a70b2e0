import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyOperation, OPERATIONS } from '../../protocol/operations.ts';
import { exchangeOf, measurements } from '../../server/features/records/test-exchange.ts';
import { creation } from '../../server/testing/test-load.ts';
import type { TestService } from '../../server/testing/test-service.ts';
import { requestsByOperation, type ValidRequest } from '../faults/test-kinds.ts';
import type { Deployment } from './deployment.ts';
import { type Client, NoAnswer, TIME_CODES } from './operations.ts';
import type { Random } from './random.ts';

/** Records that a round submitted, and who may export them. */
export interface Exchange {
  /** Exports them. @returns their values, or null without a response; throws if the export is refused */
  exported(): Promise<readonly number[] | null>;
  readonly values: readonly number[];
}

const WRITERS = 4;
const WAIT_AFTER_LOSS_MS = 100;
const PAUSE_MS = 15;
const RECORDS = 8;

/** A request for each of these operations: by default all of the table, so that a new operation cannot be forgotten. */
export async function prepareEveryOperation(
  { patientApi }: Client,
  operations: readonly AnyOperation[] = OPERATIONS,
): Promise<readonly ValidRequest[]> {
  const requests = requestsByOperation(patientApi);
  return Promise.all(
    operations.map(({ name }) => {
      const prepare = requests[name];
      if (!prepare) throw new Error(`The load has no request for the operation ${name}; add it to test-kinds.ts.`);
      return prepare();
    }),
  );
}

/** Sends prepared requests at random moments within a time; each third one twice at once, to two processes. */
export async function sendSpread(
  { api, sent, repeat }: Client,
  requests: readonly ValidRequest[],
  withinMs: number,
  random: Random,
): Promise<void> {
  const plan = random
    .shuffled(requests)
    .map((request, index) => ({ request, at: random.whole(0, withinMs), twice: index % 3 === 0 }));
  await Promise.all(
    plan.map(async ({ request: { method, path, body, headers }, at, twice }) => {
      await sleep(at);
      const init = { method, body: JSON.stringify(body), ...(headers ? { headers } : {}) };
      const before = sent.length;
      const answered = api.request(path, init).catch(ignoreLoss);
      const operation = sent[before];
      await Promise.all([answered, twice && operation ? repeat(operation) : null]);
    }),
  );
}

/**
 * Creates identities until `isOver`, and reads each at another process: what was acknowledged must be readable. Every
 * fifth request is sent again at once.
 */
export async function writeUntil(isOver: () => boolean, client: Client, random: Random): Promise<void> {
  const { api, sent, oddities } = client;
  const writer = async () => {
    while (!isOver()) {
      const before = sent.length;
      const answer = await api.post('/api/relayer/beo', creation()).catch(ignoreLoss);
      const operation = sent[before];
      if (operation && random.chance(0.2)) await client.repeat(operation);
      if (answer?.status === 201) {
        const path = `/api/beos/${answer.body.beo_id}`;
        const read = await api.get(path).catch(ignoreLoss);
        if (read && read.status < 500 && read.status !== 200) {
          oddities.push({ kind: 'not read', text: `GET ${path} after 201: ${read.status}` });
        }
      }
      await sleep(answer ? PAUSE_MS : WAIT_AFTER_LOSS_MS);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

/** Submits records of values that occur nowhere else, and prepares their export. */
export async function submitRecords(client: Client, random: Random): Promise<Exchange> {
  // Of the service, an exchange uses only its API.
  const exchange = exchangeOf(client.patientApi as TestService);
  const consent = await exchange.newConsent();
  const values = Array.from({ length: RECORDS }, () => 7_000_000_000 + random.whole(0, 999_999_999));
  await exchange.submitted(
    consent,
    measurements(RECORDS, (index) => ({ value: values[index] ?? 0 })),
  );
  return {
    values,
    async exported() {
      const answer = await exchange.exportAs(consent, 'JSON').catch(ignoreLoss);
      if (!answer || answer.status >= 500 || TIME_CODES.includes(answer.body.code)) return null;
      if (answer.status !== 200)
        throw new Error(`The export was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
      const { records } = JSON.parse(answer.body.data) as { records: { value: string | number }[] };
      return records.map(({ value }) => Number(value));
    },
  };
}

/** Exports again and again until `isOver`. An export that succeeds has every record once. */
export async function exportUntil(isOver: () => boolean, client: Client, exchange: Exchange): Promise<number> {
  let complete = 0;
  while (!isOver()) {
    const values = await exchange.exported();
    if (values && !isSame(values, exchange.values)) {
      client.oddities.push({
        kind: 'not read',
        text: `an export has ${values.length} of ${exchange.values.length} records`,
      });
    }
    if (values) complete += 1;
    await sleep(PAUSE_MS * 4);
  }
  return complete;
}

export const isSame = (some: readonly number[], others: readonly number[]): boolean =>
  [...some].sort().join() === [...others].sort().join();

/** What one address was allowed in a round. */
export interface Probe {
  allowed: number;
  refused: number;
  failed: number;
}

/** Sends invalid operations from one address to every process until `isOver`, and counts which the limit allowed. */
export async function probeLimit(
  isOver: () => boolean,
  deployment: Deployment,
  address: string,
  random: Random,
): Promise<Probe> {
  const probe: Probe = { allowed: 0, refused: 0, failed: 0 };
  while (!isOver()) {
    const { url } = random.pick(deployment.processes);
    const status = await fetch(`${url}/api/relayer/beo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: '{}',
      signal: AbortSignal.timeout(5_000),
    }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 429) probe.refused += 1;
    else if (status === 400 || status === 422) probe.allowed += 1;
    else probe.failed += 1;
    await sleep(PAUSE_MS);
  }
  return probe;
}

/** A lost connection is expected. */
function ignoreLoss(error: unknown): null {
  if (error instanceof NoAnswer || error instanceof TypeError) return null;
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return null;
  throw error;
}
