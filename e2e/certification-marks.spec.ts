import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import type { Api } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { healthRecord, submitRecords } from './health-records.ts';
import { chooseOption, clickButton, expectScreen, optionButton } from './page-actions.ts';
import { newStoredHolder, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');
const CERTIFIED = `${t('scope.certLevel.ADVANCED')}, ${t('scope.certification.limited')}`;
const UNCERTIFIED = t('scope.certLevel.UNCERTIFIED');

/** A certified laboratory, an unrelated one at a subdomain of it, and a holder in the browser with a consent to both. */
async function newLaboratories(page: Page, api: Api) {
  const id = randomUUID().slice(0, 8);
  const [holder, lab] = await Promise.all([
    newStoredHolder(page, api),
    api.newInstitution(undefined, `Laboratory ${id}`, 'LAB'),
  ]);
  const unrelated = await api.newInstitution(undefined, `Results of ${id}`, 'LAB', `results.${lab.domain}`);
  await api.certify(lab.id, { level: 'ADVANCED', intents: ['SUBMIT_RECORD'], categories: ['BSP-VT', 'BSP-GN'] });
  const scope = { intents: ['SUBMIT_RECORD'], categories: ['*'] };
  const tokens = await Promise.all([lab, unrelated].map(({ id }) => api.grant(holder, id, scope)));
  return {
    holder,
    tokens: tokens.map(({ token }) => token.token_id),
    lab: { ...lab, name: `Laboratory ${id}` },
    unrelated: { ...unrelated, name: `Results of ${id}` },
    above: t('scope.certification.above', { above: lab.domain }),
  };
}

test('every page marks whether an institution is certified, and that a subdomain is another institution’s @long', async ({
  page,
  api,
  request,
}, info) => {
  const { holder, lab, unrelated, above, tokens } = await newLaboratories(page, api);
  const [labToken = '', unrelatedToken = ''] = tokens;
  await submitRecords(request, lab, holder, labToken, [healthRecord(30, '2026-01-10')]);
  await submitRecords(request, unrelated, holder, unrelatedToken, [healthRecord(31, '2026-02-10')]);
  const expectMarked = async (items: Locator) => {
    const [certified, other] = [items.filter({ hasText: lab.name }), items.filter({ hasText: unrelated.name })];
    await expect(certified.first()).toContainText(CERTIFIED);
    await expect(certified.first()).not.toContainText(above);
    await expectUncertified(other.first(), above);
  };

  await page.goto('/me');
  await expectMarked(page.getByRole('main').getByRole('listitem').getByRole('listitem'));
  await page.goto('/me/consents');
  await expectMarked(page.getByRole('main').getByRole('listitem'));
  const beyond = t('scope.certification.beyond', {
    what: t('scope.certification.otherData', {
      categories: `${t('scope.category.BSP-VT')} and ${t('scope.category.BSP-GN')}`,
    }),
  });
  const limited = page.getByRole('listitem').filter({ hasText: lab.name });
  await limited.getByRole('button', { expanded: false }).click();
  await expect(limited).toContainText(beyond);
  await checkScreen(page, 'consents-marked', info);
  await page.goto(`/me/consents/${unrelatedToken}`);
  await expectUncertified(page.getByRole('article'), above);

  await page.goto('/me/records');
  await clickButton(page, t('scope.self.give'));
  await unlockKey(page, t);
  await expect(page.getByText(t('scope.certification.legend'))).toBeVisible();
  const vitamin = page.getByRole('link', { name: 'Vitamin D' });
  await expect(vitamin).toContainText(UNCERTIFIED);
  await vitamin.click();
  await expectMarked(page.getByRole('table').getByRole('row'));
  await mark(page, UNCERTIFIED).first().click();
  await expect(page.getByText(t('scope.certification.meansNot')).locator('visible=true')).toBeVisible();
  await page.keyboard.press('Escape');
  await checkScreen(page, 'records-marked', info);
  await page.getByRole('link', { name: t('records.all') }).click();
  await page.getByRole('link', { name: 'your access log' }).click();
  await expectMarked(page.getByRole('region').getByRole('listitem'));
  await checkScreen(page, 'access-marked', info);

  await page.goto(`/explore/${holder.domain}`);
  const consents = page.getByRole('region', { name: t('explore.consents.title') }).getByRole('row');
  await expect(consents.filter({ hasText: unrelated.domain })).toContainText(above);
  await expect(consents.filter({ hasText: lab.domain }).filter({ hasText: CERTIFIED })).toHaveCount(1);
  for (const reference of [unrelatedToken, unrelated.domain]) {
    await page.goto(`/explore/${reference}`);
    await expectUncertified(page.getByRole('article'), above);
  }
  await page.goto(`/explore/${lab.domain}`);
  await expect(page.getByRole('article')).toContainText(CERTIFIED);
  await mark(page, CERTIFIED).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(t('scope.certification.means'))).toBeVisible();
  await expect(page.getByText(t('scope.certification.meansLimited'))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText(t('scope.certification.means'))).toBeHidden();
  await checkScreen(page, 'explore-marked', info);
});

const mark = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });

async function expectUncertified(element: Locator, above: string): Promise<void> {
  await expect(element).toContainText(UNCERTIFIED);
  await expect(element).toContainText(above);
}

test('the consent form marks what the institution is not certified for @long', async ({ page, api }, info) => {
  const { lab, unrelated, above } = await newLaboratories(page, api);
  await page.goto('/me/consents/new');
  await page.getByRole('searchbox', { name: t('consents.who.search') }).fill(lab.name.split(' ')[1] ?? '');
  await expect(optionButton(page, unrelated.name)).toContainText(above);
  await expect(optionButton(page, unrelated.name)).toContainText(t('consents.who.uncertified'));
  const certifiedFor = [t('scope.intent.SUBMIT_RECORD.name'), t('scope.category.BSP-VT')];
  for (const text of [CERTIFIED, ...certifiedFor]) await expect(optionButton(page, lab.name)).toContainText(text);
  await checkScreen(page, 'consent-who-marked', info);
  await chooseOption(page, lab.name);

  await expectScreen(page, t('consents.may.title', { who: lab.name }));
  const main = page.getByRole('main');
  await expect(main).toContainText(CERTIFIED);
  const beyondThis = t('scope.certification.beyondThis');
  const option = (name: string) => main.locator('label').filter({ hasText: new RegExp(`^${name}`, 'i') });
  await expect(option(t('scope.intent.READ_RECORDS.name'))).toContainText(beyondThis);
  await expect(option(t('scope.intent.SUBMIT_RECORD.name'))).not.toContainText(beyondThis);
  await option(t('scope.intent.READ_RECORDS.name')).getByRole('checkbox').check();
  await option(t('scope.intent.SUBMIT_RECORD.name')).getByRole('checkbox').check();
  await checkScreen(page, 'consent-may-marked', info);
  await clickButton(page, t('common.next'));
  await option(t('consents.data.some')).getByRole('radio').check();
  await expect(option(t('scope.category.BSP-HR'))).toContainText(beyondThis);
  await expect(option(t('scope.category.BSP-VT'))).not.toContainText(beyondThis);
  await option(t('scope.category.BSP-HR')).getByRole('checkbox').check();
  await option(t('scope.category.BSP-VT')).getByRole('checkbox').check();
  await clickButton(page, t('common.next'));
  await option(t('consents.when.any')).click();
  await option(t('consents.long.days', { days: 90 })).click();
  await expectScreen(page, t('consents.review.title', { who: lab.name }));
  const what = `${t('scope.intent.READ_RECORDS.name')}; ${t('scope.category.BSP-HR')}`;
  await expect(main).toContainText(t('scope.certification.beyond', { what }));
  await checkScreen(page, 'consent-review-marked', info);
});
