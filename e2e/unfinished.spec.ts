import { expect, expectPageError, test, translatorFor } from './fixtures.ts';
import { clickButton, clickLink, expectScreen } from './page-actions.ts';
import { newStoredHolder, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('offline, a link keeps the page with its unlocked key and typed text, and is followed once online', async ({
  page,
  api,
  pageErrors,
}) => {
  await newStoredHolder(page, api);
  await page.goto('/me/consents/new');
  await clickButton(page, t('session.open'));
  await unlockKey(page, t);
  const search = page.getByRole('searchbox', { name: t('consents.who.search') });
  await search.fill('Santa Clara');
  await page.context().setOffline(true);
  await expect(page.getByText(t('shell.offline'))).toBeVisible();
  await page
    .getByRole('navigation')
    .getByRole('link', { name: t('dashboard.holder.guardians'), exact: true })
    .click();
  await expect(search).toHaveValue('Santa Clara');
  await expect(page.getByText(t('session.isOpen'))).toBeAttached();
  await page.context().setOffline(false);
  await expectScreen(page, t('myGuardians.title'));
  await expect(page.getByText(t('shell.offline'))).toBeHidden();
  await expect(page.getByText(t('session.isOpen'))).toBeAttached();
  await expectPageError(pageErrors, 'ERR_INTERNET_DISCONNECTED');
});

test('a reload keeps the answers of a consent in this tab; a new beginning has none @long', {
  tag: '@desktop',
}, async ({ page, api }) => {
  const clinic = await api.newInstitution(undefined, 'Clínica São Lucas');
  await newStoredHolder(page, api);
  const option = (name: string) => page.getByLabel(new RegExp(`^${name}`, 'i')).first();
  await page.goto(`/me/consents/new?to=${clinic.domain}`);
  await page.getByRole('button', { name: /^Clínica São Lucas/ }).click();
  await option(t('scope.intent.READ_RECORDS.name')).check();
  await clickButton(page, t('common.next'));
  // A key changes the answer, and goes on only with Enter.
  await option(t('consents.data.all')).press('Space');
  await page.reload();
  await expectScreen(page, t('consents.data.title'));
  await expect(option(t('consents.data.all'))).toBeChecked();
  await page.getByRole('link', { name: t('common.back'), exact: true }).click();
  await expectScreen(page, t('consents.may.title', { who: 'Clínica São Lucas' }));
  await expect(option(t('scope.intent.READ_RECORDS.name'))).toBeChecked();
  await page.goto('/me/consents/new');
  await expectScreen(page, t('consents.who.title'));
  await page.getByRole('button', { name: new RegExp(`^${t('consents.who.self')}`) }).click();
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
});

test('a reload keeps the answers of a registration in this tab @long', { tag: '@desktop' }, async ({ page }) => {
  const name = `clinic-${crypto.randomUUID().slice(0, 8)}`;
  await page.goto('/register');
  await page.getByLabel(t('register.domain.label'), { exact: true }).fill(name);
  await expect(page.getByText(t('register.domain.free', { domain: `${name}.bsp` }))).toBeVisible();
  await page.getByRole('radio', { name: new RegExp(`^${t('register.type.HOSPITAL.name')}`) }).check();
  await page.getByLabel(t('register.name.label'), { exact: true }).fill('Santa Clara Clinic');
  await page.reload();
  await expect(page.getByLabel(t('register.name.label'), { exact: true })).toHaveValue('Santa Clara Clinic');
  await expect(page.getByLabel(t('register.domain.label'), { exact: true })).toHaveValue(name);
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(1);
  await clickButton(page, t('register.next'));
  await expectScreen(page, t('keys.choose.title'));
  await page.reload();
  await expectScreen(page, t('keys.choose.title'));
  await clickLink(page, t('common.back'));
  await page.reload();
  await expect(page.getByLabel(t('register.name.label'), { exact: true })).toHaveValue('Santa Clara Clinic');
});

test('what is changed after Next, while the domain is looked up, is not replaced by what was sent @long', {
  tag: '@desktop',
}, async ({ page }) => {
  await page.goto('/register');
  await page
    .locator('summary')
    .filter({ hasText: t('register.about.place') })
    .click();
  const jurisdiction = page.getByLabel(t('register.name.jurisdiction'), { exact: true });
  await jurisdiction.fill('Old');
  await page.getByRole('radio', { name: new RegExp(`^${t('register.type.LAB.name')}`) }).check();
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/availability/, async (route) => {
    await isAnswered;
    await route.continue();
  });
  const domain = `clinic-${crypto.randomUUID().slice(0, 8)}`;
  await page.getByLabel(t('register.name.label'), { exact: true }).fill('Santa Clara Clinic');
  await page.getByLabel(t('register.domain.label'), { exact: true }).fill(domain);
  await clickButton(page, t('register.next'));
  await jurisdiction.fill('New');
  answer();
  await expect(page.getByText(t('register.domain.free', { domain: `${domain}.bsp` }))).toBeVisible();
  await expectScreen(page, t('register.about.title'));
  await clickButton(page, t('register.next'));
  await expectScreen(page, t('keys.choose.title'));
  expect(await page.evaluate(() => sessionStorage.getItem('perpetua-draft:register'))).toContain('"New"');
});
