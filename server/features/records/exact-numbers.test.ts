import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type ConsentParties, type Exchange, exchangeOf, expectInvalid, measurement, SUBMIT } from './test-exchange.ts';

let service: TestService;
let exchange: Exchange;
let use: ConsentParties;
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
  use = await exchange.newConsent();
});
afterAll(() => service.stop());

/** Is replaced by another number in the text of a body. */
const MARK = 4_242.5;

const ROUNDED = 'is a number that would be rounded: send it as text';

test.each(['1e-400', '1e400', '9007199254740993', '-0.1234567890123456789', '123456789012345678.5'])(
  'a record with the number %s is refused, wherever it is in the record',
  async (number) => {
    const records = [
      measurement(),
      measurement({ value: MARK }),
      measurement({ value: { systolic: [1, MARK] }, ref_range: { optimal_low: MARK }, note: { deep: [{ x: MARK }] } }),
    ];
    const text = JSON.stringify(exchange.submission(use, records)).replaceAll(`${MARK}`, number);
    expectInvalid(await service.post(SUBMIT, text), 3, [
      { index: 1, path: 'value', message: ROUNDED },
      { index: 2, path: 'value.systolic.1', message: ROUNDED },
      { index: 2, path: 'ref_range.optimal_low', message: ROUNDED },
      { index: 2, path: 'note.deep.0.x', message: ROUNDED },
    ]);
    expect((await exchange.page(use)).total).toBe(0);
  },
);

test('a number that would be rounded outside the records is an error of the form', async () => {
  const text = JSON.stringify(exchange.submission(use, [measurement({ value: MARK })])).replace(
    '"records"',
    '"other":1e400,"records"',
  );
  const { status, body } = await service.post(SUBMIT, text.replace(`${MARK}`, '1e-400'));
  expect([status, body.code, body.details.issues.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    'VALIDATION_FAILED',
    ['other', 'records.0.value'],
  ]);
});

test('tRPC is no way around it', async () => {
  const body = exchange.submission(use, [measurement({ value: MARK })]);
  const text = JSON.stringify({ function: 'submitRecords', body }).replace(`${MARK}`, '9007199254740993');
  const { status, body: answer } = await service.post('/api/trpc/operate', text);
  const { error } = typeof answer === 'string' ? JSON.parse(answer) : answer;
  expect([status, error.data.refused.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect((await exchange.page(use)).total).toBe(0);
});

test('other spellings of the value of a double are accepted, and a text stays as it was sent', async () => {
  const other = await exchange.newConsent();
  const spellings = ['1.50', '1.5e2', '1E+2', '9007199254740992', '0.30000000000000004'];
  const at = (index: number) => ({ collected_at: `2026-03-0${9 - index}T08:00:00Z` });
  const records = spellings.map((text, index) => measurement({ value: Number(text), ...at(index) }));
  const signed = exchange.submission(other, [...records, measurement({ value: '1e-400', ...at(spellings.length) })]);
  const text = spellings.reduce(
    (body, spelling) => body.replace(`"value":${Number(spelling)},`, `"value": ${spelling} ,`),
    JSON.stringify(signed),
  );
  expect(text).not.toBe(JSON.stringify(signed));
  const { status, body } = await service.post(SUBMIT, text);
  expect(status, JSON.stringify(body)).toBe(201);
  const { records: read } = await exchange.page(other);
  expect(read.map(({ value }: { value: unknown }) => value)).toEqual([...spellings.map(Number), '1e-400']);
});
