import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Ieo } from '../../client/types.ts';
import { uuidV5 } from '../../protocol/ids.ts';
import { shareBundle } from '../../protocol/records/fhir/write/share-bundle.ts';
import { EXPORTED_AT, exportedRecord, HOLDER } from '../../protocol/records/test-exported-record.ts';
import { certifiedFor, checkProofs, MAX_ENTRIES, MAX_MISSING } from './check-proofs.ts';
import { readContents } from './contents.ts';
import { firstVerdict, type Verdict } from './verdict.ts';

/** Records of an entry each. */
async function recordsOf(count: number) {
  const records = Array.from({ length: count }, (_, index) =>
    exportedRecord({ value: index }, { arweave_tx: String(index).padStart(43, 'A') }),
  );
  const bundle = { id: uuidV5('test:share'), at: EXPORTED_AT, holder: HOLDER, records };
  const contents = await readContents([{ contentType: 'application/fhir+json', content: shareBundle(bundle, null) }]);
  return contents.records;
}

let stop = () => {};
const any = Object.getOwnPropertyDescriptor(AbortSignal, 'any') ?? {};
afterEach(() => {
  stop();
  Object.defineProperty(AbortSignal, 'any', any);
});

/** A service that answers requests for entries with `answer`; it never answers without one. */
async function serviceWith(answer: { status: number; body: object } | null) {
  const asked: string[] = [];
  let onAsked = (_count: number) => {};
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/api/transactions/')) onAsked(asked.push(url));
    const { status, body } = url === '/api/ledger' ? UNKNOWN : (answer ?? {});
    if (status) response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () => {
    server.close();
    server.closeAllConnections();
  };
  const ledger = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ledgerId: 'L'.repeat(43) };
  const whenAsked = (count: number) =>
    new Promise<void>((resolve) => {
      onAsked = (now) => now === count && resolve();
    });
  return { ledger, asked, whenAsked };
}
const UNKNOWN = { status: 404, body: { error: 'There is none.', code: 'NOT_FOUND', request_id: 'r' } };
const NO_ENTRY = { status: 200, body: { transaction: { item: 'AAAA' } } };

async function verdictsFrom(answer: Parameters<typeof serviceWith>[0], count: number) {
  const { ledger, asked } = await serviceWith(answer);
  const records = await recordsOf(count);
  const verdicts = records.map(firstVerdict);
  const { signal } = new AbortController();
  const onVerdict = (index: number, verdict: Verdict) => {
    verdicts[index] = verdict;
  };
  await checkProofs(records, verdicts, { ledger, signal, onVerdict });
  const countOf = (state: Verdict['state']) => verdicts.filter((verdict) => verdict.state === state).length;
  return { countOf, requests: new Set(asked).size };
}

test('a share with more entries than the limit has the rest left unchecked, without a request', async () => {
  const { countOf, requests } = await verdictsFrom(NO_ENTRY, MAX_ENTRIES + 5);
  expect([countOf('altered'), countOf('unchecked'), requests]).toEqual([MAX_ENTRIES, 5, MAX_ENTRIES]);
});

test('entries that are not on the ledger soon end the requests', async () => {
  const { countOf, requests } = await verdictsFrom(UNKNOWN, 100);
  expect(countOf('missing')).toBe(requests);
  expect(countOf('missing') + countOf('unchecked')).toBe(100);
  expect(requests).toBeGreaterThanOrEqual(MAX_MISSING);
  // Those that were on their way.
  expect(requests).toBeLessThan(MAX_MISSING + 4);
});

test.each(['now', '2023'])(
  'no request and no verdict follows once the reader closes the share, in a browser of %s',
  async (year) => {
    if (year === '2023') Reflect.deleteProperty(AbortSignal, 'any');
    const { ledger, asked, whenAsked } = await serviceWith(null);
    const records = await recordsOf(10);
    const controller = new AbortController();
    const verdicts: Verdict[] = [];
    const all = whenAsked(4);
    const checks = checkProofs(records, records.map(firstVerdict), {
      ledger,
      signal: controller.signal,
      onVerdict: (_, verdict) => verdicts.push(verdict),
    });
    await all;
    controller.abort();
    await checks;
    expect([asked.length, verdicts]).toEqual([4, []]);
  },
);

const AT = Date.parse('2026-11-27T12:00:00.000Z');
const LABORATORY = {
  status: 'ACTIVE',
  certification: {
    level: 'BASIC',
    granted_at: '2026-11-01T00:00:00.000Z',
    expires_at: null,
    categories: ['BSP-HM'],
    intents: [],
  },
} satisfies Pick<Ieo, 'status' | 'certification'>;

test('the certification that is shown is the one that the registry has now', () => {
  const shown = (members: Partial<Pick<Ieo, 'status' | 'certification'>>, category = 'BSP-HM') =>
    certifiedFor({ ...LABORATORY, ...members }, category, AT);
  const { certification } = LABORATORY;
  expect(shown({})).toEqual({ now: 'yes', since: '2026-11-01T00:00:00.000Z' });
  expect(shown({}, 'BSP-GL')).toEqual({ now: 'beyond' });
  expect(shown({ certification: { ...certification, expires_at: '2026-11-27T12:00:00.000Z' } })).toEqual({ now: 'no' });
  expect(shown({ certification: { ...certification, level: 'UNCERTIFIED' } })).toEqual({ now: 'no' });
  for (const status of ['LOCKED', 'SUSPENDED', 'REVOKED', 'DESTROYED'] as const)
    expect(shown({ status })).toEqual({ now: 'stopped', status });
});
