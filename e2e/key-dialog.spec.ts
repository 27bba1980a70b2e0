import type { Locator, Page } from '@playwright/test';
import { keyOfSeed } from './api.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { PASSPHRASE } from './key-files.ts';
import { chooseOption, clickButton, expectScreen } from './page-actions.ts';
import { expectNoSecrets, hexOf, recordRequests } from './secrets.ts';
import { keyDialog, newOpenedKey, newStoredHolder, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('the key is locked after ten minutes without input and when the page is left, and words on screen are hidden @desktop @long', async ({
  page,
  api,
}) => {
  const sent = recordRequests(page);
  const key = await newOpenedKey();
  const { id, domain } = await api.newHolder(keyOfSeed(key.seed));
  await page.clock.install();
  await storeIdentity(page, { id, kind: 'holder', domain, backedUp: false }, key);

  await page.goto('/me/safety');
  await expectScreen(page, t('safety.title'));
  await clickButton(page, t('session.open'));
  await unlockKey(page, t);
  await expect(page.getByText(t('session.isOpen')).first()).toBeVisible();
  await page.clock.fastForward('10:06');
  await expect(page.getByText(t('session.isAway')).first()).toBeVisible();

  await clickButton(page, t('safety.backup.make'));
  await unlockKey(page, t);
  await chooseOption(page, t('keys.choose.words'));
  await expect(page.getByRole('list', { name: t('keys.write.list') }).getByRole('listitem')).toHaveCount(24);
  await page.clock.fastForward('10:06');
  await expect(page.getByRole('list', { name: t('keys.write.list') })).toHaveCount(0);

  // A browser may keep a page that was left in memory, for its back button.
  await clickButton(page, t('session.open'));
  await unlockKey(page, t);
  await expect(page.getByText(t('session.isOpen')).first()).toBeVisible();
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  await expect(page.getByText(t('session.isAway')).first()).toBeVisible();
  await expectNoSecrets(page, sent, [hexOf(key.seed), hexOf(key.secret.bytes)]);
});

test('the key dialog focuses its field, Enter opens the key, and Escape returns the focus @desktop', async ({
  page,
  api,
}) => {
  await newStoredHolder(page, api);
  await page.goto('/me/safety');
  const dialog = keyDialog(page, t);
  const field = dialog.getByLabel(t('keys.passphrase.label'), { exact: true });
  const openKey = page.getByRole('button', { name: t('session.open'), exact: true });

  for (const trigger of [openKey, page.getByRole('button', { name: t('safety.backup.another'), exact: true })]) {
    await trigger.focus();
    await page.keyboard.press('Enter');
    await expect(field).toBeFocused();
    await expectScrim(dialog);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(trigger).toBeFocused();
  }
  await openKey.focus();
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
  await page.keyboard.type(PASSPHRASE);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: t('session.putAway'), exact: true }).first()).toBeFocused();
});

test('each dialog of the menu dims the page, and Escape returns the focus through the key dialog to the menu @desktop @long', async ({
  page,
  api,
}) => {
  const { domain } = await newStoredHolder(page, api);
  await page.goto('/me/safety');
  const menuButton = page.getByRole('button', { name: t('dashboard.menu'), exact: true });
  const menu = page.getByRole('dialog', { name: domain });
  await menuButton.focus();
  await page.keyboard.press('Enter');
  await expectScrim(menu);
  await page.keyboard.press('Escape');
  await expect(menuButton).toBeFocused();

  await page.keyboard.press('Enter');
  await menu.getByRole('button', { name: t('dashboard.emergencyLock') }).press('Enter');
  const freeze = page.getByRole('dialog', { name: t('dashboard.lockIt.title', { domain }) });
  await expectScrim(freeze);
  const yes = freeze.getByRole('button', { name: t('dashboard.lockIt.yes') });
  await yes.press('Enter');
  await expect(keyDialog(page, t).getByLabel(t('keys.passphrase.label'), { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(keyDialog(page, t)).toBeHidden();
  await expect(yes).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(freeze).toBeHidden();
  await expect(menuButton).toBeFocused();
});

const showTimes = (page: Page) => page.getByText(t('safety.putAway.change')).click();

test('the time until the key locks is a setting of the browser @desktop @long', async ({ page, api }) => {
  await page.clock.install();
  await newStoredHolder(page, api);
  await page.goto('/me/safety');
  const after = page.getByLabel(t('safety.putAway.after'), { exact: true });
  const isOpen = page.getByText(t('session.isOpen')).first();
  const isLocked = page.getByText(t('session.isAway')).first();
  await expect(after).toHaveValue('10');

  await showTimes(page);
  await after.selectOption('30');
  await page.reload();
  await expect(after).toHaveValue('30');
  await clickButton(page, t('session.open'));
  await unlockKey(page, t);
  await expect(isOpen).toBeAttached();
  await page.clock.fastForward('10:06');
  await expect(isOpen).toBeAttached();
  await page.clock.fastForward('20:06');
  await expect(isLocked).toBeAttached();

  await clickButton(page, t('session.open'));
  await unlockKey(page, t);
  await expect(isOpen).toBeAttached();
  await showTimes(page);
  await after.selectOption('1');
  await page.clock.fastForward('01:06');
  await expect(isLocked).toBeAttached();
});

test('the first key that is pressed after sleep locks, before any timer does @desktop @long', async ({ page, api }) => {
  await page.clock.install();
  await newStoredHolder(page, api);
  await page.goto('/me/safety');
  await clickButton(page, t('session.open'));
  await unlockKey(page, t);
  await expect(page.getByText(t('session.isOpen')).first()).toBeAttached();
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 60_000);
  await page.clock.setSystemTime(now + 12 * 60_000);
  await page.keyboard.press('Shift');
  await expect(page.getByText(t('session.isAway')).first()).toBeAttached();
});

test('a key that is used without a break is locked after the longest time that the browser allows @desktop @long', async ({
  page,
  api,
}) => {
  await page.clock.install();
  await newStoredHolder(page, api);
  await page.goto('/me/safety');
  const latest = page.getByLabel(t('safety.putAway.latest'), { exact: true });
  const isOpen = page.getByText(t('session.isOpen')).first();
  await expect(latest).toHaveValue('12');

  await showTimes(page);
  await latest.selectOption('4');
  await page.getByLabel(t('safety.putAway.after'), { exact: true }).selectOption('60');
  await clickButton(page, t('session.open'));
  await unlockKey(page, t);
  await expect(isOpen).toBeAttached();
  for (let hour = 1; hour <= 4; hour += 1) {
    await page.clock.fastForward('59:00');
    await page.keyboard.press('Shift');
    await expect(isOpen).toBeAttached();
  }
  await page.clock.fastForward('04:06');
  await expect(page.getByText(t('session.isAway')).first()).toBeAttached();
});

/** Expects that a dialog covers the page behind it with a colour. */
async function expectScrim(dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible();
  const alpha = await dialog.evaluate((element) => {
    const [, colour = ''] = /rgba?\(([^)]*)\)/.exec(getComputedStyle(element, '::backdrop').backgroundColor) ?? [];
    return Number(colour.split(/[,/\s]+/)[3] ?? 0);
  });
  expect(alpha).toBeGreaterThan(0.3);
}
