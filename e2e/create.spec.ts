import type { Page } from '@playwright/test';
import type { KeptIdentity } from '../app/_keys/identities.ts';
import { addAuthenticator } from './authenticator.ts';
import { checkScreen } from './check-screen.ts';
import { expect, expectPageError, test, translatorFor } from './fixtures.ts';
import {
  chooseOption,
  clickButton,
  clickLink,
  expectScreen,
  keepKeyAsWords,
  NEW_PASSPHRASE,
  passphraseField,
} from './page-actions.ts';
import { recordRequests, unencryptedKeys } from './secrets.ts';
import { keyDialog, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

/** Changes what is stored of a passkey: another salt gives another key, as another passkey would. */
const changePasskey = (page: Page, id: string, change: 'salt' | 'transports'): Promise<void> =>
  page.evaluate(
    async ({ id, change }) => {
      const settled = <Value>(request: IDBRequest<Value>) =>
        new Promise<Value>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const database = await settled(indexedDB.open('perpetua-identities', 1));
      const store = database.transaction('identities', 'readwrite').objectStore('identities');
      const identity: KeptIdentity = await settled(store.get(id));
      if (change === 'salt') identity.passkey?.salt.reverse();
      const passkey =
        identity.passkey && change === 'transports' ? { ...identity.passkey, transports: ['usb'] } : identity.passkey;
      await settled(store.put({ ...identity, passkey }, id));
      database.close();
    },
    { id, change },
  );

test('a new user creates an identity with one touch, unlocks its key with the passkey, and is told why a passkey fails', async ({
  page,
  api,
  pageErrors,
}, info) => {
  const sent = recordRequests(page);
  const authenticator = await addAuthenticator(page, false);
  await page.goto('/sign-in');
  await expectScreen(page, t('signIn.first'));
  const ways = page.getByRole('region', { name: t('signIn.ways.title') }).getByRole('link');
  await expect(ways.first()).toContainText(t('signIn.ways.bring'));
  await checkScreen(page, 'sign-in-first', info);
  await ways.nth(1).click();

  await expectScreen(page, t('create.name.title'));
  const name = page.getByLabel(t('create.name.label'), { exact: true });
  await expect(name).toHaveValue(/^[a-z]+-[a-z]+-[a-z]+-\d\d$/);
  const suggested = await name.inputValue();
  await name.fill('bsp');
  await expect(page.getByText(t('create.name.DOMAIN_RESERVED'))).toBeVisible();
  await name.fill(suggested);
  const domain = `${suggested}.bsp`;
  await expect(page.getByText(t('create.name.free', { domain }))).toBeVisible();
  await checkScreen(page, 'create-name', info);
  await clickButton(page, t('create.name.next'));

  await expectScreen(page, t('create.public.title'));
  await checkScreen(page, 'create-public', info);
  await clickLink(page, t('create.public.next'));
  await expectScreen(page, t('session.here.passkeyTitle'));
  await page.reload();
  await expectScreen(page, t('session.here.passkeyTitle'));
  await checkScreen(page, 'create-here', info);
  const usePasskey = () => clickButton(page, t('session.here.passkeyMake'));
  await usePasskey();
  await expect(page.getByText(t('session.passkey.made.unsupported'))).toBeVisible();
  await clickButton(page, t('session.here.passphraseInstead'));
  await expectScreen(page, t('session.here.title'));
  await passphraseField(page, t).fill('too short');
  await clickButton(page, t('session.here.submit'));
  await expect(page.getByText(t('keys.passphrase.short', { count: 9, minimum: 12 }))).toBeVisible();
  await page.reload();
  await authenticator.replace(true);
  await authenticator.refuse();
  await usePasskey();
  await expect(page.getByText(t('session.passkey.made.cancelled'))).toBeVisible();
  await authenticator.replace(true);
  await usePasskey();

  await expectScreen(page, t('create.send.title', { domain }));
  await checkScreen(page, 'create-send', info);
  // A reload finds the key and its passkey again: a second one would be left over on the device.
  await page.reload();
  await expectScreen(page, t('create.send.title', { domain }));
  expect(await authenticator.count()).toBe(1);
  const operate = '**/api/relayer/beo';
  await page.route(operate, (route) => route.fetch().then(() => route.abort()), { times: 1 });
  await clickButton(page, t('create.send.yes'));
  // The response was lost; the page finds that the identity was created.
  await expectScreen(page, t('keys.choose.title'));
  await expectPageError(pageErrors, 'ERR_FAILED');
  await checkScreen(page, 'create-copy', info);
  // The passkey has to open the key once before the copy is put off.
  await page.evaluate(() => {
    const { credentials } = navigator;
    const get = credentials.get.bind(credentials);
    credentials.get = async () => {
      credentials.get = get;
      throw new DOMException('The prompt was closed.', 'NotAllowedError');
    };
  });
  await clickButton(page, t('create.copy.later'));
  await expect(page.getByText(t('keys.passkeyProblem.cancelled', { instead: 'copy' }))).toBeVisible();
  await expect(page.getByText(t('create.copy.checkFailed'))).toBeVisible();
  await clickButton(page, t('create.copy.later'));
  await expectScreen(page, t('create.done.title', { domain }));
  await checkScreen(page, 'create-done', info);
  await clickLink(page, t('create.done.pages'));
  await expect(page).toHaveURL(/\/me$/);
  await expect(page.getByText(t('session.isOpen'))).toBeVisible();
  await expect(page.getByText(t('dashboard.backup.holder', { domain }))).toBeVisible();
  await expect(page.getByRole('heading', { name: t('overview.next.title') })).toBeVisible();
  await checkScreen(page, 'me-without-copy', info);
  const { beo_id: id } = await api.identity(domain);
  await expect.poll(async () => (await api.identity(domain)).recovery.confirmed_only).toBe(true);
  await expect.poll(() => sent.filter((text) => text.includes(`"ieoId":"${id}"`)).length).toBe(1);
  expect(await unencryptedKeys(page)).toEqual([]);

  await page.reload();
  await expect(page.getByText(t('session.isAway'))).toBeVisible();
  await clickButton(page, t('session.open'));
  const dialog = keyDialog(page, t);
  await expect(dialog.getByLabel(t('keys.passphrase.label'), { exact: true })).toHaveCount(0);
  const failsWith = async (problem: 'cancelled' | 'deleted' | 'other' | 'unsupported') => {
    await dialog.getByRole('button', { name: t('session.unlock.passkey') }).click();
    const sentence = t(`keys.passkeyProblem.${problem}`, { domain, instead: 'copy' });
    await expect(dialog.getByText(sentence)).toBeVisible();
  };
  const unlockByPasskey = () => dialog.getByRole('button', { name: t('session.unlock.passkey') }).click();
  await unlockByPasskey();
  await expect(page.getByText(t('session.isOpen'))).toBeVisible();

  await page.goto('/me/safety');
  await expect(page.getByText(t('safety.passkey.only'))).toBeVisible();
  await checkScreen(page, 'safety-passkey', info);
  await clickButton(page, t('safety.passphrase.add'));
  await unlockByPasskey();
  await passphraseField(page, t).fill(NEW_PASSPHRASE);
  await clickButton(page, t('safety.passphrase.save'));
  await expect(page.getByText(t('safety.passphrase.added'))).toBeVisible();
  await clickButton(page, t('safety.passkey.remove'));
  await expect(page.getByText(t('safety.passkey.removed'))).toBeVisible();
  await clickButton(page, t('safety.passkey.add'));
  await unlockKey(page, t, NEW_PASSPHRASE);
  await clickButton(page, t('safety.passkey.add'));
  await expect(page.getByText(t('safety.passkey.added'))).toBeVisible();

  await page.goto('/me/replace');
  await clickLink(page, t('safety.replace.make'));
  await keepKeyAsWords(page, t);
  await expectScreen(page, t('session.here.passkeyTitle'));
  await usePasskey();
  await expectScreen(page, t('safety.replace.signTitle', { domain }));
  await clickButton(page, t('safety.replace.yes'));
  await unlockByPasskey();
  await expect(page.getByText(t('safety.replace.done', { domain }))).toBeVisible();

  // The new key, which has a copy, opens with its passkey for an invitation of someone else, too.
  const { url } = await api.invite(await api.newHolder(), 'primary');
  await page.goto(`${url}?step=key`);
  await clickButton(page, t('accept.key.own'));
  await chooseOption(page, t('keys.open.hereIdentity', { domain }));
  await expectScreen(page, t('accept.key.ownTitle'));

  await changePasskey(page, id, 'salt');
  await page.goto('/me/safety');
  await clickButton(page, t('session.open'));
  await failsWith('other');
  await authenticator.refuse();
  await failsWith('cancelled');
  // The passkey was made on this device, so that it is on no other one.
  await expect(dialog.getByText(t('keys.passkeyProblem.deleted', { instead: 'copy' }))).toBeVisible();
  const elsewhere = dialog.getByText(t('keys.passkeyProblem.elsewhere', { place: 'elsewhere' }));
  await expect(elsewhere).toHaveCount(0);
  await checkScreen(page, 'passkey-cancelled', info);
  await authenticator.replace(true);
  await failsWith('unsupported');
  await authenticator.clear();
  await failsWith('deleted');
  await changePasskey(page, id, 'transports');
  await page.reload();
  await clickButton(page, t('session.open'));
  await failsWith('cancelled');
  await expect(elsewhere).toBeVisible();
});
