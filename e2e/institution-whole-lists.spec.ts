import { readFile } from 'node:fs/promises';
import type { Download } from '@playwright/test';
import { MAX_PAGE_SIZE } from '../protocol/page.ts';
import { keyOfSeed } from './api.ts';
import { expect, expectPageError, ignorePageErrors, test, translatorFor } from './fixtures.ts';
import { healthRecord, submitRecords } from './health-records.ts';
import { newOpenedKey, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

/** More than one page of the list has. */
const SUBMISSIONS = MAX_PAGE_SIZE + 2;
const CONSENTS = MAX_PAGE_SIZE + 1;
const rowsOf = async (download: Download) => (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
const SCOPE = { intents: ['SUBMIT_RECORD'], categories: ['*'] };

test('a filter, an order and a file of the submissions cover those that were not loaded @desktop @long', async ({
  page,
  api,
  request,
  pageErrors,
}) => {
  const key = await newOpenedKey();
  const [clinic, first, other] = await Promise.all([
    api.newInstitution(keyOfSeed(key.seed)),
    api.newHolder(),
    api.newHolder(),
  ]);
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const submit = async (holder: typeof first, count: number) => {
    const { token } = await api.grant(holder, clinic.id, SCOPE);
    for (let index = 0; index < count; index++)
      await submitRecords(request, clinic, holder, token.token_id, [healthRecord(30 + index, '2026-01-10')]);
  };
  await submit(first, 1);
  await submit(other, SUBMISSIONS - 1);

  await page.goto('/institution/submissions');
  await expect(page.getByText(t('common.table.newest', { shown: MAX_PAGE_SIZE }))).toBeVisible();
  const search = page.getByRole('searchbox', { name: t('institution.submissions.search') });
  const inTable = page.getByRole('table').getByText(first.domain);
  await expect(inTable).toHaveCount(0);
  await search.fill(first.domain);
  await expect(inTable).toBeVisible();
  await expect(page.getByText(t('common.table.shown', { shown: 1, all: SUBMISSIONS }))).toBeVisible();

  await page.reload();
  await page.getByRole('button', { name: t('institution.submissions.when') }).click();
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText(first.domain);
  await expect(page.getByText(t('common.table.shown', { shown: SUBMISSIONS, all: SUBMISSIONS }))).toBeVisible();

  await page.reload();
  await expect(page.getByText(t('common.table.newest', { shown: MAX_PAGE_SIZE }))).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: t('common.table.csv') }).click();
  await expect(page.getByText(t('errors.UNREACHABLE'))).toBeVisible();
  await expectPageError(pageErrors, 'ERR_INTERNET_DISCONNECTED');
  await page.context().setOffline(false);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: t('common.table.csv') }).click(),
  ]);
  // Pages that are loaded ahead fail, too.
  ignorePageErrors(pageErrors, 'ERR_INTERNET_DISCONNECTED');
  const rows = await rowsOf(download);
  expect(rows).toHaveLength(SUBMISSIONS + 1);
  expect(rows.at(-1)).toContain(first.domain);
});

test('the overview names a consent that ends soon although a whole page of newer ones does not @desktop @long', async ({
  page,
  api,
}) => {
  const key = await newOpenedKey();
  const [clinic, holder] = await Promise.all([api.newInstitution(keyOfSeed(key.seed)), api.newHolder()]);
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  await api.certify(clinic.id, { level: 'BASIC', intents: [], categories: [] });
  await api.grant(holder, clinic.id, SCOPE, 20);
  for (let day = 1; day < CONSENTS; day++) {
    const period = { from: new Date(Date.UTC(2020, 0, day)).toISOString(), to: null };
    await api.grant(holder, clinic.id, { ...SCOPE, period });
  }

  await page.goto('/institution');
  const inbox = page.getByRole('region', { name: t('institution.inbox.title') });
  await expect(inbox.getByText(t('institution.inbox.consentsEnd.title', { count: 1 }))).toBeVisible();
  await expect(inbox.getByText(t('institution.inbox.active', { active: CONSENTS, people: 1 }))).toBeVisible();
});

test('the overview calls nothing calm before it knows of the webhook and the request, and saves its entries @desktop @long', async ({
  page,
  api,
}) => {
  const key = await newOpenedKey();
  const clinic = await api.newInstitution(keyOfSeed(key.seed));
  await api.certify(clinic.id, { level: 'BASIC', intents: [], categories: [] });
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  await page.goto('/institution');
  const inbox = page.getByRole('region', { name: t('institution.inbox.title') });
  const calm = inbox.getByText(t('institution.inbox.calm'));
  await expect(inbox.getByText(t('institution.inbox.locked', { webhook: 'no' }))).toBeVisible();
  await expect(calm).toHaveCount(0);
  await page.getByRole('button', { name: t('session.open') }).click();
  await unlockKey(page, t);
  await expect(calm).toBeVisible();

  const entries = page.getByRole('table', { name: t('institution.overview.history') });
  const status = entries.getByRole('columnheader', { name: t('institution.overview.status') });
  await expect(status).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: t('common.table.csv') }).click(),
  ]);
  expect(await rowsOf(download)).toHaveLength(3);
  await page.locator('summary', { hasText: t('common.table.columns') }).click();
  await page.getByRole('checkbox', { name: t('institution.overview.status') }).uncheck();
  await expect(status).toHaveCount(0);
  await page.reload();
  await expect(entries).toBeVisible();
  await expect(status).toHaveCount(0);
});
