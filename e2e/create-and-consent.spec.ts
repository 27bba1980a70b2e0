import type { Page } from '@playwright/test';
import { openedKey } from '../app/_keys/secret.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import {
  chooseOption,
  clickButton,
  clickLink,
  expectScreen,
  keepKeyAsWords,
  NEW_PASSPHRASE,
  passphraseField,
} from './page-actions.ts';
import { entropyOf, hexOf } from './secrets.ts';
import { unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

const option = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}`, 'i')).first();

/** The texts of the toasts so far: one disappears once its entry is final. */
async function collectToasts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const toasts = new Set<string>();
    Object.assign(window, { toasts });
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll<HTMLElement>('[data-writes] li')) toasts.add(toast.innerText);
    }).observe(document, { subtree: true, childList: true });
  });
  return () => page.evaluate(() => [...(window as unknown as { toasts: Set<string> }).toasts]);
}

test('a new user creates an identity, gives a consent and withdraws it, and no request contains a secret', async ({
  page,
  api,
}, info) => {
  const clinic = await api.newInstitution(undefined, `Clinic ${crypto.randomUUID().slice(0, 8)}`);
  const { display_name: name }: { display_name: string } = (await (await api.get(`/api/ieos/${clinic.id}`)).json()).ieo;
  const sent: string[] = [];
  page.on('request', (request) =>
    sent.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers())),
  );

  const toasts = await collectToasts(page);
  await page.goto('/');
  await page
    .getByRole('main')
    .getByRole('link', { name: t('home.hero.create'), exact: true })
    .first()
    .click();
  await expectScreen(page, t('create.name.title'));
  const field = page.getByLabel(t('create.name.label'), { exact: true });
  await expect(field).toHaveValue(/-\d\d$/);
  const domain = `${await field.inputValue()}.bsp`;
  await expect(page.getByText(t('create.name.free', { domain }))).toBeVisible();
  await clickButton(page, t('create.name.next'));
  await expectScreen(page, t('create.public.title'));
  await clickLink(page, t('create.public.next'));
  await expectScreen(page, t('session.here.title'));
  await passphraseField(page, t).fill(NEW_PASSPHRASE);
  await clickButton(page, t('session.here.submit'));
  await expectScreen(page, t('create.send.title', { domain }));
  await clickButton(page, t('create.send.yes'));
  await clickButton(page, t('create.copy.later'));
  await expectScreen(page, t('create.done.title', { domain }));
  for (const quiet of ['requireConfirmedGuardians', 'grantConsent'] as const)
    expect(await page.getByText(t(`operations.${quiet}`)).count()).toBe(0);
  await expect.poll(toasts).toEqual([`${t('operations.createBEO')}\n${t('session.progress.see')}`]);
  await checkScreen(page, 'create-done-progress', info);

  await clickLink(page, t('create.done.pages'));
  const bar = await page.locator('[data-foot-bar]').boundingBox();
  await expect(page.locator('[data-writes]')).toHaveCSS('bottom', `${bar?.height}px`);
  await clickLink(page, t('overview.next.others.consent'));
  await expectScreen(page, t('consents.who.title'));
  await page.getByRole('searchbox', { name: t('consents.who.search') }).fill(name);
  await chooseOption(page, name);
  await expectScreen(page, t('consents.may.title', { who: name }));
  await option(page, t('scope.intent.READ_RECORDS.name')).check();
  await clickButton(page, t('common.next'));
  await expectScreen(page, t('consents.data.title'));
  await option(page, t('consents.data.some')).check();
  await option(page, t('scope.category.BSP-HR')).check();
  await clickButton(page, t('common.next'));
  await expectScreen(page, t('consents.when.title'));
  await option(page, t('consents.when.any')).click();
  await expectScreen(page, t('consents.long.title'));
  await option(page, t('consents.long.days', { days: 90 })).click();
  await expectScreen(page, t('session.copyFirst.title'));
  await checkScreen(page, 'copy-first', info);
  await clickButton(page, t('session.copyFirst.make'));
  await unlockKey(page, t, NEW_PASSPHRASE);
  await expectScreen(page, t('keys.choose.title'));
  const words = await keepKeyAsWords(page, t);
  await expectScreen(page, t('consents.review.title', { who: name }));
  await clickButton(page, t('consents.review.give'));
  await expectScreen(page, t('consents.givenTitle'));

  await clickLink(page, t('consents.toConsents'));
  const granted = page.getByRole('listitem').filter({ hasText: name });
  await granted.getByRole('button', { expanded: false }).click();
  await granted.getByRole('button', { name: t('consents.withdraw') }).click();
  await clickButton(page, t('consents.withdrawing.yes', { count: 1 }));
  await expect(page.getByRole('dialog')).toContainText(t('consents.withdrawing.done', { count: 1 }));
  await clickButton(page, t('consents.withdrawing.close'));
  await expect(granted).toContainText(t('common.state.WITHDRAWN'));

  const entropy = await entropyOf(words);
  const { seed } = await openedKey(entropy);
  expect(sent.length).toBeGreaterThan(50);
  for (const secret of [
    words.join(' '),
    hexOf(entropy),
    hexOf(seed),
    NEW_PASSPHRASE,
    encodeURIComponent(NEW_PASSPHRASE),
  ]) {
    expect(sent.filter((text) => text.includes(secret))).toEqual([]);
  }
});
