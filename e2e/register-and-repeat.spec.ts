import { randomUUID } from 'node:crypto';
import { checkScreen } from './check-screen.ts';
import { expect, expectPageError, test, translatorFor } from './fixtures.ts';
import { clickButton, clickLink, expectScreen, loseResponse } from './page-actions.ts';
import { newStoredHolder, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('Enter on a domain that is not checked yet goes on once it is, and a long name is not cut @long', async ({
  page,
}, info) => {
  const first = `clinic-${randomUUID().slice(0, 13)}`;
  const domain = page.getByLabel(t('register.domain.label'), { exact: true });
  const name = page.getByLabel(t('register.name.label'), { exact: true });
  await page.goto('/register');
  const long = `Clinic ${'of the river '.repeat(10)}`.slice(0, 129).concat('x');
  await name.fill(long);
  await expect(name).toHaveValue(long);
  await expect(page.getByText(t('common.tooLong', { over: 10, limit: 120 }))).toBeVisible();
  await checkScreen(page, 'register-name-too-long', info);
  await clickButton(page, t('register.next'));
  await expect(name).toBeFocused();
  await expectScreen(page, t('register.about.title'));
  await name.fill('Clínica São Vítor');
  await expect(domain).toHaveValue('clinica-sao-vitor.bsp');
  await page.getByRole('radio', { name: new RegExp(`^${t('register.type.HOSPITAL.name')}`) }).check();

  let enter = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  await page.route('**/api/trpc/availability**', async (route) => {
    await entered;
    await route.continue();
  });
  await domain.fill(first);
  await domain.press('Enter');
  enter();
  await expectScreen(page, t('keys.choose.title'));
  await page.unrouteAll();
  await clickLink(page, t('common.back'));
  await expectScreen(page, t('register.about.title'));
  await expect(domain).toHaveValue(`${first}.bsp`);
});

test('what is sent again after a lost response is done once @desktop @long', async ({ page, api, pageErrors }) => {
  await newStoredHolder(page, api);
  const bodies: string[] = [];
  const operate = '**/api/relayer/beo/lock';
  await page.route(operate, (route) => {
    bodies.push(route.request().postData() ?? '');
    return bodies.length === 1 ? loseResponse(route) : route.continue();
  });
  await page.goto('/me/safety');
  await clickButton(page, t('dashboard.emergencyLock'));
  await clickButton(page, t('dashboard.lockIt.yes'));
  await unlockKey(page, t);
  await expect(page.getByText(t('errors.UNREACHABLE'))).toBeVisible();
  await expectPageError(pageErrors, 'ERR_CONNECTION_RESET');
  // The page learns that it is frozen, and the dialog still repeats what was asked for.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByText(t('safety.freeze.frozen'))).toBeAttached();
  await clickButton(page, t('dashboard.lockIt.yes'));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText(t('safety.freeze.frozen'))).toBeVisible();
  await expectPageError(pageErrors, '409');
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toBe(bodies[0]);
});
