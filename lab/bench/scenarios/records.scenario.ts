import { z } from 'zod';
import { EXPORT_FORMATS } from '../../../protocol/signing/exchange-requests.ts';
import { signedBody, signingKeyOf } from '../../../server/platform/crypto/signed-request.ts';
import { getJson } from '../api.ts';
import { prepareForSubmit } from '../bare/bare-database.ts';
import { type Download, download } from '../download.ts';
import type { Figure } from '../figures.ts';
import { untilPosted } from '../ledger-state.ts';
import { BATCH, readPath, type SeededConsent } from '../load/workloads.ts';
import { inPairedRounds, pairedFigure, processorFigures } from '../paired-rounds.ts';
import { createHolders, createInstitutions, grantEach } from '../parties.ts';
import { peakMemoryDuring } from '../process-usage.ts';
import type { LoadTarget, Measurement, Scenario, Session } from '../session.ts';

/** Few institutions submit at once, and in batches. */
const CONNECTIONS = 8;
const HOLDERS = 20;
const INSTITUTIONS = 5;
const FEW_RECORDS = 1_000;
const MANY_RECORDS = 100_000;
/** Batches that are prepared at once, to bound the memory of the load generator. */
const MAX_PREPARED = 250;
const MEGABYTE = 1e6;

const SCOPE = {
  intents: ['SUBMIT_RECORD', 'READ_RECORDS', 'EXPORT_DATA'],
  categories: ['*'],
  max_records: null,
};

/** Submitting records, with a bare loop; reading a page of a holder with few and with many; exporting many. */
export const records: Scenario = {
  name: 'records',
  async run(session) {
    const { url } = session.server();
    const total = session.settings.quick ? MANY_RECORDS / 10 : MANY_RECORDS;
    const institutions = await createInstitutions(url, INSTITUTIONS);
    const consentsFor = async (holders: number) =>
      grantEach(url, await createHolders(url, holders), institutions, SCOPE);
    const submitting = await submit(session, await consentsFor(HOLDERS));
    const [ofFew, ofMany] = [await consentsFor(1), await consentsFor(1)];
    const few = await fill(session, ofFew, FEW_RECORDS);
    const many = await fill(session, ofMany, total);
    return [
      ...submitting,
      ...(await readPages(session, { few, many }, total)),
      ...(await exportAll(session, many, total)),
    ];
  },
};

const batches = (consents: readonly SeededConsent[], from: number, count: number) =>
  ({ kind: 'submitRecords', consents, from, count }) as const;

async function submit(session: Session, consents: readonly SeededConsent[]): Promise<Figure[]> {
  const { writes, warmUp } = session.settings;
  const bareLoop = await session.startBareLoop('bare-submit', (database) => prepareForSubmit(database, consents));
  const submitTo = (target: LoadTarget) => {
    let sent = 0;
    return (count: number): Promise<Measurement> => {
      const workload = batches(consents, sent, count);
      sent += count;
      return session.measure(target, { workload, connections: CONNECTIONS });
    };
  };
  const [toBareLoop, toServer] = [submitTo(bareLoop), submitTo(session.server())];
  await toBareLoop(Math.ceil(warmUp / BATCH));
  await toServer(Math.ceil(warmUp / BATCH));
  const count = Math.ceil(writes / 50);
  const title = `submitRecords, batches of ${BATCH}, ${CONNECTIONS} connections`;
  const rounds = await inPairedRounds(session, {
    title,
    reference: () => toBareLoop(count),
    server: async () => {
      const measurement = await toServer(count);
      await untilPosted(session.server().url);
      return measurement;
    },
  });
  await bareLoop.stop();
  const targets = [
    { of: 'value', atLeast: 6_000 },
    { of: 'ratio', atLeast: 0.5 },
  ] as const;
  return [
    pairedFigure(rounds, title, 'records/s', ({ perSecond }) => perSecond * BATCH, targets),
    pairedFigure(rounds, `${title}: p99 of a batch`, 'ms', ({ latencies }) => latencies.p99),
    ...processorFigures(rounds, `${title}: a batch`),
  ];
}

const pageShape = z.object({ records: z.array(z.unknown()), total: z.number() });

/** Submits records of one holder and checks their number. Returns one of the consents. */
async function fill(session: Session, consents: readonly SeededConsent[], total: number): Promise<SeededConsent> {
  const { url } = session.server();
  const count = total / BATCH;
  for (let from = 0; from < count; from += MAX_PREPARED) {
    const workload = batches(consents, from, Math.min(MAX_PREPARED, count - from));
    await session.measure(session.server(), { workload, connections: CONNECTIONS });
    await untilPosted(url);
  }
  const [consent] = consents;
  if (!consent) throw new Error('There is no consent to read with.');
  const page = await getJson(url + readPath(consent, `limit=${BATCH}`), pageShape);
  if (page.total !== total || page.records.length !== BATCH) {
    throw new Error(`A page has ${page.records.length} of ${page.total} records instead of ${BATCH} of ${total}.`);
  }
  return consent;
}

/** One of each kind of filter. */
const FILTERS = [
  'categories=BSP-HM',
  'biomarkers=BSP-LP-001,BSP-LP-003',
  'levels=DEVICE',
  'from=2024-01-01T00:00:00Z&to=2024-12-31T23:59:59Z',
];

/** Median milliseconds of a page, one request after the other. */
async function readPages(
  session: Session,
  consents: { readonly few: SeededConsent; readonly many: SeededConsent },
  total: number,
): Promise<Figure[]> {
  const { reads, rounds } = session.settings;
  const count = Math.ceil(reads / 80);
  const few: Measurement[] = [];
  const many: Measurement[] = [];
  const filtered: Measurement[] = [];
  const read = (consent: SeededConsent, filters: readonly string[] = ['']) => {
    const limited = filters.map((filter) => `limit=${BATCH}${filter && '&'}${filter}`);
    const workload = { kind: 'readRecords', consent, filters: limited, count } as const;
    return session.measure(session.server(), { workload, connections: 1 });
  };
  await read(consents.few);
  await read(consents.many);
  for (let round = 1; round <= rounds; round++) {
    few.push(await read(consents.few));
    many.push(await read(consents.many));
    filtered.push(await read(consents.many, FILTERS));
    const [ofFew, ofMany] = [few, many].map((measurements) => measurements.at(-1)?.latencies.p50.toFixed(1));
    session.log(`reading ${BATCH} records, round ${round}: ${ofMany} ms of ${total}, ${ofFew} ms of ${FEW_RECORDS}`);
  }
  const medians = (measurements: readonly Measurement[]) => measurements.map(({ latencies }) => latencies.p50);
  const name = (of: number) => `reading ${BATCH} of ${of} records, one connection`;
  return [
    { name: `${name(FEW_RECORDS)}: median`, unit: 'ms', rounds: medians(few) },
    { name: `${name(total)}: median`, unit: 'ms', rounds: medians(many), targets: [{ of: 'value', atMost: 15 }] },
    { name: `${name(total)}: p99`, unit: 'ms', rounds: many.map(({ latencies }) => latencies.p99) },
    { name: `${name(total)}, filtered: median`, unit: 'ms', rounds: medians(filtered) },
    {
      name: `reading ${BATCH} records: time with ${total} / time with ${FEW_RECORDS}`,
      unit: '×',
      rounds: medians(many).map((value, round) => value / (medians(few)[round] ?? Number.NaN)),
      targets: [{ of: 'value', atMost: 1.2 }],
    },
  ];
}

interface Export extends Download {
  readonly peakBytes: number;
}

/** Exports all records in each format. The memory is that of the whole server process. */
async function exportAll(session: Session, consent: SeededConsent, total: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const format of EXPORT_FORMATS) {
    const exports: Export[] = [];
    for (let round = 1; round <= session.settings.rounds; round++) {
      exports.push(await exportOnce(session, consent, format, total));
    }
    const name = `export of ${total} records, ${format}`;
    figures.push(
      {
        name: `${name}: first byte`,
        unit: 'ms',
        rounds: exports.map(({ firstByteMs }) => firstByteMs),
        targets: [{ of: 'value', atMost: 300 }],
      },
      {
        name: `${name}: peak resident memory`,
        unit: 'MB',
        rounds: exports.map(({ peakBytes }) => peakBytes / MEGABYTE),
        targets: [{ of: 'value', atMost: 400 }],
      },
      {
        name: `${name}: rate`,
        unit: 'MB/s',
        rounds: exports.map(({ bytes, seconds }) => bytes / seconds / MEGABYTE),
      },
    );
  }
  return figures;
}

async function exportOnce(session: Session, consent: SeededConsent, format: string, total: number): Promise<Export> {
  const { pid, url } = session.server();
  const fields = { targetBeo: consent.beoId, consentToken: consent.tokenId, format };
  const body = signedBody('sovereignExport', fields, signingKeyOf(consent.seed).privateKey);
  const { result, peakBytes } = await peakMemoryDuring(
    pid,
    download(`${url}/api/exchange/export`, body, session.interrupted),
  );
  const { firstByteMs, seconds, bytes, beginning, end } = result;
  if (!beginning.includes(`"record_count":${total},`) || !end.endsWith('"}')) {
    throw new Error(`The export in ${format} does not contain ${total} records: ${beginning} … ${end}`);
  }
  const megabytes = (value: number) => (value / MEGABYTE).toFixed(0);
  session.log(
    `export in ${format}: ${megabytes(bytes)} MB in ${seconds.toFixed(1)} s, first byte after ${firstByteMs.toFixed(0)} ms, ` +
      `peak memory ${megabytes(peakBytes)} MB`,
  );
  return { ...result, peakBytes };
}
