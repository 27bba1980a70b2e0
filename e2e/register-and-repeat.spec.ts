import { randomUUID } from 'node:crypto';
import { checkScreen } from './check-screen.ts';
import { expect, expectPageError, test, translatorFor } from './fixtures.ts';
import { clickButton, clickLink, expectScreen, loseResponse } from './page-actions.ts';
import { newStoredHolder, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('after going back, Enter on a changed domain goes on, and a long name is not cut @long', async ({
  page,
}, info) => {
  const first = `clinic-${randomUUID().slice(0, 13)}`;
  const domain = page.getByLabel(t('register.domain.label'), { exact: true });
  await page.goto('/register');
  await domain.fill(first);
  await expect(page.getByText(t('register.domain.free', { domain: `${first}.bsp` }))).toBeVisible();
  await clickButton(page, t('register.next'));
  await expectScreen(page, t('register.type.title'));
  await clickLink(page, t('common.back'));
  await expectScreen(page, t('register.domain.title'));

  let enter = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  await page.route('**/api/trpc/availability**', async (route) => {
    await entered;
    await route.continue();
  });
  await domain.fill(`${first}-two`);
  await domain.press('Enter');
  enter();
  await expectScreen(page, t('register.type.title'));
  await page.unrouteAll();

  await page.getByRole('radio', { name: new RegExp(`^${t('register.type.HOSPITAL.name')}`) }).check();
  await clickButton(page, t('register.next'));
  await expectScreen(page, t('register.name.title'));
  const name = page.getByLabel(t('register.name.label'), { exact: true });
  const long = `Clinic ${'of the river '.repeat(10)}`.slice(0, 129).concat('x');
  await name.fill(long);
  await expect(name).toHaveValue(long);
  await expect(page.getByText(t('common.tooLong', { over: 10, limit: 120 }))).toBeVisible();
  await checkScreen(page, 'register-name-too-long', info);
  await clickButton(page, t('register.next'));
  await expect(name).toBeFocused();
  await expectScreen(page, t('register.name.title'));
  await name.fill(long.slice(0, 120).trim());
  await name.press('Enter');
  await expectScreen(page, t('register.public.title'));
  await expect(page.getByText(long.slice(0, 120).trim())).toBeVisible();
});

test('what is sent again after a lost response is done once @desktop', async ({ page, api, pageErrors }) => {
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
