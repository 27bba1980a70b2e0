import { readFile } from 'node:fs/promises';
import { openedKey } from '../app/_keys/secret.ts';
import { keyOfSeed, linkFor } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, ignorePageErrors, test, translatorFor } from './fixtures.ts';
import { PASSPHRASE } from './key-files.ts';
import {
  chooseOption,
  clickButton,
  clickLink,
  dayOfFile,
  expectScreen,
  keepKeyAsWords,
  NEW_PASSPHRASE,
  passphraseField,
  selectKeyFile,
} from './page-actions.ts';
import { entropyOf, expectNoSecrets, hexOf, recordRequests, unencryptedKeys } from './secrets.ts';
import { keyDialog, newOpenedKey, newStoredHolder, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('a holder replaces the key and destroys the identity, on a device whose clock is ahead', async ({
  page,
  api,
  pageErrors,
}, info) => {
  const sent = recordRequests(page);
  const key = await newOpenedKey();
  const { id, domain } = await api.newHolder(keyOfSeed(key.seed));
  await page.clock.install();
  const file = await storeIdentity(page, { id, kind: 'holder', domain, backedUp: false }, key);

  await page.goto('/me/safety');
  await expectScreen(page, t('safety.title'));
  await expect(page.getByText(t('safety.backup.noneTitle'))).toBeVisible();
  await checkScreen(page, 'safety', info);
  // The page's clock is ahead, so that its first signature is refused and it signs by the server's clock.
  await page.clock.fastForward('20:12');
  await clickLink(page, t('safety.replace.begin'));
  await expectScreen(page, t('safety.replace.whatTitle'));
  await checkScreen(page, 'replace', info);
  await clickLink(page, t('safety.replace.make'));
  const words = await keepKeyAsWords(page, t);
  await page.getByLabel(t('session.here.newLabel'), { exact: true }).fill(NEW_PASSPHRASE);
  await clickButton(page, t('session.here.submit'));
  await expect(page.getByRole('heading', { name: t('safety.replace.signTitle', { domain }) })).toBeVisible();
  await checkScreen(page, 'replace-sign', info);
  await clickButton(page, t('safety.replace.yes'));
  const oldField = keyDialog(page, t).getByLabel(t('session.unlock.current'), { exact: true });
  await oldField.fill(NEW_PASSPHRASE);
  await page.keyboard.press('Enter');
  await expect(keyDialog(page, t).getByText(t('session.unlock.wrong', { date: dayOfFile(file) }))).toBeVisible();
  await checkScreen(page, 'replace-old-passphrase', info);
  await unlockKey(page, t, PASSPHRASE, t('session.unlock.current'));
  await expect(page.getByText(t('safety.replace.done', { domain }))).toBeVisible();
  const entropy = await entropyOf(words);
  const newKey = await openedKey(entropy);
  expect((await api.identity(id)).public_key).toBe(newKey.publicKey);
  await expect(page.getByText(t('dashboard.backup.holder', { domain }))).toBeHidden();
  expect(await unencryptedKeys(page)).toEqual([]);

  await page
    .getByRole('main')
    .getByRole('link', { name: t('safety.title'), exact: true })
    .click();
  await expectScreen(page, t('safety.title'));
  await page.getByRole('link', { name: t('safety.destroy.begin') }).click();
  await expectScreen(page, t('safety.destroy.goes.title', { domain }));
  await checkScreen(page, 'destroy-goes', info);
  await clickLink(page, t('safety.destroy.next'));
  await expectScreen(page, t('safety.destroy.stays.title'));
  await checkScreen(page, 'destroy-stays', info);
  await clickLink(page, t('safety.destroy.next'));
  await expectScreen(page, t('safety.destroy.export.title'));
  await checkScreen(page, 'destroy-export', info);
  await clickLink(page, t('safety.destroy.export.without'));
  await expectScreen(page, t('safety.destroy.confirm.title', { domain }));
  const confirmation = page.getByLabel(t('safety.destroy.confirm.label', { domain }));
  await confirmation.fill('something else');
  await clickButton(page, t('safety.destroy.confirm.yes'));
  await expect(page.getByText(t('safety.destroy.confirm.wrong', { domain }))).toBeVisible();
  await checkScreen(page, 'destroy-confirm', info);
  await confirmation.fill(domain);
  await clickButton(page, t('safety.destroy.confirm.yes'));
  await expectScreen(page, t('safety.destroy.done.title', { domain }));
  // Refused for a time in the future.
  ignorePageErrors(pageErrors, '400');
  await checkScreen(page, 'destroy-done', info);
  expect((await api.identity(id)).status).toBe('DESTROYED');
  await expectNoSecrets(page, sent, [words.join(' '), hexOf(entropy), hexOf(newKey.seed), hexOf(key.secret.bytes)]);

  await page
    .getByRole('main')
    .getByRole('button', { name: t('safety.destroy.done.forget') })
    .last()
    .click();
  await expectScreen(page, t('signIn.first'));
});

test('the first step of destroying shows until when a recovery prevents it @long', async ({ page, api }, info) => {
  const { holder, guardians } = await api.newGuardedHolder();
  const key = await newOpenedKey();
  const request = await api.requestRecovery(holder, key.publicKey);
  for (const guardian of guardians)
    await api.confirmRecovery(holder, linkFor(request, guardian.role), key.publicKey, guardian);
  await storeIdentity(page, { id: holder.id, kind: 'holder', domain: holder.domain }, key);

  await page.goto('/me/destroy?step=confirm');
  await expectScreen(page, t('safety.destroy.goes.title', { domain: holder.domain }));
  await expect(page.getByText(t('safety.destroy.cooldown.title'))).toBeVisible();
  const until = Date.parse((await page.getByRole('time').last().getAttribute('datetime')) ?? '');
  expect(Math.round((until - Date.now()) / 3_600_000)).toBe(24);
  await expect(page.getByRole('link', { name: t('safety.destroy.next') })).toHaveCount(0);
  await checkScreen(page, 'destroy-cooldown', info);
});

test('the passphrase of the browser is changed: old and new are named, and a weak one is refused with a reason @long', async ({
  page,
  api,
}, info) => {
  const { domain } = await newStoredHolder(page, api);
  await page.goto('/me/safety');
  await clickButton(page, t('safety.passphrase.change'));
  await unlockKey(page, t, PASSPHRASE, t('session.unlock.current'));
  const newField = page.getByLabel(t('session.here.newLabel'), { exact: true });
  for (const [typed, reason] of [
    ['passwordpassword', t('keys.passphrase.weak.repeat')],
    ['123456789012', t('keys.passphrase.weak.common')],
    [domain, t('keys.passphrase.weak.own')],
  ] as const) {
    await newField.fill(typed);
    await clickButton(page, t('safety.passphrase.save'));
    await expect(page.getByText(`${reason} ${t('keys.passphrase.weak.better')}`)).toBeVisible();
    await expect(newField).toBeFocused();
  }
  await checkScreen(page, 'passphrase-weak', info);
  await newField.fill(NEW_PASSPHRASE);
  await clickButton(page, t('safety.passphrase.save'));
  await expect(page.getByText(t('safety.passphrase.done'))).toBeVisible();
  await clickButton(page, t('session.open'));
  await unlockKey(page, t, NEW_PASSPHRASE);
});

test('a new key that was saved as a file can use the passphrase of the file in this browser @long', async ({
  page,
  api,
}) => {
  const { id, domain } = await newStoredHolder(page, api);
  await page.goto('/me/safety');
  await clickLink(page, t('safety.replace.begin'));
  await clickLink(page, t('safety.replace.make'));
  await chooseOption(page, t('keys.choose.file'));
  await passphraseField(page, t).fill(NEW_PASSPHRASE);
  await clickButton(page, t('keys.passphrase.make'));
  const saving = page.waitForEvent('download');
  await clickLink(page, t('keys.save.download'));
  const text = await readFile(await (await saving).path(), 'utf8');
  await clickButton(page, t('keys.save.saved'));
  await selectKeyFile(page, t, { name: 'key.json', text });
  await passphraseField(page, t).fill(NEW_PASSPHRASE);
  await clickButton(page, t('keys.check.open'));
  await clickButton(page, t('keys.next'));
  await clickButton(page, t('keys.passphrase.reuse'));
  await clickButton(page, t('safety.replace.yes'));
  await unlockKey(page, t, PASSPHRASE, t('session.unlock.current'));
  await expect(page.getByText(t('safety.replace.done', { domain }))).toBeVisible();
  expect((await api.identity(id)).public_key).toBe(JSON.parse(text).public_key);
  await page
    .getByRole('button', { name: t('session.putAway'), exact: true })
    .first()
    .click();
  await clickButton(page, t('session.open'));
  await unlockKey(page, t, NEW_PASSPHRASE);
});
