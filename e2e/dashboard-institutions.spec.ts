import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Page } from '@playwright/test';
import { type Holder, instituteKeys, keyOfSeed } from './api.ts';
import { expect, freshAddress, pardon, sayIn, test } from './people.ts';
import { newOpenedKey, PASSPHRASE, rememberIn } from './signed-in.ts';
import { choose, keepAsWords, onScreen, passphrase, press } from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true }).locator('visible=true');

/** A person lets an institution add and read what was measured since 2020. */
async function grant(request: APIRequestContext, holder: Holder, ieoId: string): Promise<void> {
  const period = { from: '2020-01-01T00:00:00.000Z', to: null };
  const scope = { intents: ['SUBMIT_RECORD', 'READ_RECORDS'], categories: ['BSP-GL', 'BSP-HR'], period };
  const data = holder.key.sign('grantConsent', { beoId: holder.id, ieoId, scope, expiresInDays: 90 });
  const answer = await request.post('/api/relayer/consent', { data, headers: freshAddress() });
  expect(answer.status(), await answer.text()).toBe(201);
}

test('an institution registers, submits by form and from a file, and reads', async ({
  page,
  api,
  request,
  complaints,
}, info) => {
  const domain = `clinic-${randomUUID().slice(0, 13)}.bsp`;

  await test.step('registers, and learns before what becomes public', async () => {
    await page.goto('/register');
    await onScreen(page, say('register.domain.title'));
    await field(page, say('register.domain.label')).fill('registry.bsp');
    await expect(page.getByText(say('register.domain.DOMAIN_RESERVED')).first()).toBeVisible();
    await field(page, say('register.domain.label')).fill(domain.replace('.bsp', ''));
    await expect(page.getByText(say('register.domain.free', { domain }))).toBeVisible();
    await survey(page, 'register-domain', info);
    await press(page, say('register.next'));
    await onScreen(page, say('register.type.title'));
    await survey(page, 'register-type', info);
    await page.getByRole('radio', { name: new RegExp(`^${say('register.type.HOSPITAL.name')}`) }).check();
    await press(page, say('register.next'));
    await onScreen(page, say('register.name.title'));
    await field(page, say('register.name.label')).fill('Santa Clara Clinic');
    await page.getByLabel(new RegExp(`^${say('register.name.country')}`)).fill('Brazil');
    await press(page, say('register.next'));
    await onScreen(page, say('register.public.title'));
    await expect(page.getByText('Santa Clara Clinic')).toBeVisible();
    await survey(page, 'register-public', info);
    await press(page, say('register.public.yes'));
    await onScreen(page, say('keys.choose.title'));
    await keepAsWords(page, say);
    await onScreen(page, say('register.send.title', { domain }));
    await press(page, say('register.send.yes'));
    await onScreen(page, say('session.here.title'));
    await expect(page.getByText(say('register.browser.lead', { domain }))).toBeVisible();
    await passphrase(page, say).fill('herring lamp quorum Saturday');
    await press(page, say('session.here.submit'));
    await expect(page).toHaveURL(/\/institution$/);
    await onScreen(page, 'Santa Clara Clinic');
    await expect(page.getByText(say('institution.certification.none'), { exact: true })).toBeVisible();
    await survey(page, 'institution-overview', info);
  });

  const holder = await api.newHolder();
  const { ieo } = await (await api.get(`/api/ieos/domain/${domain}`)).json();
  await grant(request, holder, ieo.ieo_id);

  await test.step('sees the consent, and submits one result by form', async () => {
    await page.getByRole('link', { name: say('institution.overview.seeConsents') }).click();
    await onScreen(page, say('institution.consents.title'));
    await expect(page.getByRole('heading', { name: holder.domain })).toBeVisible();
    await survey(page, 'institution-consents', info);
    await page
      .getByRole('article')
      .getByRole('link', { name: say('institution.consents.submit'), exact: true })
      .click();
    await onScreen(page, say('institution.submit.title'));
    await choose(page, say('institution.submit.form'));
    const biomarker = page.getByRole('combobox', { name: say('institution.submit.field.biomarker'), exact: true });
    await biomarker.fill('fasting glu');
    await page.getByRole('option', { name: /Fasting Glucose/ }).click();
    await expect(biomarker).toHaveValue('BSP-GL-001');
    await expect(field(page, say('institution.submit.field.unit'))).toHaveValue('mg/dL');
    await press(page, say('institution.submit.entry.add'));
    await expect(page.getByText(say('institution.submit.problem.missing')).first()).toBeVisible();
    await field(page, say('institution.submit.field.value')).fill('92.50');
    await field(page, say('institution.submit.field.collected_at')).fill('2026-11-19T08:30:00');
    await press(page, say('institution.submit.entry.add'));
    await survey(page, 'institution-submit-form', info);
    await press(page, say('institution.submit.entry.send', { count: 1 }));
    await expect(
      page.getByRole('heading', { name: say('institution.submit.sending.done', { count: 1 }) }),
    ).toBeVisible();
  });

  await test.step('submits from a file, in which three rows are wrong', async () => {
    await press(page, say('institution.submit.sending.more'));
    await press(page, say('institution.submit.otherWay'));
    await choose(page, say('institution.submit.csv'));
    await survey(page, 'institution-submit-file', info);
    const rows = [
      'biomarker;value;unit;collected_at;patient',
      'BSP-GL-001;101;mg/dL;2026-11-18T08:30:00Z;Ada',
      'BSP-HR-001;2,10;µUI/mL;2026-11-18T08:30:00Z;Ada',
      'BSP-VT-001;30;ng/mL;2026-11-18T08:30:00Z;Ada',
      'BSP-GL-001;99;mg/dL;18/11/2026;Ada',
      'BSP-GL-001;98;mg/dL;2019-11-18T08:30:00Z;Ada',
    ];
    const buffer = Buffer.from(`\ufeff${rows.join('\r\n')}`);
    await field(page, say('institution.submit.file.pick')).setInputFiles({
      name: 'a.csv',
      mimeType: 'text/csv',
      buffer,
    });
    await expect(page.getByText(say('institution.submit.preview.good', { count: 1 }))).toBeVisible();
    await page.getByRole('checkbox', { name: say('institution.submit.preview.comma') }).check();
    await expect(page.getByText(say('institution.submit.preview.good', { count: 2 }))).toBeVisible();
    await expect(page.getByText(say('institution.submit.preview.bad', { count: 3 }))).toBeVisible();
    await expect(page.getByText(say('institution.submit.preview.leftOut', { columns: 'patient' }))).toBeVisible();
    await expect(page.getByText(new RegExp(say('institution.submit.problem.notCovered')))).toBeVisible();
    await expect(page.getByText(/18 Nov 2026, \d\d:30$/)).toHaveCount(3);
    await expect(page.getByText('18/11/2026')).toBeVisible();
    await expect(page.getByText(/18 Nov 2019, \d\d:30 \(2019-11-18T08:30:00Z\)$/)).toBeVisible();
    await survey(page, 'institution-submit-preview', info);
    await press(page, say('institution.submit.preview.send', { count: 2 }));
    await expect(
      page.getByRole('heading', { name: say('institution.submit.sending.done', { count: 2 }) }),
    ).toBeVisible();
    await survey(page, 'institution-submitted', info);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(page, say('institution.submit.sending.receipts')),
    ]);
    const [submission] = JSON.parse(await readFile(await download.path(), 'utf8')).submissions;
    expect(submission).toMatchObject({
      salt: expect.stringMatching(/^[0-9a-f]{64}$/),
      records: [
        { row: 2, record: { value: 101 } },
        { row: 3, record: { value: '2.10' } },
      ],
    });
  });

  await test.step('reads what it may, and is told what it may not', async () => {
    await page.goto('/institution/read');
    await choose(page, holder.domain);
    await field(page, say('institution.read.from')).fill('2019-01-01');
    await press(page, say('institution.read.go'));
    await passphrase(page, say).fill('herring lamp quorum Saturday');
    await press(page, say('session.unlock.open'));
    await expect(page.getByText(/does not cover that time/)).toBeVisible();
    await pardon(complaints, 'status of 403');
    await field(page, say('institution.read.from')).fill('');
    await press(page, say('institution.read.go'));
    await expect(page.getByRole('heading', { name: say('institution.read.found', { total: 3 }) })).toBeVisible();
    await expect(page.getByRole('cell', { name: /92\.50/ })).toBeVisible();
    await survey(page, 'institution-read', info);
    await press(page, say('session.putAway'));
    await expect(page.getByRole('cell', { name: /92\.50/ })).toHaveCount(0);
  });

  await test.step('publishes where programs reach it', async () => {
    await page.goto('/institution/settings');
    const webhook = field(page, say('institution.settings.contacts.webhook'));
    await webhook.fill('http://example.org/hook');
    await press(page, say('institution.settings.contacts.save'));
    await expect(page.getByText(say('institution.settings.contacts.notHttps'))).toBeVisible();
    await survey(page, 'institution-settings', info);
  });
});

test('what only the server finds wrong is said in the language of the page', async ({
  page,
  api,
  request,
  complaints,
}) => {
  const key = await newOpenedKey();
  const [holder, clinic] = await Promise.all([api.newHolder(), api.newInstitution(keyOfSeed(key.seed))]);
  await grant(request, holder, clinic.id);
  await rememberIn(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const diga = sayIn('pt-BR');
  await page.goto('/institution/submit?lang=pt-BR');
  await choose(page, holder.domain);
  await choose(page, diga('institution.submit.csv'));
  const rows = [
    'biomarker,value,unit,collected_at,supersedes',
    `BSP-GL-001,101,mg/dL,2026-11-18T08:30:00Z,${randomUUID()}`,
  ];
  await field(page, diga('institution.submit.file.pick')).setInputFiles({
    name: 'a.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rows.join('\r\n')),
  });
  await expect(page.getByText('Glicemia de jejum')).toBeVisible();
  await press(page, diga('institution.submit.preview.send', { count: 1 }));
  await passphrase(page, diga).fill(PASSPHRASE);
  await press(page, diga('session.unlock.open'));
  const [what, wrong] = [diga('institution.submit.field.supersedes'), diga('institution.submit.problem.notTheirs')];
  await expect(
    page.getByText(`${diga('institution.submit.sending.record', { row: 2 })}: ${what}: ${wrong}`),
  ).toBeVisible();
  await pardon(complaints, 'status of 422');
});

test('two institute keys suspend an institution, and its page says so', async ({
  page,
  api,
  another,
  complaints,
}, info) => {
  const key = await newOpenedKey();
  const name = `Clinic ${randomUUID().slice(0, 13)}`;
  const clinic = await api.newInstitution(keyOfSeed(key.seed), name);
  await rememberIn(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  await page.goto('/institution');
  await onScreen(page, name);

  const [first = '', second = ''] = await instituteKeys();
  const institute = await another();
  await institute.goto('/institute');
  await onScreen(institute, say('institute.title'));
  const useKey = async (typed: string) => {
    await field(institute, say('institute.key.label')).fill(typed);
    await press(institute, say('institute.key.use'));
    await expect(institute.getByRole('button', { name: say('institute.key.forget') })).toBeVisible();
  };
  await useKey(first);
  await choose(institute, say('institute.open'));
  await onScreen(institute, say('institute.propose.title'));
  await institute
    .getByRole('radio', { name: new RegExp(`^${say('institute.propose.choice.suspendIEO.name')}`) })
    .check();
  await institute.getByRole('searchbox', { name: say('institute.propose.institution') }).fill(name);
  await choose(institute, name);
  await field(institute, say('institute.propose.reason')).fill('It does not answer.');
  await field(institute, say('institute.propose.why')).fill('Three letters came back.');
  await survey(institute, 'institute-propose', info);
  await press(institute, say('institute.propose.send'));
  await onScreen(institute, say('institute.title'));
  await expect(institute.getByText(say('institute.propose.done'))).toBeVisible();

  const proposal = institute.getByRole('article').filter({ hasText: name });
  await proposal.getByRole('button', { name: say('institute.proposal.approve') }).click();
  await expect(institute.getByText(say('institute.proposal.second'))).toBeVisible();
  await press(institute, say('institute.proposal.yes'));
  await expect(institute.getByText(say('institute.problem.ALREADY_APPROVED'))).toBeVisible();
  await pardon(complaints, 'status of 409');
  await press(institute, say('institute.proposal.no'));
  await survey(institute, 'institute', info);

  await press(institute, say('institute.key.forget'));
  await useKey(second);
  await proposal.getByRole('button', { name: say('institute.proposal.approve') }).click();
  await press(institute, say('institute.proposal.yes'));
  const what = say('institute.does.suspendIEO', { name });
  await expect(institute.getByText(say('institute.proposal.approved', { what }))).toBeVisible();
  await expect(proposal.getByText(say('institute.proposal.state.EXECUTED'), { exact: true }).first()).toBeVisible();

  await page.reload();
  const suspended = say('dashboard.institutionState.SUSPENDED.title', { domain: clinic.domain });
  await expect(page.getByText(suspended)).toBeVisible();
  await expect(page.getByText('It does not answer.')).toBeVisible();
  await survey(page, 'institution-suspended', info);
});

test('one institute key certifies an institution, which sees it on its page', async ({ page, api, another }, info) => {
  const key = await newOpenedKey();
  const name = `Laboratory ${randomUUID().slice(0, 13)}`;
  const laboratory = await api.newInstitution(keyOfSeed(key.seed), name, 'LAB');
  const [, , third = ''] = await instituteKeys();
  const institute = await another();
  await institute.goto('/institute?step=certify');
  await field(institute, say('institute.key.label')).fill(third);
  await press(institute, say('institute.key.use'));
  await institute.getByRole('searchbox', { name: say('institute.propose.institution') }).fill(laboratory.domain);
  await choose(institute, name);
  await institute.getByRole('radio', { name: /^advanced/i }).check();
  await institute.getByRole('checkbox', { name: say('scope.category.BSP-HR') }).check();
  await expect(institute.getByText(say('institute.certifying.scope'))).toBeVisible();
  await survey(institute, 'institute-certify', info);
  await press(institute, say('institute.certifying.send'));
  const level = say('scope.certLevel.ADVANCED');
  await expect(institute.getByText(say('institute.certifying.done', { name, level }))).toBeVisible();

  await rememberIn(page, { id: laboratory.id, kind: 'institution', domain: laboratory.domain }, key);
  await page.goto('/institution');
  await expect(page.getByText(level, { exact: true })).toBeVisible();
  await expect(page.getByText(say('scope.category.BSP-HR'), { exact: true })).toBeVisible();
  await page.goto('/institution/settings');
  await field(page, say('institution.settings.contacts.api')).fill('https://api.example.org/v1');
  await press(page, say('institution.settings.contacts.save'));
  await passphrase(page, say).fill(PASSPHRASE);
  await press(page, say('session.unlock.open'));
  await expect(page.getByText(say('institution.settings.contacts.saved'))).toBeVisible();
});
