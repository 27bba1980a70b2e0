import { keyOfSeed } from './api.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { chooseOption, clickButton, expectScreen } from './page-actions.ts';
import { expectNoSecrets, hexOf, recordRequests } from './secrets.ts';
import { newOpenedKey, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('the key is locked after ten minutes without input and when the page is left, and words on screen are hidden', async ({
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
