import { z } from 'zod';
import { EXPORT_FORMATS } from '../../protocol/signing/exchange-requests.ts';
import { signedBody, signingKeyOf } from '../../server/crypto/signed-request.ts';
import { prepareForSubmit } from '../bare/bare-database.ts';
import { download } from '../download.ts';
import type { Figure } from '../figures.ts';
import { untilPosted } from '../ledger-facts.ts';
import { BATCH, readPath, type SeededConsent } from '../load/workloads.ts';
import { mostMemoryWhile } from '../memory-watch.ts';
import { inPairedRounds, pairedFigure, processorFigures } from '../paired-rounds.ts';
import { createHolders, createInstitutions, grantEach } from '../parties.ts';
import type { Scenario } from '../scenario.ts';
import type { LoadTarget, Measured, Session } from '../session.ts';

/** Of the submissions: laboratories send batches, and few of them at once. */
const CONNECTIONS = 8;
const HOLDERS = 20;
const INSTITUTIONS = 5;
const FEW_RECORDS = 1_000;
const MANY_RECORDS = 100_000;
/** Batches that are prepared, signed, before they are sent. */
const SLICE = 250;
const MAX_POSTING_SECONDS = 120;
const MEGABYTE = 1e6;

const SCOPE = {
  intents: ['SUBMIT_RECORD', 'READ_RECORDS', 'EXPORT_DATA'],
  categories: ['*'],
  max_records: null,
};

/** Submitting health records beside a bare loop, reading a page of few and of many, and taking all of them away. */
export const exchange: Scenario = {
  name: 'exchange',
  async run(session) {
    const { url } = session.server();
    const many = session.settings.quick ? MANY_RECORDS / 10 : MANY_RECORDS;
    const institutions = await createInstitutions(url, INSTITUTIONS);
    const consentsOf = async (count: number) => grantEach(url, await createHolders(url, count), institutions, SCOPE);
    const figures = await submit(session, await consentsOf(HOLDERS));
    const [ofFew, ofMany] = [await consentsOf(1), await consentsOf(1)];
    await fill(session, ofFew, FEW_RECORDS);
    await fill(session, ofMany, many);
    const readers = {
      few: await held(session, ofFew, FEW_RECORDS),
      many: await held(session, ofMany, many),
    };
    return [...figures, ...(await read(session, readers, many)), ...(await takeAway(session, ofMany, many))];
  },
};

const batches = (consents: readonly SeededConsent[], from: number, count: number) =>
  ({ kind: 'submitRecords', consents, from, count }) as const;

async function submit(session: Session, consents: readonly SeededConsent[]): Promise<Figure[]> {
  const { writes, warmUp } = session.settings;
  const loop = await session.startBare('bare-submit', (database) => prepareForSubmit(database, consents));
  const send = (target: LoadTarget) => {
    let sent = 0;
    return async (count: number): Promise<Measured> => {
      const workload = batches(consents, sent, count);
      sent += count;
      return session.measure(target, { workload, connections: CONNECTIONS });
    };
  };
  const [toLoop, toServer] = [send(loop), send(session.server())];
  await toLoop(Math.ceil(warmUp / BATCH));
  await toServer(Math.ceil(warmUp / BATCH));
  const count = Math.ceil(writes / 50);
  const name = `submitting records, ${BATCH} at once, ${CONNECTIONS} connections`;
  const rounds = await inPairedRounds(session, `${name}, in batches`, {
    bare: () => toLoop(count),
    served: async () => {
      const measured = await toServer(count);
      await untilPosted(session.server().url, MAX_POSTING_SECONDS);
      return measured;
    },
  });
  await loop.stop();
  const targets = [
    { of: 'value', atLeast: 6_000 },
    { of: 'ratio', atLeast: 0.5 },
  ] as const;
  return [
    pairedFigure(rounds, name, 'records/s', ({ perSecond }) => perSecond * BATCH, targets),
    pairedFigure(rounds, `${name}: p99 of a batch`, 'ms', ({ latencies }) => latencies.p99),
    ...processorFigures(rounds, `${name}: a batch`),
  ];
}

async function fill(session: Session, consents: readonly SeededConsent[], records: number): Promise<void> {
  const all = records / BATCH;
  for (let from = 0; from < all; from += SLICE) {
    const workload = batches(consents, from, Math.min(SLICE, all - from));
    await session.measure(session.server(), { workload, connections: CONNECTIONS });
    await untilPosted(session.server().url, MAX_POSTING_SECONDS);
  }
}

const pageShape = z.object({ records: z.array(z.unknown()), total: z.number() });

/** One of the consents, after a look at whether it shows what was submitted. @throws {Error} where it does not. */
async function held(session: Session, [consent]: readonly SeededConsent[], expected: number): Promise<SeededConsent> {
  if (!consent) throw new Error('There is no consent to read with.');
  const answer = await fetch(`${session.server().url}${readPath(consent, `limit=${BATCH}`)}`);
  const { records, total } = pageShape.parse(await answer.json());
  if (total !== expected || records.length !== BATCH) {
    throw new Error(`There should be ${expected} records; a page has ${records.length} of ${total}.`);
  }
  return consent;
}

/** Pages that a client looks for, beside the newest of all. */
const FILTERS = [
  'categories=BSP-HM',
  'biomarkers=BSP-LP-001,BSP-LP-003',
  'levels=DEVICE',
  'from=2024-01-01T00:00:00Z&to=2024-12-31T23:59:59Z',
];

/** Milliseconds at the median, one request after the other. */
async function read(
  session: Session,
  readers: { readonly few: SeededConsent; readonly many: SeededConsent },
  total: number,
): Promise<Figure[]> {
  const { reads, rounds } = session.settings;
  const count = Math.ceil(reads / 80);
  const few: Measured[] = [];
  const many: Measured[] = [];
  const filtered: Measured[] = [];
  const page = (consent: SeededConsent, filters: readonly string[] = ['']) => {
    const limited = filters.map((filter) => `limit=${BATCH}${filter && '&'}${filter}`);
    const workload = { kind: 'readRecords', consent, filters: limited, count } as const;
    return session.measure(session.server(), { workload, connections: 1 });
  };
  for (const consent of [readers.few, readers.many]) await page(consent);
  for (let round = 1; round <= rounds; round++) {
    few.push(await page(readers.few));
    many.push(await page(readers.many));
    filtered.push(await page(readers.many, FILTERS));
    const [one, other] = [few, many].map((measured) => measured.at(-1)?.latencies.p50.toFixed(1));
    session.say(`reading ${BATCH} records, round ${round}: ${other} ms of many, ${one} ms of few`);
  }
  const median = (measured: readonly Measured[]) => measured.map(({ latencies }) => latencies.p50);
  const name = (of: number) => `reading ${BATCH} of ${of} records, one connection`;
  return [
    { name: `${name(FEW_RECORDS)}: median`, unit: 'ms', rounds: median(few) },
    { name: `${name(total)}: median`, unit: 'ms', rounds: median(many), targets: [{ of: 'value', atMost: 15 }] },
    { name: `${name(total)}: p99`, unit: 'ms', rounds: many.map(({ latencies }) => latencies.p99) },
    { name: `${name(total)}, under filters: median`, unit: 'ms', rounds: median(filtered) },
    {
      name: `reading ${BATCH} records: time with ${total} to time with ${FEW_RECORDS}`,
      unit: '×',
      rounds: median(many).map((value, round) => value / (median(few)[round] ?? Number.NaN)),
      targets: [{ of: 'value', atMost: 1.2 }],
    },
  ];
}

interface Taken {
  readonly firstByteMs: number;
  readonly perSecond: number;
  readonly most: number;
}

/** All records in each format, by the institution that may; the memory is the whole server's, whatever it did before. */
async function takeAway(session: Session, consents: readonly SeededConsent[], records: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const format of EXPORT_FORMATS) {
    const taken: Taken[] = [];
    for (let round = 1; round <= session.settings.rounds; round++) {
      taken.push(await takeOnce(session, consents[round % consents.length], format, records));
    }
    const name = `export of ${records} records, ${format}`;
    const values = (value: (one: Taken) => number) => taken.map(value);
    figures.push(
      {
        name: `${name}: first byte`,
        unit: 'ms',
        rounds: values(({ firstByteMs }) => firstByteMs),
        targets: [{ of: 'value', atMost: 300 }],
      },
      {
        name: `${name}: most resident memory`,
        unit: 'MB',
        rounds: values(({ most }) => most / MEGABYTE),
        targets: [{ of: 'value', atMost: 400 }],
      },
      { name: `${name}: rate`, unit: 'MB/s', rounds: values(({ perSecond }) => perSecond / MEGABYTE) },
    );
  }
  return figures;
}

async function takeOnce(
  session: Session,
  consent: SeededConsent | undefined,
  format: string,
  records: number,
): Promise<Taken> {
  if (!consent) throw new Error('There is no consent to export with.');
  const { pid, url } = session.server();
  const fields = { targetBeo: consent.beoId, consentToken: consent.tokenId, format };
  const body = signedBody('sovereignExport', fields, signingKeyOf(consent.seed).privateKey);
  const { result, before, most } = await mostMemoryWhile(pid, () =>
    download(`${url}/api/exchange/export`, body, session.stopping),
  );
  const { firstByteMs, seconds, bytes, beginning, end } = result;
  if (!beginning.includes(`"record_count":${records},`) || !end.endsWith('"}')) {
    throw new Error(`The export in ${format} is not of ${records} records: ${beginning} … ${end}`);
  }
  const megabytes = (value: number) => (value / MEGABYTE).toFixed(0);
  session.say(
    `export in ${format}: ${megabytes(bytes)} MB in ${seconds.toFixed(1)} s, the first byte after ${firstByteMs.toFixed(0)} ms; ` +
      `memory ${megabytes(before)} MB before, ${megabytes(most)} MB at most`,
  );
  return { firstByteMs, perSecond: bytes / seconds, most };
}
