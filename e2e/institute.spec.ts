import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { instituteKeys, keyOfSeed } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, expectPageError, test, translatorFor } from './fixtures.ts';
import { chooseOption, clickButton, clickLink, expectScreen } from './page-actions.ts';
import { newOpenedKey, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true }).locator('visible=true');

test('two institute keys suspend an institution, and its page shows it @desktop @long', async ({
  page,
  api,
  newUser,
  pageErrors,
}, info) => {
  const key = await newOpenedKey();
  const name = `Clinic ${randomUUID().slice(0, 13)}`;
  const clinic = await api.newInstitution(keyOfSeed(key.seed), name);
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  await page.goto('/institution');
  await expectScreen(page, name);

  const [first = '', second = ''] = await instituteKeys();
  const institute = await newUser();
  await institute.goto('/institute');
  await expectScreen(institute, t('institute.title'));
  const useKey = async (typed: string) => {
    await field(institute, t('institute.key.label')).fill(typed);
    await clickButton(institute, t('institute.key.use'));
    await expect(institute.getByRole('button', { name: t('institute.key.forget') })).toBeVisible();
  };
  await field(institute, t('institute.key.label')).fill('not a key');
  await clickButton(institute, t('institute.key.use'));
  await expect(institute.getByText(t('institute.key.wrong'))).toBeVisible();
  await expectPageError(pageErrors, 'status of 401');
  await useKey(first);
  await expect(institute.getByText(/^Key 1 is held until/)).toBeVisible();
  await chooseOption(institute, t('institute.open'));
  await expectScreen(institute, t('institute.propose.title'));
  await clickButton(institute, t('institute.review.next'));
  await expect(institute.getByText(t('institute.propose.noAction'))).toBeVisible();
  await institute.getByRole('radio', { name: new RegExp(`^${t('institute.propose.choice.suspendIEO.name')}`) }).check();
  await expect(institute.locator('[aria-invalid=true]')).toHaveCount(0);
  await expect(institute.getByText(t('institute.effect.suspendIEO'))).toBeVisible();
  await institute.getByRole('searchbox', { name: t('institute.propose.institution') }).fill(name);
  await chooseOption(institute, name);
  await field(institute, t('institute.propose.reason')).fill('It does not answer.');
  await clickButton(institute, t('institute.review.next'));
  await expect(institute.getByText(t('institute.propose.noWhy'))).toBeVisible();
  await field(institute, t('institute.propose.why')).fill('Three letters came back.');
  await checkScreen(institute, 'institute-propose', info);
  await clickButton(institute, t('institute.review.next'));
  await expect(institute.getByRole('heading', { name: t('institute.review.proposalTitle') })).toBeVisible();
  await expect(institute.getByText('Three letters came back.')).toBeVisible();
  await checkScreen(institute, 'institute-propose-review', info);
  await clickButton(institute, t('institute.propose.send'));
  await expectScreen(institute, t('institute.title'));
  await expect(institute.getByText(t('institute.propose.done'))).toBeVisible();

  const proposal = institute.getByRole('article').filter({ hasText: name });
  await expect(proposal.getByText(t('institute.proposal.own', { approver: 1 }))).toBeVisible();
  await expect(proposal.getByText(/can’t be rejected/)).toBeVisible();
  await expect(proposal.getByRole('button', { name: t('institute.proposal.approve') })).toHaveCount(0);
  await checkScreen(institute, 'institute', info);

  await clickButton(institute, t('institute.key.forget'));
  await useKey(second);
  await proposal.getByRole('button', { name: t('institute.proposal.approve') }).click();
  await clickButton(institute, t('institute.proposal.yes'));
  await expect(institute.getByText(t('institute.carriedOut.suspendIEO', { name }))).toBeVisible();
  await expect(proposal.getByText(t('common.state.EXECUTED'), { exact: true }).first()).toBeVisible();
  await proposal.getByRole('button', { name: t('institute.proposal.reinstate') }).click();
  await expectScreen(institute, t('institute.propose.title'));
  await expect(institute.getByText(t('institute.effect.reinstateIEO'))).toBeVisible();
  await expect(institute.getByText(`Chosen: ${name}`)).toBeVisible();
  await clickButton(institute, t('institute.back'));

  await chooseOption(institute, t('institute.list.title'));
  await expectScreen(institute, t('institute.list.title'));
  await institute.getByLabel(t('institute.list.show')).selectOption(t('institute.list.suspended'));
  const row = institute.getByRole('row').filter({ hasText: name });
  await expect(row.getByText(t('common.state.SUSPENDED'), { exact: true })).toBeVisible();
  await expect(institute.getByRole('columnheader', { name: t('institute.list.since') })).toBeVisible();
  await institute.locator('summary', { hasText: t('common.table.columns') }).click();
  await institute.getByRole('checkbox', { name: t('institute.list.type') }).uncheck();
  await expect(institute.getByRole('columnheader', { name: t('institute.list.type') })).toHaveCount(0);
  await institute.reload();
  await expect(row).toBeVisible();
  await expect(institute.getByRole('columnheader', { name: t('institute.list.ends') })).toBeVisible();
  await expect(institute.getByRole('columnheader', { name: t('institute.list.type') })).toHaveCount(0);
  await expect(institute.getByText(t('common.table.hidden', { count: 1 }))).toBeVisible();
  await institute.getByRole('searchbox', { name: t('institute.list.find') }).fill(name);
  await expect(institute.getByRole('row')).toHaveCount(2);
  expect(new URL(institute.url()).search).toBe('?step=institutions&level=SUSPENDED');
  await checkScreen(institute, 'institute-list', info);
  await clickButton(institute, t('institute.back'));
  await chooseOption(institute, t('institute.log.title'));
  const decided = institute.getByRole('row').filter({ hasText: clinic.domain });
  const words = t('entryWords.decided.action', { action: 'suspendIEO', domain: clinic.domain });
  await expect(decided.filter({ hasText: words })).toHaveCount(1);
  await checkScreen(institute, 'institute-decisions', info);

  await page.reload();
  const suspended = t('dashboard.institutionState.SUSPENDED.title', { domain: clinic.domain });
  await expect(page.getByText(suspended)).toBeVisible();
  await expect(page.getByText('It does not answer.')).toBeVisible();
  await checkScreen(page, 'institution-suspended', info);
});

test('an institution asks for a certification, one institute key certifies and renews it, and its page shows it @desktop', async ({
  page,
  api,
  newUser,
}, info) => {
  const key = await newOpenedKey();
  const name = `Laboratory ${randomUUID().slice(0, 13)}`;
  const laboratory = await api.newInstitution(keyOfSeed(key.seed), name, 'LAB');
  await storeIdentity(page, { id: laboratory.id, kind: 'institution', domain: laboratory.domain }, key);
  await page.goto('/institution');
  await expect(page.getByRole('heading', { name: t('institution.inbox.uncertified.title') })).toBeVisible();
  await checkScreen(page, 'institution', info);
  const inbox = page.getByRole('region', { name: t('institution.inbox.title') });
  await inbox.getByRole('link', { name: t('institution.inbox.uncertified.action') }).click();
  await expectScreen(page, t('institution.certification.title'));
  await clickButton(page, t('institution.certification.ask.open'));
  await unlockKey(page, t);
  await clickButton(page, t('institution.certification.ask.send'));
  await expect(page.getByText(t('institution.certification.ask.noGrounds'))).toBeVisible();
  await page.getByRole('radio', { name: /^advanced/i }).check();
  await page.getByRole('checkbox', { name: t('scope.category.BSP-HR') }).check();
  await field(page, t('institution.certification.ask.grounds')).fill('ISO 15189, certificate 4711.\nAudited in May.');
  await checkScreen(page, 'institution-certification-ask', info);
  await clickButton(page, t('institution.certification.ask.send'));
  await expect(page.getByText(t('institution.certification.ask.waiting'))).toBeVisible();
  await checkScreen(page, 'institution-certification-asked', info);

  const [, , third = ''] = await instituteKeys();
  const institute = await newUser();
  await institute.goto('/institute');
  const requests = '**/api/trpc/certificationRequests**';
  await institute.route(requests, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('in May', 'in June') });
  });
  await field(institute, t('institute.key.label')).fill(third);
  await clickButton(institute, t('institute.key.use'));
  const { domain } = laboratory;
  await expect(institute.getByText(t('institute.requests.notSigned', { domain }))).toBeVisible();
  await expect(institute.getByRole('article').filter({ hasText: domain })).toHaveCount(0);
  await checkScreen(institute, 'institute-request-not-signed', info);
  await institute.unroute(requests);
  await institute.reload();
  await field(institute, t('institute.key.label')).fill(third);
  await clickButton(institute, t('institute.key.use'));
  const asks = institute.getByRole('article').filter({ hasText: laboratory.domain });
  await expect(asks.getByText('Audited in May.')).toBeVisible();
  await expect(asks.getByText(t('institute.requests.signed'))).toBeVisible();
  await asks.getByRole('button', { name: t('institute.requests.decline') }).click();
  await clickButton(institute, t('institute.requests.declineNow'));
  await expect(asks.getByText(t('institute.requests.noReason'))).toBeVisible();
  await checkScreen(institute, 'institute-requests', info);
  await clickButton(institute, t('institute.requests.cancel'));
  await asks.getByRole('button', { name: t('institute.requests.certify') }).click();
  await expect(institute.getByText(new RegExp(name))).toBeVisible();
  await expect(institute.getByRole('radio', { name: /^advanced/i })).toBeChecked();
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  await field(institute, t('institute.propose.expires')).fill(soon);
  await expect(institute.getByText(t('institute.certifying.scope'))).toBeVisible();
  await checkScreen(institute, 'institute-certify', info);
  await institute.reload();
  await expect(institute.getByRole('radio', { name: /^advanced/i })).toBeChecked();
  await expect(institute.getByRole('checkbox', { name: t('scope.category.BSP-HR') })).toBeChecked();
  await field(institute, t('institute.key.label')).fill(third);
  await clickButton(institute, t('institute.key.use'));
  // The form of the key becomes shorter, and moves what is below it.
  await expect(institute.getByRole('button', { name: t('institute.key.forget') })).toBeVisible();
  await clickButton(institute, t('institute.review.next'));
  await expect(institute.getByRole('heading', { name: t('institute.review.title') })).toBeVisible();
  await checkScreen(institute, 'institute-certify-review', info);
  await clickButton(institute, t('institute.review.change'));
  await expect(institute.getByRole('checkbox', { name: t('scope.category.BSP-HR') })).toBeChecked();
  await clickButton(institute, t('institute.review.next'));
  await clickButton(institute, t('institute.certifying.send'));
  const level = t('scope.certLevel.ADVANCED');
  const certified = institute.getByText(t('institute.certifying.done', { name, level: 'ADVANCED' }));
  await expect(certified).toBeVisible();
  await expect(asks).toHaveCount(0);
  const ending = institute.getByRole('row').filter({ hasText: laboratory.domain });
  await checkScreen(institute, 'institute-ending', info);
  await ending.getByRole('button', { name: t('institute.ending.renew') }).click();
  await expect(institute.getByRole('heading', { name: t('institute.review.title') })).toBeVisible();
  await clickButton(institute, t('institute.certifying.send'));
  await expect(certified).toBeVisible();
  await expect(ending).toHaveCount(0);

  await page.reload();
  await expect(page.getByText(/answered your request of/)).toHaveCount(0);
  await clickButton(page, t('institution.certification.ask.open'));
  await unlockKey(page, t);
  await expect(page.getByText(/^The institute answered your request of/)).toBeVisible();
  await page.goto('/institution');
  await expect(page.getByText(level, { exact: true })).toBeVisible();
  await clickLink(page, t('institution.certification.see'));
  await expect(page.getByText(t('scope.category.BSP-HR'), { exact: true })).toBeVisible();
  await page.goto('/institution/settings');
  await field(page, t('institution.settings.contacts.api')).fill('https://api.example.org/v1');
  await clickButton(page, t('institution.settings.contacts.save'));
  await unlockKey(page, t);
  await expect(page.getByText(t('institution.settings.contacts.saved'))).toBeVisible();
});
