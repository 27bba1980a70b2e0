import type { Page } from '@playwright/test';
import { keyOfSeed } from './api.ts';
import { checkScreen, saveScreenshot } from './check-screen.ts';
import { expect, expectPageError, test, translatorFor } from './fixtures.ts';
import { chooseOption, clickButton, clickLink, expectScreen, optionButton, pageCountOf } from './page-actions.ts';
import { copyConsent } from './product-database.ts';
import { newOpenedKey, newStoredHolder, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

const next = (page: Page) => clickButton(page, t('common.next'));
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const dialog = (page: Page) => page.getByRole('dialog');
const label = (text: string) => new RegExp(`^${text.replace(/\W/g, '\\$&')}`, 'i');
const option = (page: Page, text: string) => page.getByLabel(label(text)).first();

test('a holder gives a consent, prints its receipt, and withdraws it @desktop', async ({ page, api }, info) => {
  const clinic = `Clinic ${crypto.randomUUID().slice(0, 8)}`;
  const [holder, institution] = await Promise.all([newStoredHolder(page, api), api.newInstitution(undefined, clinic)]);
  await page.goto('/me/consents');
  await expect(page.getByRole('heading', { name: t('consents.none.title') })).toBeVisible();
  await checkScreen(page, 'consents-none', info);
  await clickLink(page, t('consents.give'));

  await expectScreen(page, t('consents.who.title'));
  await page.getByRole('searchbox', { name: t('consents.who.search') }).fill(clinic.toUpperCase());
  await expect(optionButton(page, clinic)).toContainText(t('consents.who.uncertified'));
  await checkScreen(page, 'consent-who', info);
  await chooseOption(page, clinic);

  await expectScreen(page, t('consents.may.title', { who: clinic }));
  await expect(page.locator('input:checked')).toHaveCount(0);
  await next(page);
  await expect(page.getByText(t('consents.missing.may'))).toBeVisible();
  await option(page, t('scope.intent.READ_RECORDS.name')).check();
  await option(page, t('scope.intent.SUBMIT_RECORD.name')).check();
  await checkScreen(page, 'consent-may', info);
  await next(page);

  await expectScreen(page, t('consents.data.title'));
  await expect(page.locator('input:checked')).toHaveCount(0);
  await option(page, t('consents.data.some')).check();
  await expect(page.locator('input:checked')).toHaveCount(1);
  await option(page, t('scope.category.BSP-HR')).check();
  await option(page, t('scope.category.BSP-GL')).check();
  await checkScreen(page, 'consent-data', info);
  await next(page);

  await expectScreen(page, t('consents.when.title'));
  await option(page, t('consents.when.some')).check();
  await page.getByLabel(t('consents.when.from'), { exact: true }).fill('2026-01-15');
  await page.getByText(t('consents.when.more')).click();
  await page.getByLabel(t('consents.when.most')).fill('40');
  await checkScreen(page, 'consent-when', info);
  await next(page);

  await expectScreen(page, t('consents.long.title'));
  await expect(page.locator('input:checked')).toHaveCount(0);
  await checkScreen(page, 'consent-long', info);
  await option(page, t('consents.long.days', { days: 90 })).click();

  await expectScreen(page, t('consents.review.title', { who: clinic }));
  await page.getByRole('button', { name: `${t('common.change')} ${t('scope.about')}` }).click();
  await expectScreen(page, t('consents.data.title'));
  await option(page, t('scope.category.BSP-GL')).uncheck();
  await page.goBack();
  const review = page.getByRole('main');
  await expect(review.getByText(t('consents.review.public', { domain: holder.domain }))).toBeVisible();
  await expect(review).toContainText(/January 15, 2026|15 January 2026/);
  await expect(review).toContainText(t('scope.left', { days: 90 }));
  await checkScreen(page, 'consent-review', info);
  await clickButton(page, t('consents.review.give'));
  await unlockKey(page, t);

  await expectScreen(page, t('consents.givenTitle'));
  const receipt = page.getByRole('article');
  await expect(receipt).toContainText(holder.domain);
  await expect(receipt).toContainText(institution.domain);
  await expect(receipt).toContainText(t('scope.category.BSP-HR'));
  await expect(receipt).not.toContainText(t('scope.category.BSP-GL'));
  await expect(receipt).toContainText(t('scope.records', { count: 40 }));
  await checkScreen(page, 'consent-given', info);
  await clickLink(page, t('consents.toConsents'));

  const granted = card(page, clinic);
  await expect(granted).toContainText(t('scope.left', { days: 90 }));
  await expect(granted.getByRole('link')).toHaveCount(0);
  await granted.getByRole('button', { name: clinic, expanded: false }).press('Enter');
  await expect(granted).toContainText(t('scope.records', { count: 40 }));
  await checkScreen(page, 'consents-open', info);
  await granted.getByRole('button', { name: clinic, expanded: true }).press('Space');
  await expect(granted.getByRole('link')).toHaveCount(0);
  await granted.getByRole('button', { name: clinic, expanded: false }).click();
  await granted.getByRole('link').click();
  await expectScreen(page, t('consents.oneTitle'));
  await expect(receipt).toContainText(t('consents.receipt.status', { status: 'FINAL' }));
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation').first()).toBeHidden();
  await expect(page.getByRole('button', { name: t('consents.receipt.print') })).toBeHidden();
  expect(pageCountOf(await page.pdf({ format: 'A4' }))).toBe(1);
  await saveScreenshot(page, 'consent-printed', info);
  await page.emulateMedia({ media: 'screen' });

  await clickButton(page, t('consents.withdraw'));
  await expect(dialog(page)).toContainText(t('consents.withdrawing.notUnread'));
  await clickButton(page, t('consents.withdrawing.no', { count: 1 }));
  await expect(receipt).toContainText(t('common.state.ACTIVE_CONSENT'));
  await clickButton(page, t('consents.withdraw'));
  await checkScreen(page, 'consent-withdraw', info);
  await clickButton(page, t('consents.withdrawing.yes', { count: 1 }));
  await expect(dialog(page)).toContainText(t('consents.withdrawing.done', { count: 1 }));
  await clickButton(page, t('consents.withdrawing.close'));
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(receipt).toContainText(t('common.state.WITHDRAWN'));
});

test('a locked identity gives no consent, and withdraws by institution, by purpose and all at once @long', async ({
  page,
  api,
}, info) => {
  const [holder, ...institutions] = await Promise.all([
    newStoredHolder(page, api),
    api.newInstitution(undefined, 'Laboratory One', 'LAB'),
    api.newInstitution(undefined, 'Clinic Two'),
    api.newInstitution(undefined, 'Study Three', 'RESEARCH'),
  ]);
  const [lab, clinic, study] = institutions;
  const submitting = { intents: ['SUBMIT_RECORD'], categories: ['BSP-HM'] };
  // Ten in all: from then on there are filters.
  for (const category of ['BSP-VT', 'BSP-MN', 'BSP-RN', 'BSP-LP', 'BSP-GL'])
    await api.grant(holder, study.id, { ...submitting, categories: [category] });
  for (const { id } of institutions) await api.grant(holder, id);
  const granted = await api.grant(holder, lab.id, submitting);
  await api.grant(holder, clinic.id, submitting);
  await api.lock(holder);

  await page.goto('/me/consents/new');
  await expectScreen(page, t('consents.locked.title'));
  await checkScreen(page, 'consents-locked', info);
  await clickLink(page, t('consents.back'));
  await expect(card(page, 'Laboratory One')).toHaveCount(2);
  await expect(page.getByText(t('consents.counts', { live: 10, ended: 0, total: 10 }))).toBeVisible();
  await checkScreen(page, 'consents', info);

  await page.getByLabel(t('consents.filter.text'), { exact: true }).fill('blood COUNT');
  await expect(page.getByText(t('consents.shown', { shown: 2, total: 10 }))).toBeVisible();
  await page.getByLabel(t('consents.filter.text'), { exact: true }).fill('');
  await page.getByLabel(t('consents.filter.grantee')).selectOption(study.id);
  await expect(page.getByText(t('consents.shown', { shown: 6, total: 10 }))).toBeVisible();
  await page.getByLabel(t('consents.filter.grantee')).selectOption('');

  await clickButton(page, t('consents.withdrawSeveral'));
  await checkScreen(page, 'consents-several', info);
  await chooseOption(page, t('consents.several.grantee'));
  await dialog(page)
    .getByRole('button', { name: label('Laboratory One') })
    .click();
  await checkScreen(page, 'consents-withdraw-institution', info);
  await clickButton(page, t('consents.withdrawing.yes', { count: 2 }));
  await unlockKey(page, t);
  await expect(dialog(page)).toContainText(t('consents.withdrawing.done', { count: 2 }));
  await clickButton(page, t('consents.withdrawing.close'));
  await expect(page.getByText(t('consents.counts', { live: 8, ended: 2, total: 10 }))).toBeVisible();
  expect((await api.consent(granted.token.token_id)).token.status).toBe('REVOKED');

  await clickButton(page, t('consents.withdrawSeveral'));
  await chooseOption(page, t('consents.several.intent'));
  await page.getByRole('button', { name: label(t('scope.intent.SUBMIT_RECORD.name')) }).click();
  await clickButton(page, t('consents.withdrawing.yes', { count: 6 }));
  await expect(dialog(page)).toContainText(t('consents.withdrawing.done', { count: 6 }));
  await clickButton(page, t('consents.withdrawing.close'));
  await page.getByLabel(t('consents.filter.state')).selectOption('ended');
  await expect(page.getByText(t('consents.shown', { shown: 8, total: 10 }))).toBeVisible();

  await clickButton(page, t('consents.withdrawSeveral'));
  await chooseOption(page, t('consents.several.all'));
  await clickButton(page, t('consents.withdrawing.yes', { count: 2 }));
  await expect(dialog(page)).toContainText(t('consents.withdrawing.done', { count: 2 }));
  await clickButton(page, t('consents.withdrawing.close'));
  await expect(page.getByText(t('consents.shown', { shown: 10, total: 10 }))).toBeVisible();
  await expect(page.getByRole('button', { name: t('consents.withdrawSeveral') })).toBeHidden();
});

test('options that an institution may not have are disabled with a reason; a duplicate consent links to the first @long', async ({
  page,
  api,
  pageErrors,
}, info) => {
  const [holder, insurer, wearable, clinic] = await Promise.all([
    newStoredHolder(page, api),
    api.newInstitution(undefined, 'Insurance Ltd', 'INSURER'),
    api.newInstitution(undefined, 'Bracelets Ltd', 'WEARABLE'),
    api.newInstitution(undefined, 'A Clinic'),
  ]);
  const { token } = await api.grant(holder, clinic.id, { intents: ['READ_RECORDS'], categories: ['*'] });

  await page.goto(`/me/consents/new?to=${wearable.domain}`);
  await expect(page.getByText(t('consents.who.proposed'))).toBeVisible();
  await chooseOption(page, 'Bracelets Ltd');
  await expectScreen(page, t('consents.may.title', { who: 'Bracelets Ltd' }));
  await expect(option(page, t('scope.intent.READ_RECORDS.name'))).toBeDisabled();
  await expect(page.getByText(t('consents.impossible.wearableReads'))).toBeVisible();
  await option(page, t('scope.intent.SUBMIT_RECORD.name')).check();
  await checkScreen(page, 'consent-impossible', info);
  await next(page);
  await expect(option(page, t('consents.data.all'))).toBeDisabled();
  await option(page, t('consents.data.some')).check();
  await expect(page.getByRole('checkbox')).toHaveCount(1);

  await clickLink(page, t('common.back'));
  await clickLink(page, t('common.back'));
  await page.getByRole('searchbox', { name: t('consents.who.search') }).fill(insurer.domain);
  await chooseOption(page, 'Insurance Ltd');
  await expectScreen(page, t('consents.may.title', { who: 'Insurance Ltd' }));
  await expect(page.locator('input:checked')).toHaveCount(0);
  await option(page, t('scope.intent.READ_RECORDS.name')).check();
  await next(page);
  await option(page, t('consents.data.all')).click();
  await option(page, t('consents.when.any')).click();
  await expect(option(page, t('consents.long.withdrawn'))).toBeDisabled();
  await option(page, t('consents.long.day')).check();
  await page.getByLabel(t('consents.long.endsOn'), { exact: true }).fill('2020-01-01');
  await next(page);
  await expect(page.getByText(t('consents.missing.end'))).toBeVisible();
  await page.getByLabel(t('consents.long.endsOn'), { exact: true }).fill('2099-05-03');
  await next(page);
  await expect(page.getByText(/until the end of 3 May 2099.*expires on 4 May 2099/)).toBeVisible();

  await page.goto(`/me/consents/new?to=${clinic.domain}`);
  await chooseOption(page, 'A Clinic');
  await option(page, t('scope.intent.READ_RECORDS.name')).check();
  await next(page);
  await option(page, t('consents.data.all')).click();
  await option(page, t('consents.when.any')).click();
  await option(page, t('consents.long.withdrawn')).click();
  await clickButton(page, t('consents.review.give'));
  await unlockKey(page, t);
  await expect(page.getByText(t('errors.DUPLICATE_TOKEN'))).toBeVisible();
  await expectPageError(pageErrors, 'status of 409');
  await clickLink(page, t('consents.review.existing'));
  await expect(page).toHaveURL(new RegExp(token.token_id));
  await expectScreen(page, t('consents.oneTitle'));
  await clickButton(page, t('consents.withdraw'));
  await expect(
    page.getByRole('dialog', {
      name: t('consents.withdrawing.title.one', { own: 'no', who: 'A Clinic' }),
      exact: true,
    }),
  ).toBeVisible();
});

test('10,000 consents load in the background, and the page renders only those in view @long', async ({ page, api }) => {
  const key = await newOpenedKey();
  const [holder, institution] = await Promise.all([
    newStoredHolder(page, api),
    api.newInstitution(keyOfSeed(key.seed), 'A Clinic'),
  ]);
  const { token } = await api.grant(holder, institution.id);
  await copyConsent(token.token_id, 9_999);
  await page.goto('/me/consents');
  const cards = page.getByRole('list', { name: t('consents.list') }).getByRole('listitem');
  await expect(cards.first()).toContainText('A Clinic');
  await expect(page.getByText(t('consents.counts', { live: 8_001, ended: 1_999, total: 10_000 }))).toBeVisible();
  await expect(cards.first()).toHaveAttribute('aria-setsize', '10000');
  for (const share of [0.3, 0.7, 1]) {
    await page.evaluate((part) => window.scrollTo(0, document.documentElement.scrollHeight * part), share);
    await expect
      .poll(async () => Number(await cards.first().getAttribute('aria-posinset')))
      .toBeGreaterThan(9_000 * share);
    expect(await cards.count()).toBeLessThan(25);
  }
  await expect(cards.last()).toContainText(t('common.state.WITHDRAWN'));
  await page.getByLabel(t('consents.filter.state')).selectOption('ended');
  await expect(page.getByText(t('consents.shown', { shown: 1_999, total: 10_000 }))).toBeVisible();

  await storeIdentity(page, { ...institution, kind: 'institution' }, key);
  await page.goto('/institution/consents');
  const counts = { shown: 10_000, all: 10_000, active: 8_001, complete: 'true' };
  await expect(page.getByText(t('institution.consents.counts', counts))).toBeVisible();
  const rows = page.getByRole('table').getByRole('row');
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight * 0.7));
  await expect.poll(async () => Number(await rows.nth(1).getAttribute('aria-rowindex'))).toBeGreaterThan(6_300);
  expect(await rows.count()).toBeLessThan(60);
});
