import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { messagesIn } from '../messages/messages.ts';
import type { Json } from '../protocol/signing/canonical-json.ts';
import { keyOfSeed } from './api.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { newOpenedKey, storeIdentity } from './stored-identity.ts';

const t = translatorFor('en');

const CASES = new URL('../app/(signed)/institution/submit/cases/', import.meta.url);
/** The readings of the cases have times of this zone. */
const ZONE = 'America/New_York';
/** The names of people in these cases; the test has one person for all. */
const PEOPLE = /person-[a-z](?:\.bsp)?|LAB-1/g;

/** Of Brazil, Spain, Mexico, Germany and the United States; with questions, refused values and broken quotes; FHIR. */
const FILES = [
  'br-laboratory.csv',
  'br-thousands-points-only.csv',
  'day-and-month-undecided.csv',
  'de-marks-and-units.csv',
  'es-laboratory.csv',
  'fhir-history.fhir',
  'fhir-searchset-with-an-outcome.fhir',
  'impossible-values.csv',
  'mx-quoted-everything.csv',
  'quote-that-never-closes.csv',
  'structured-value.csv',
  'us-laboratory.csv',
];

interface ExpectedRow {
  readonly row: number;
  readonly record?: {
    readonly value: Json;
    readonly unit: string;
    readonly collected_at: string;
    readonly ref_range?: { readonly functional_low?: number; readonly functional_high?: number };
  };
  readonly problems?: readonly string[];
  readonly warnings?: readonly string[];
}

/** As the test of the reader states it (csv-cases.test.ts). */
interface Expected {
  readonly choices?: { readonly mark?: string; readonly rangeMark?: string };
  readonly asks?: readonly (readonly string[])[];
  readonly asksRanges?: readonly (readonly string[])[];
  readonly rows: readonly ExpectedRow[];
}

/** Expects that a question shows its numbers in both readings, or that it is not asked; and answers it as the case does. */
async function answerMark(page: Page, name: 'question' | 'ranges', asks: Expected['asks'] = [], mark?: string) {
  const group = page.getByRole('group', { name: t(`institution.submit.preview.mark.${name}`) });
  await expect(group).toHaveCount(asks.length > 0 ? 1 : 0);
  for (const [withPoint, withComma] of asks)
    for (const read of [withPoint, withComma]) await expect(group).toContainText(` = ${read}`);
  if (mark === undefined) return;
  const answer = t(`institution.submit.preview.mark.${mark === ',' ? 'comma' : 'point'}`);
  await group.getByRole('radio', { name: new RegExp(`^${answer}`) }).check();
}

const firstLine = async (cell: Locator) => (await cell.innerText()).split('\n')[0];

/** A value as people write it. */
const written = (value: Json): string =>
  typeof value === 'object' && value !== null && 'systolic' in value
    ? `${value.systolic}/${value.diastolic}`
    : String(value);

/** “20 Nov 2026”, or “20 Nov 2026, 08:15” in the zone of the test. */
const shownTime = (collected: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(collected.includes('T') ? { hour: '2-digit', minute: '2-digit', timeZone: ZONE } : { timeZone: 'UTC' }),
  }).format(Date.parse(collected));

function shownRange({
  functional_low: low,
  functional_high: high,
}: {
  functional_low?: number;
  functional_high?: number;
}) {
  if (low === undefined) return `≤ ${high}`;
  return high === undefined ? `≥ ${low}` : `${low}–${high}`;
}

/** The messages by the names that problems have in the cases. */
const { structure, fhir, problem, field } = messagesIn('en').institution.submit;
const messages: Readonly<Record<string, Readonly<Record<string, string>>>> = { structure, fhir, problem, field };

/** The words of a problem; those of FHIR are around a detail that the case does not state. */
function wordsOf(stated: string): string[] {
  const [subject = '', kind] = stated.split(' ');
  if (kind === undefined) return [messages.structure?.[subject] ?? stated];
  if (subject.includes('.')) return (messages.fhir?.[kind]?.replace('{path}', subject) ?? stated).split('{detail}');
  return [`${messages.field?.[subject]}: ${messages.problem?.[kind]}`];
}

async function expectRow(table: Locator, { row, record, problems = [], warnings = [] }: ExpectedRow): Promise<void> {
  const state = problems.length > 0 ? 'bad' : warnings.length > 0 ? 'unusual' : 'good';
  const header = `${t('institution.submit.sending.record', { row })}${t(`institution.submit.preview.state.${state}`)}`;
  const line = table.getByRole('row').filter({ hasText: new RegExp(`^${header}`) });
  await expect(line, header).toHaveCount(1);
  const notes = line.getByRole('cell').last().locator('p');
  for (const [index, problem] of problems.entries())
    for (const words of wordsOf(problem)) await expect(notes.nth(index)).toContainText(words);
  if (!record) return;
  const columns = await table.getByRole('columnheader').allInnerTexts();
  const cell = (name: string) => line.getByRole('cell').nth(columns.indexOf(name) - 1);
  const value = cell(t('institution.submit.field.value'));
  expect(await firstLine(value)).toBe(`${written(record.value)} ${record.unit}`);
  const time = line.locator('time');
  await expect(time).toHaveAttribute('datetime', record.collected_at);
  await expect(time).toHaveText(new RegExp(`^${shownTime(record.collected_at)}(?: UTC-[45])?$`));
  if (record.ref_range)
    expect(await firstLine(cell(t('institution.submit.preview.range')))).toBe(shownRange(record.ref_range));
}

// Tall enough for all rows of a file: the table renders those in the window.
test.use({ timezoneId: ZONE, viewport: { width: 1280, height: 4000 } });

test('the page reads files of laboratories as the cases state @desktop @long', async ({ page, api }) => {
  const key = await newOpenedKey();
  const [holder, clinic] = await Promise.all([api.newHolder(), api.newInstitution(keyOfSeed(key.seed))]);
  await api.grant(holder, clinic.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] });
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const table = page.getByRole('table', { name: t('institution.submit.preview.table') });

  for (const file of FILES)
    await test.step(file, async () => {
      const expected: Expected = JSON.parse(await readFile(new URL(file.replace(/\w+$/, 'json'), CASES), 'utf8'));
      // Latin-1 keeps every byte.
      const text = (await readFile(new URL(file, CASES))).toString('latin1').replace(PEOPLE, holder.domain);
      await page.goto('/institution/submit?way=file');
      await page.getByLabel(t('institution.submit.file.pick'), { exact: true }).setInputFiles({
        name: file,
        mimeType: file.endsWith('.csv') ? 'text/csv' : 'application/fhir+json',
        buffer: Buffer.from(text, 'latin1'),
      });
      await expect(table).toHaveAttribute('aria-rowcount', String(expected.rows.length + 1));
      await answerMark(page, 'question', expected.asks, expected.choices?.mark);
      await answerMark(page, 'ranges', expected.asksRanges, expected.choices?.rangeMark);
      const isOrderOpen = expected.rows.some(({ problems }) => problems?.includes('collected_at order'));
      await expect(page.getByRole('group', { name: t('institution.submit.preview.order.question') })).toHaveCount(
        isOrderOpen ? 1 : 0,
      );
      for (const row of expected.rows) await expectRow(table, row);
      const ready = expected.rows.filter(({ record, warnings }) => record && !warnings).length;
      const isOpen = isOrderOpen || (expected.asks !== undefined && expected.choices?.mark === undefined);
      const submit = page.getByRole('button', { name: /^Submit/ });
      await expect(submit).toHaveText(
        isOpen || ready === 0 ? [] : [t('institution.submit.preview.sendFor', { count: ready, people: 1 })],
      );
    });
});
