import type { Page } from '@playwright/test';
import { newSecret, openedKey, wordsOf } from '../app/_keys/secret.ts';
import { keyOfSeed } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import {
  chooseOption,
  choosePassphrase,
  clickButton,
  expectScreen,
  keepKeyAsWords,
  listedWords,
  startRecovery,
} from './page-actions.ts';
import { newOpenedKey, newStoredHolder, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

declare const unblock: () => void;
declare const onPersist: () => void;

/** Another tab holds the database, which exists, and waits to upgrade it: the browser then answers no one else, and reports nothing. */
async function blockDatabase(page: Page, name: string): Promise<() => Promise<void>> {
  const tab = await page.context().newPage();
  await tab.goto('/health');
  await tab.evaluate(async (name) => {
    const opening = indexedDB.open(name);
    await new Promise((resolve) => {
      opening.onsuccess = resolve;
    });
    const upgrading = indexedDB.open(name, 2);
    upgrading.onupgradeneeded = () => upgrading.transaction?.abort();
    await new Promise((resolve) => {
      upgrading.onblocked = resolve;
    });
    Object.assign(globalThis, { unblock: () => opening.result.close() });
  }, name);
  return async () => {
    await tab.evaluate(() => unblock());
    await tab.close();
  };
}

const shown = (page: Page, text: string) => page.getByText(text).locator('visible=true');
const expectUnreadable = (page: Page) => expect(shown(page, t('shell.storage.title'))).toBeVisible();
const hint = (page: Page) => page.evaluate(() => localStorage.getItem('perpetua-known'));

test('an identity that cannot be read is not reported missing, and none is offered in its place @desktop @long', async ({
  page,
  api,
}, info) => {
  const holder = await newStoredHolder(page, api);
  const release = await blockDatabase(page, 'perpetua-identities');
  const main = page.getByRole('main');

  await page.goto('/me');
  await expectUnreadable(page);
  await expect(shown(page, t('dashboard.noIdentity.title'))).toHaveCount(0);
  expect(await hint(page)).toBe('on');
  await checkScreen(page, 'storage-unreadable', info);

  await test.step('not even where the browser has lost the hint', async () => {
    await page.evaluate(() => localStorage.removeItem('perpetua-known'));
    await page.goto('/me');
    await expectUnreadable(page);
    await expect(shown(page, t('dashboard.noIdentity.title'))).toHaveCount(0);
    await page.goto('/sign-in');
    await expectUnreadable(page);
    await expect(main.getByRole('link').locator('visible=true')).toHaveCount(0);
    await page.goto('/register');
    await expectUnreadable(page);
    await expect(main.getByRole('textbox').locator('visible=true')).toHaveCount(0);
    await page.goto('/create');
    await expectUnreadable(page);
    await expect(main.getByRole('textbox').locator('visible=true')).toHaveCount(0);
  });

  await page.goto('/sign-in');
  await expectUnreadable(page);
  await release();
  await expect(page.getByRole('heading', { level: 3, name: holder.domain })).toBeVisible();
  await expect(shown(page, t('shell.storage.again'))).toBeVisible();
  await checkScreen(page, 'storage-again', info);
  expect(await hint(page)).toBe('on');
});

test('none is offered either once another tab has stored one that cannot be read @desktop @long', async ({
  page,
  api,
}) => {
  await page.goto('/me');
  await expect(shown(page, t('dashboard.noIdentity.title'))).not.toHaveCount(0);
  const other = await page.context().newPage();
  const holder = await newStoredHolder(other, api);
  const release = await blockDatabase(page, 'perpetua-identities');
  await other.evaluate(() => new BroadcastChannel('perpetua-identities').postMessage(null));
  await expectUnreadable(page);
  await expect(shown(page, t('dashboard.noIdentity.title'))).toHaveCount(0);
  await release();
  await expect(page.getByText(holder.domain).first()).toBeVisible();
});

test('a guardian whose key cannot be read gets no other key @long', async ({ page, api }) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  const words = async () => {
    await chooseOption(page, t('keys.choose.words'));
    await expectScreen(page, t('keys.write.title'));
    return listedWords(page, t('keys.write.list'));
  };

  await page.goto(`${url}?step=key`);
  await expectScreen(page, t('keys.choose.title'));
  const before = await words();
  const release = await blockDatabase(page, 'perpetua-keys');
  await page.reload();
  await expectUnreadable(page);
  await expectScreen(page, t('keys.draft.making'));
  await release();
  await expectScreen(page, t('keys.choose.title'));
  expect(await words()).toEqual(before);
});

test('the links of a recovery that cannot be read are not reported missing @desktop @long', async ({ page, api }) => {
  const { holder } = await api.newGuardedHolder();
  const links = () => page.getByText(/\/r\/[\w-]{43}/).allTextContents();
  await page.goto('/recover');
  await startRecovery(page, t, holder.domain);
  await keepKeyAsWords(page, t);
  await clickButton(page, t('recover.ask.yes'));
  await expectScreen(page, t('recover.links.title'));
  const before = await links();
  expect(before).toHaveLength(2);
  const release = await blockDatabase(page, 'perpetua-recovery');
  await page.reload();
  await expectUnreadable(page);
  await expect(shown(page, t('recover.links.elsewhereTitle'))).toHaveCount(0);
  await release();
  await expectScreen(page, t('recover.links.title'));
  expect(await links()).toEqual(before);
});

test('records are not sent while the list of those sent before cannot be read @desktop @long', async ({
  page,
  api,
}, info) => {
  const key = await newOpenedKey();
  const [holder, clinic] = await Promise.all([api.newHolder(), api.newInstitution(keyOfSeed(key.seed))]);
  const { token } = await api.grant(holder, clinic.id, { intents: ['SUBMIT_RECORD'], categories: ['BSP-GL'] });
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const address = `/institution/submit?${new URLSearchParams({ way: 'file', consent: token.token_id })}`;
  const pick = page.getByLabel(t('institution.submit.file.pick'), { exact: true });

  await page.goto(address);
  await expect(pick).toBeAttached();
  const releasePage = await blockDatabase(page, 'perpetua-sent-records');
  await page.goto(address);
  await expectUnreadable(page);
  await expect(pick).toHaveCount(0);
  await releasePage();
  const text = 'biomarker,value,unit,collected_at\r\nBSP-GL-001,101,mg/dL,2026-11-18T08:30:00Z';
  await pick.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const send = page.getByRole('button', { name: t('institution.submit.preview.sendFor', { count: 1, people: 1 }) });
  await expect(send).toBeVisible();

  const releaseSending = await blockDatabase(page, 'perpetua-sent-records');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await send.click();
  await unlockKey(page, t);
  await expect(shown(page, t('errors.STORAGE_UNREADABLE'))).toBeVisible();
  expect(requests.filter((url) => url.includes('operate'))).toEqual([]);
  await checkScreen(page, 'institution-not-sent', info);
  await releaseSending();
  await clickButton(page, t('institution.submit.preview.send', { count: 1 }));
  await expect(page.getByRole('heading', { name: t('institution.submit.sending.done', { count: 1 }) })).toBeVisible();
});

test('where receipts cannot be kept, the page says to save them before it is left @desktop @long', async ({
  page,
  api,
}, info) => {
  const key = await newOpenedKey();
  const [holder, clinic] = await Promise.all([api.newHolder(), api.newInstitution(keyOfSeed(key.seed))]);
  const { token } = await api.grant(holder, clinic.id, { intents: ['SUBMIT_RECORD'], categories: ['BSP-GL'] });
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  await page.goto('/institution/submissions');
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  await expect.poll(databases).toContain('perpetua-submissions');
  await page.goto(`/institution/submit?${new URLSearchParams({ way: 'file', consent: token.token_id })}`);
  const text = 'biomarker,value,unit,collected_at\r\nBSP-GL-001,101,mg/dL,2026-11-18T08:30:00Z';
  const file = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.getByLabel(t('institution.submit.file.pick'), { exact: true }).setInputFiles(file);
  const release = await blockDatabase(page, 'perpetua-submissions');
  await clickButton(page, t('institution.submit.preview.sendFor', { count: 1, people: 1 }));
  await unlockKey(page, t);
  await expect(shown(page, t('institution.submit.sending.notKeptBody'))).toBeVisible();
  await checkScreen(page, 'institution-not-kept', info);
  await release();
  await clickButton(page, t('institution.submit.sending.receipts'));
  await expect(shown(page, t('institution.submit.sending.notKept'))).toHaveCount(0);
});

test('the browser is asked to keep a key, and the page says where it may delete it @desktop @long', async ({
  page,
  api,
}, info) => {
  let asked = 0;
  await page.exposeFunction('onPersist', () => {
    asked++;
  });
  await page.addInitScript(() => {
    const persist = StorageManager.prototype.persist;
    StorageManager.prototype.persist = function () {
      onPersist();
      return persist.call(this);
    };
  });

  const entropy = newSecret();
  const holder = await api.newHolder(keyOfSeed((await openedKey(entropy)).seed));
  await page.goto(`/sign-in/bring?domain=${holder.domain}`);
  await chooseOption(page, t('keys.open.words'));
  const first = page.getByRole('combobox', { name: t('keys.word', { number: 1 }), exact: true });
  await first.fill((await wordsOf(entropy)).join(' '));
  await clickButton(page, t('keys.open.wordsOpen'));
  await choosePassphrase(page, t);
  await expect(page).toHaveURL(/\/me$/);
  await expect.poll(() => asked).toBe(1);
  await page.goto('/me/safety');
  await expect(shown(page, t('keys.mayBeCleared'))).toBeVisible();
  await checkScreen(page, 'may-be-cleared', info);

  const browser = await page.context().newCDPSession(page);
  const { browserContextId } = (await browser.send('Target.getTargetInfo')).targetInfo;
  if (!browserContextId) throw new Error('A test has a browser context.');
  await browser.send('Browser.grantPermissions', { permissions: ['durableStorage'], browserContextId });
  await page.goto('/sign-in');
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(1);
  await expect(shown(page, t('keys.mayBeCleared'))).toHaveCount(0);
});
