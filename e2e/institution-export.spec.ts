import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { keyOfSeed } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, expectPageError, test, translatorFor } from './fixtures.ts';
import { healthRecord, submitRecords } from './health-records.ts';
import { chooseOption, clickButton, expectScreen, optionButton } from './page-actions.ts';
import { newOpenedKey, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('an institution exports records under a consent; after withdrawal the export is refused with a reason @desktop @long', async ({
  page,
  api,
  request,
  pageErrors,
}, info) => {
  const key = await newOpenedKey();
  const [holder, clinic] = await Promise.all([api.newHolder(), api.newInstitution(keyOfSeed(key.seed))]);
  const scope = { intents: ['SUBMIT_RECORD', 'EXPORT_DATA'], categories: ['*'] };
  const { token } = await api.grant(holder, clinic.id, scope);
  const other = await api.newHolder();
  await api.grant(other, clinic.id);
  const [first = ''] = await submitRecords(request, clinic, holder, token.token_id, [healthRecord(425, '2026-01-10')]);
  await submitRecords(request, clinic, holder, token.token_id, [
    healthRecord('42.50', '2026-01-10', { supersedes: first }),
  ]);
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);

  await page.goto('/institution/consents');
  await clickButton(page, holder.domain);
  await page
    .getByRole('dialog')
    .getByRole('link', { name: t('institution.consents.export') })
    .click();
  await expectScreen(page, t('institution.export.title'));
  await clickButton(page, t('institution.choose.another'));
  // Only consents that allow an export are offered.
  await expect(optionButton(page, holder.domain)).toBeVisible();
  await expect(optionButton(page, other.domain)).toHaveCount(0);
  await checkScreen(page, 'institution-export-choose', info);
  await chooseOption(page, holder.domain);
  await expect(page.getByText(t('exporting.careful', { whose: 'others' }))).toBeVisible();
  await page.getByLabel(new RegExp(`^${t('exporting.format.CSV.name')}`)).check();
  await checkScreen(page, 'institution-export', info);
  await clickButton(page, t('exporting.make'));
  await unlockKey(page, t);
  await expect(page.getByText(t('exporting.ready.what', { count: 2 }))).toBeVisible();
  await checkScreen(page, 'institution-export-ready', info);
  const save = page.getByRole('link', { name: t('exporting.ready.save') });
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${holder.domain}-records-.*\\.csv$`));
  const text = await readFile(await download.path(), 'utf8');
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  expect(data.map(({ value, status }) => [value, status]).sort()).toEqual([
    ['42.50', 'ACTIVE'],
    ['425', 'SUPERSEDED'],
  ]);

  await clickButton(page, t('exporting.ready.another'));
  await api.revoke(holder, token.token_id);
  await page.getByLabel(new RegExp(`^${t('exporting.format.JSON.name')}`)).check();
  await clickButton(page, t('exporting.make'));
  await expect(page.getByText(t('institution.read.problem.TOKEN_REVOKED'))).toBeVisible();
  await expectPageError(pageErrors, 'status of 401');
});
