import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Page } from '@playwright/test';
import { type Holder, keyOfSeed } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, expectPageError, newClientAddress, test, translatorFor } from './fixtures.ts';
import {
  chooseOption,
  choosePassphrase,
  clickButton,
  clickLink,
  expectScreen,
  keepKeyAsWords,
  NEW_PASSPHRASE,
  optionButton,
} from './page-actions.ts';
import { newOpenedKey, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true }).locator('visible=true');

/** Grants an institution the consent to submit and read records since 2020. */
async function grant(
  request: APIRequestContext,
  holder: Holder,
  ieoId: string,
  expiresInDays = 90,
): Promise<{ token: { token_id: string } }> {
  const period = { from: '2020-01-01T00:00:00.000Z', to: null };
  const scope = { intents: ['SUBMIT_RECORD', 'READ_RECORDS'], categories: ['BSP-GL', 'BSP-HR'], period };
  const data = holder.key.sign('grantConsent', { beoId: holder.id, ieoId, scope, expiresInDays });
  const response = await request.post('/api/relayer/consent', { data, headers: newClientAddress() });
  expect(response.status(), await response.text()).toBe(201);
  return response.json();
}

/** Opens a consent in the table of received ones. */
const openConsent = (page: Page, domain: string) => page.getByRole('button', { name: domain, exact: true }).click();

test('an institution registers, submits records by form and from a file, and reads records @desktop', async ({
  page,
  api,
  request,
  pageErrors,
}, info) => {
  const domain = `clinic-${randomUUID().slice(0, 13)}.bsp`;

  await test.step('registers, after it was shown what becomes public', async () => {
    await page.goto('/register');
    await expectScreen(page, t('register.about.title'));
    await field(page, t('register.name.label')).fill('Santa Clara Clinic');
    await expect(field(page, t('register.domain.label'))).toHaveValue('santa-clara-clinic.bsp');
    await field(page, t('register.domain.label')).fill('registry.bsp');
    await expect(page.getByText(t('register.domain.DOMAIN_RESERVED')).first()).toBeVisible();
    await field(page, t('register.domain.label')).fill(domain.replace('clinic', 'Clínica São').replace('.bsp', ''));
    const meant = domain.replace('clinic', 'clinica-sao');
    await page.getByRole('button', { name: t('register.domain.meant', { domain: meant }) }).click();
    await expect(page.getByText(t('register.domain.free', { domain: meant }))).toBeVisible();
    await field(page, t('register.domain.label')).fill(domain.replace('.bsp', ''));
    await expect(page.getByText(t('register.domain.free', { domain }))).toBeVisible();
    await clickButton(page, t('register.next'));
    await expect(page.getByText(t('register.type.none'))).toBeVisible();
    await page.getByRole('radio', { name: new RegExp(`^${t('register.type.HOSPITAL.name')}`) }).check();
    await page.locator('summary').click();
    await page.getByLabel(t('register.name.country'), { exact: true }).selectOption('Brazil');
    await checkScreen(page, 'register-about', info);
    await clickButton(page, t('register.next'));
    await expectScreen(page, t('keys.choose.title'));
    await keepKeyAsWords(page, t);
    await expect(page.getByRole('button', { name: t('register.here.later'), exact: true })).toBeVisible();
    await choosePassphrase(page, t);
    await expectScreen(page, t('register.send.title', { domain }));
    const steps = page.getByRole('list', { name: t('common.steps') });
    await expect(steps.getByRole('listitem')).toHaveCount(4);
    await expect(steps.getByRole('link')).toHaveCount(3);
    await steps.getByRole('link', { name: t('register.steps.here') }).click();
    await expectScreen(page, t('register.here.chosen'));
    await steps.getByRole('link', { name: t('register.steps.about') }).click();
    await expectScreen(page, t('register.about.title'));
    await expect(field(page, t('register.name.label'))).toHaveValue('Santa Clara Clinic');
    await clickButton(page, t('register.next'));
    await expectScreen(page, t('register.send.title', { domain }));
    await expect(page.getByText('Santa Clara Clinic')).toBeVisible();
    await expect(page.getByText('Brazil', { exact: true })).toBeVisible();
    await checkScreen(page, 'register-send', info);
    await clickButton(page, t('register.send.yes'));
    await expectScreen(page, t('register.done.title', { domain }));
    await checkScreen(page, 'register-done', info);
    await clickLink(page, t('register.done.pages'));
    await expect(page).toHaveURL(/\/institution$/);
    await expectScreen(page, 'Santa Clara Clinic');
    await expect(page.getByText(t('institution.certification.none'), { exact: true })).toBeVisible();
    await expect(page.getByText('Brazil', { exact: true })).toBeVisible();
    expect((await (await api.get(`/api/ieos/domain/${domain}`)).json()).ieo.country).toBe('BR');
    await checkScreen(page, 'institution-overview', info);
  });

  const [holder, other] = await Promise.all([api.newHolder(), api.newHolder()]);
  const { ieo } = await (await api.get(`/api/ieos/domain/${domain}`)).json();
  await grant(request, holder, ieo.ieo_id);
  await grant(request, other, ieo.ieo_id, 1);

  await test.step('finds the consent, and submits one record by form', async () => {
    await page.getByRole('link', { name: t('institution.inbox.seeConsents') }).click();
    await expectScreen(page, t('institution.consents.title'));
    await openConsent(page, other.domain);
    await page.getByLabel(t('institution.reference.label')).fill('Ward 7');
    await clickButton(page, t('institution.reference.save'));
    await expect(page.getByText(t('institution.reference.saved'))).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('cell', { name: 'Ward 7' })).toBeVisible();
    await expect(page.getByText('2 active')).toBeVisible();
    const row = await page.getByRole('row').filter({ hasText: 'Ward 7' }).boundingBox();
    expect(row?.height).toBeLessThanOrEqual(44);
    await expect(page.getByRole('cell', { name: new RegExp(t('scope.endsSoon')) })).toHaveCount(1);
    await checkScreen(page, 'institution-consents', info);
    await page.getByRole('searchbox', { name: t('institution.consents.holder') }).fill('ward');
    await expect(page.getByRole('button', { name: holder.domain })).toHaveCount(0);
    await clickButton(page, t('institution.consents.clear'));
    await openConsent(page, holder.domain);
    await checkScreen(page, 'institution-consent', info);
    await page
      .getByRole('dialog')
      .getByRole('link', { name: t('institution.consents.submit') })
      .click();
    await expectScreen(page, t('institution.submit.title'));
    await chooseOption(page, t('institution.submit.form'));
    const biomarker = page.getByRole('combobox', { name: t('institution.submit.field.biomarker'), exact: true });
    await biomarker.fill('fasting glu');
    await page.getByRole('option', { name: /Fasting Glucose/ }).click();
    await expect(biomarker).toHaveValue('BSP-GL-001');
    await expect(field(page, t('institution.submit.field.unit'))).toHaveValue('mg/dL');
    await clickButton(page, t('institution.submit.entry.add'));
    await expect(page.getByText(t('institution.submit.problem.missing')).first()).toBeVisible();
    await field(page, t('institution.submit.field.value')).fill('92.50');
    await field(page, t('institution.submit.field.time')).fill('08:30');
    await clickButton(page, t('institution.submit.entry.add'));
    await expect(page.getByText(t('institution.submit.problem.time'))).toBeVisible();
    await field(page, t('institution.submit.field.time')).fill('');
    // A day alone, as in files.
    await field(page, t('institution.submit.field.collected_at')).fill('2026-11-19');
    await clickButton(page, t('institution.submit.entry.add'));
    await checkScreen(page, 'institution-submit-form', info);
    await field(page, t('institution.submit.field.value')).fill('5');
    const unsent = page.getByRole('dialog', { name: t('institution.submit.leave.unsentTitle') });
    for (const leave of [
      () => clickLink(page, t('dashboard.institution.overview')),
      () => page.goBack(),
      () => clickButton(page, t('institution.choose.another')),
      () => clickButton(page, t('institution.submit.otherWay')),
    ]) {
      await leave();
      await expect(unsent).toContainText(t('institution.submit.leave.unsentBody', { count: 2 }));
      await clickButton(page, t('institution.submit.leave.stay'));
    }
    // What is filled in but not yet in the list is part of what is submitted, so it has to be complete.
    await clickButton(page, t('institution.submit.entry.send', { count: 2 }));
    await expect(page.getByText(t('institution.submit.problem.missing')).first()).toBeVisible();
    await field(page, t('institution.submit.field.value')).fill('');
    await clickButton(page, t('institution.submit.entry.send', { count: 1 }));
    await expect(page.getByRole('heading', { name: t('institution.submit.sending.done', { count: 1 }) })).toBeVisible();
  });

  await test.step('does not discard receipts that were not saved', async () => {
    await clickLink(page, t('dashboard.institution.overview'));
    const question = page.getByRole('dialog', { name: t('institution.submit.leave.title') });
    await expect(question).toBeVisible();
    await checkScreen(page, 'institution-leave', info);
    await clickButton(page, t('institution.submit.leave.stay'));
    await page.goBack();
    await expect(question).toBeVisible();
    await clickButton(page, t('institution.submit.leave.stay'));
    const asked = page.waitForEvent('dialog');
    await page.evaluate(() => setTimeout(() => location.reload()));
    const unload = await asked;
    expect(unload.type()).toBe('beforeunload');
    await unload.dismiss();
    await clickButton(page, t('institution.submit.sending.more'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      clickButton(page, t('institution.submit.leave.save')),
    ]);
    expect(JSON.parse(await readFile(await download.path(), 'utf8')).submissions).toHaveLength(1);
  });

  await test.step('submits the valid rows of a file about several people', async () => {
    await clickButton(page, t('institution.submit.otherWay'));
    await chooseOption(page, t('institution.submit.csv'));
    await checkScreen(page, 'institution-submit-file', info);
    const rows = [
      'biomarker;value;unit;collected_at;patient;notes',
      `BSP-GL-001;101;mg/dL;2026-11-18T08:30:00Z;${holder.domain};fasting`,
      'BSP-HR-001;2,10;µUI/mL;2026-11-18T08:30:00Z;ward 7;',
      `BSP-VT-001;;ng/mL;18/11/2026;${holder.domain};`,
      `BSP-GL-001;98;mg/dL;2019-11-18T08:30:00Z;${holder.domain};`,
      'BSP-GL-001;98;mg/dL;2026-11-18T08:30:00Z;eve.bsp;',
      `BSP-GL-001;5.6;IU/L;2026-11-18T08:30:00Z;${holder.domain};`,
    ];
    const buffer = Buffer.from(`\ufeff${rows.join('\r\n')}`);
    await field(page, t('institution.submit.file.pick')).setInputFiles({
      name: 'a.csv',
      mimeType: 'text/csv',
      buffer,
    });
    const preview = (key: 'good' | 'bad' | 'unusual', count: number, people = 0) =>
      page.getByText(t(`institution.submit.preview.${key}`, { count, people }));
    await expect(preview('good', 2, 2)).toBeVisible();
    await expect(preview('bad', 3)).toBeVisible();
    await expect(preview('unusual', 1)).toBeVisible();
    const unused = page.getByRole('listitem').filter({ hasText: t('institution.submit.preview.leftOut') });
    await expect(unused).toContainText('notes');
    await expect(page.getByText(/^eve\.bsp: No consent from this person/)).toBeVisible();
    const filter = (name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) });
    await filter(t('institution.submit.preview.state.changed')).check();
    await expect(page.getByRole('rowheader')).toContainText(['Row 4', 'Row 3']);
    await expect(page.getByText(t('institution.submit.preview.inFile', { written: '2,10' }))).toBeVisible();
    await filter(t('institution.submit.preview.kind.duplicate')).check();
    await expect(page.getByRole('rowheader')).toContainText(['Row 7']);
    await filter(t('institution.submit.preview.state.all')).check();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    // Rows with problems come first, then the unusual one.
    await expect(page.getByRole('rowheader')).toContainText([4, 5, 6, 7, 2, 3].map((row) => `Row ${row}`));
    const rowOf = (row: number) =>
      page.getByRole('row').filter({
        has: page.getByRole('rowheader', { name: t('institution.submit.sending.record', { row }) }),
      });
    for (const problem of ['notCovered', 'missing'] as const)
      await expect(rowOf(4).getByText(t(`institution.submit.problem.${problem}`))).toBeVisible();
    await expect(page.getByText(t('institution.submit.warning.unit', { usual: 'mg/dL' }))).toBeVisible();
    await expect(page.getByText(t('institution.submit.warning.duplicate', { row: 2 }))).toBeVisible();
    const catalogue = page.getByRole('link', { name: t('institution.submit.warning.catalogue') });
    await expect(catalogue.first()).toHaveAttribute('href', /^\/catalogue#BSP-GL-001$/);
    await expect(page.getByText(t('institution.submit.preview.partly', { count: 4, all: 6 }))).toBeVisible();
    await checkScreen(page, 'institution-submit-preview', info);
    await clickButton(page, t('institution.submit.preview.sendFor', { count: 2, people: 2 }));
    await expect(page.getByRole('heading', { name: t('institution.submit.sending.done', { count: 2 }) })).toBeVisible();
    const [leftRows] = await Promise.all([
      page.waitForEvent('download'),
      clickButton(page, t('institution.submit.preview.saveRows')),
    ]);
    await expect(page.getByText(t('institution.submit.sending.leftRows', { count: 4 }))).toBeVisible();
    const left = (await readFile(await leftRows.path(), 'utf8')).split('\r\n');
    expect(left.slice(1, -1).map((line) => line.split(';', 1)[0])).toEqual([
      'BSP-VT-001',
      ...Array(3).fill('BSP-GL-001'),
    ]);
    expect(left[3]).toContain(t('institution.submit.problem.noConsent'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      clickButton(page, t('institution.submit.sending.receipts')),
    ]);
    const name = download.suggestedFilename();
    expect(name).toMatch(/-\d{4}-\d{2}-\d{2}-\d{4}-.{8}\.json$/);
    await expect(page.getByText(t('institution.submit.sending.saved', { file: name }))).toBeVisible();
    await expect(page.getByRole('button', { name: t('institution.submit.sending.saveAgain') })).toBeVisible();
    await checkScreen(page, 'institution-submitted', info);
    const { submissions } = JSON.parse(await readFile(await download.path(), 'utf8'));
    const salt = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(submissions).toMatchObject([
      { salt, beo_id: holder.id, records: [{ row: 2, record: { value: 101 } }] },
      { salt, beo_id: other.id, records: [{ row: 3, record: { value: '2.10' } }] },
    ]);
    await page.goto('/institution/submissions');
    await expect(page.getByRole('row').filter({ hasText: other.domain })).toContainText('Ward 7');
    await checkScreen(page, 'institution-submissions', info);
  });

  await test.step('reads the records that the consent covers; others are refused with a reason', async () => {
    await page.goto('/institution/read');
    await chooseOption(page, holder.domain);
    await field(page, t('institution.read.from')).fill('2019-01-01');
    await clickButton(page, t('institution.read.go'));
    await unlockKey(page, t, NEW_PASSPHRASE);
    await expect(page.getByText(/doesn’t cover those dates/)).toBeVisible();
    await expectPageError(pageErrors, 'status of 403');
    await field(page, t('institution.read.from')).fill('');
    await clickButton(page, t('institution.read.go'));
    await expect(page.getByRole('heading', { name: t('institution.read.found', { total: 2 }) })).toBeVisible();
    await expect(page.getByRole('cell', { name: /92\.50/ })).toBeVisible();
    const measured = page.getByRole('rowheader').first();
    const [all, code] = await Promise.all([measured.boundingBox(), measured.getByText(/^BSP-/).boundingBox()]);
    expect((code?.x ?? 0) + (code?.width ?? 0)).toBeLessThanOrEqual((all?.x ?? 0) + (all?.width ?? 0));
    const value = page.getByRole('cell', { name: /92\.50/ }).getByText(/92\.50/);
    expect(await value.evaluate((shown) => shown.scrollWidth <= shown.clientWidth)).toBe(true);
    await checkScreen(page, 'institution-read', info);
    await clickButton(page, t('session.putAway'));
    await expect(page.getByRole('cell', { name: /92\.50/ })).toHaveCount(0);
  });

  await test.step('does not sign for a person who is frozen, and learns it when the consent is chosen', async () => {
    await page.goto('/institution/submit?way=form');
    await chooseOption(page, holder.domain);
    await page.getByRole('combobox', { name: t('institution.submit.field.biomarker'), exact: true }).fill('BSP-GL-001');
    await field(page, t('institution.submit.field.value')).fill('90');
    await field(page, t('institution.submit.field.unit')).fill('mg/dL');
    await field(page, t('institution.submit.field.collected_at')).fill('2026-11-19');
    await clickButton(page, t('institution.submit.entry.add'));
    await api.lock(holder);
    await clickButton(page, t('institution.submit.entry.send', { count: 1 }));
    await page.keyboard.press('Escape');
    await expect(page.getByText(t('institution.submit.sending.stopped'))).toBeVisible();
    await clickButton(page, t('institution.submit.sending.more'));
    await expect(page.getByRole('dialog')).toContainText(t('institution.submit.leave.unsentBody', { count: 1 }));
    await clickButton(page, t('institution.submit.leave.stay'));
    await clickButton(page, t('institution.submit.preview.send', { count: 1 }));
    await unlockKey(page, t, NEW_PASSPHRASE);
    // A request would be refused, which the browser logs as an error.
    await expect(page.getByText(t('errors.BEO_LOCKED'))).toBeVisible();
    await page.goto('/institution/submit?way=form');
    await expect(optionButton(page, holder.domain)).toContainText(t('common.state.LOCKED'));
    await chooseOption(page, holder.domain);
    await expect(page.getByText(t('institution.frozen.title', { domain: holder.domain }))).toBeVisible();
    await checkScreen(page, 'institution-frozen', info);
  });

  await test.step('publishes its API addresses over HTTPS only', async () => {
    await page.goto('/institution/settings');
    const webhook = field(page, t('institution.settings.contacts.webhook'));
    await webhook.fill('http://example.org/hook');
    await clickButton(page, t('institution.settings.contacts.save'));
    await expect(page.getByText(t('institution.settings.contacts.notHttps'))).toBeVisible();
    await checkScreen(page, 'institution-settings', info);
  });
});

test('columns are assigned by hand, and a problem that only the server finds is shown in the language of the page @desktop @long', async ({
  page,
  api,
  request,
  pageErrors,
}, info) => {
  const key = await newOpenedKey();
  const [holder, clinic] = await Promise.all([api.newHolder(), api.newInstitution(keyOfSeed(key.seed))]);
  const { token } = await grant(request, holder, clinic.id);
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const pt = translatorFor('pt-BR');
  const address = new URLSearchParams({ lang: 'pt-BR', way: 'file', consent: token.token_id });
  await page.goto(`/institution/submit?${address}`);
  const rows = ['exame,valor,unidade,quando,corrige', `BSP-GL-001,101,mg/dL,11/18/2026 08:30,${randomUUID()}`];
  const pick = field(page, pt('institution.submit.file.pick'));
  await expect(pick).toBeVisible();
  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'a.csv', { type: 'text/csv' }));
    return data;
  }, rows.join('\r\n'));
  await pick.dispatchEvent('drop', { dataTransfer: dropped });
  await expect(page.getByRole('heading', { name: pt('institution.submit.mapping.title') })).toBeVisible();
  await checkScreen(page, 'institution-submit-columns', info);
  await expect(page.getByRole('combobox', { name: /^exame/ })).toHaveValue('biomarker');
  const missing = pt('institution.submit.mapping.missing', {
    count: 1,
    columns: pt('institution.submit.field.collected_at'),
  });
  await clickButton(page, pt('institution.submit.mapping.done'));
  await expect(page.getByRole('status').filter({ hasText: missing })).toBeFocused();
  for (const [column, assigned] of [
    ['quando', 'collected_at'],
    ['corrige', 'supersedes'],
  ] as const)
    await page
      .getByRole('combobox', { name: new RegExp(`^${column}`) })
      .selectOption({ label: pt(`institution.submit.field.${assigned}`) });
  await clickButton(page, pt('institution.submit.mapping.done'));
  await expect(page.getByText('Glicemia de jejum')).toBeVisible();
  const dates = page.getByRole('combobox', { name: pt('institution.submit.preview.dates') });
  await expect(dates).toHaveValue('monthFirst');
  await dates.selectOption({ label: pt('institution.submit.preview.dayFirst') });
  await expect(page.getByText(pt('institution.submit.problem.time'))).toBeVisible();
  await checkScreen(page, 'institution-submit-dates', info);
  await dates.selectOption({ label: pt('institution.submit.preview.monthFirst') });
  await clickButton(page, pt('institution.submit.preview.sendFor', { count: 1, people: 1 }));
  await unlockKey(page, pt);
  const [fieldName, problem] = [pt('institution.submit.field.supersedes'), pt('institution.submit.problem.notTheirs')];
  await expect(
    page.getByText(`${pt('institution.submit.sending.record', { row: 2 })}: ${fieldName}: ${problem}`),
  ).toBeVisible();
  await expectPageError(pageErrors, 'status of 422');
});
