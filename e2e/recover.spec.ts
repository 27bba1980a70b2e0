import type { Page, Route } from '@playwright/test';
import { type Api, apiPathOf, type Holder, newKey } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { bodyOf } from './firefox-esr.ts';
import { expect, expectPageError, ignorePageErrors, NO_RESPONSE, test, translatorFor } from './fixtures.ts';
import {
  chooseOption,
  clickButton,
  clickLink,
  expectScreen,
  keepKeyAsWords,
  listedWords,
  NEW_PASSPHRASE,
  openKeyWithWords,
  passphraseField,
  sendRecoveryRequest,
  startRecovery,
} from './page-actions.ts';
import { expectNoSecrets } from './secrets.ts';

const t = translatorFor('en');
const REQUEST = '**/api/relayer/beo/request-recovery';

test('an unknown and a malformed domain and an institution are reported; the suffix is optional @long', async ({
  page,
  api,
}) => {
  const { holder } = await api.newGuardedHolder();
  await page.goto('/recover');
  const field = page.getByRole('textbox', { name: t('recover.start.label') });
  const lookUp = async (typed: string) => {
    await field.fill(typed);
    await clickButton(page, t('recover.start.submit'));
  };
  await lookUp('unknown-domain');
  const unknown = t('recover.unknown.error', { reference: 'unknown-domain.bsp' });
  await expect(page.getByText(unknown)).toBeVisible();
  await lookUp('not_a_domain!.bsp');
  const malformed = t('recover.malformed.error', { reference: 'not_a_domain!.bsp', suffix: 'bsp' });
  await expect(page.getByText(malformed)).toBeVisible();
  const clinic = await api.newInstitution();
  await lookUp(clinic.domain);
  await expect(page.getByText(t('recover.institution.title', { reference: clinic.domain }))).toBeVisible();
  const bring = page.getByRole('link', { name: t('recover.institution.action') });
  await expect(bring).toHaveAttribute('href', `/sign-in/bring?domain=${clinic.domain}`);
  await lookUp(holder.domain.replace(/\.bsp$/, '').toUpperCase());
  await expectScreen(page, t('recover.found.title', { domain: holder.domain }));
  await expect(page).toHaveTitle(/^Lost your key\?/);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
});

test('an identity with fewer than two guardians cannot be recovered, but its key can still be opened', async ({
  page,
  api,
}) => {
  const { holder } = await api.newGuardedHolder(1);
  await page.goto(`/recover?domain=${holder.domain}`);
  await expectScreen(page, t('recover.helpless.title', { domain: holder.domain }));
  await clickLink(page, t('recover.found.haveKey'));
  await expectScreen(page, t('keys.open.chooseTitle'));
});

test('a recovery continues after a reload, in another tab, and from the first screen @long', async ({
  page,
  api,
  pageErrors,
}) => {
  const { holder, guardians } = await api.newGuardedHolder();
  await page.goto(`/recover?domain=${holder.domain}&step=key`);
  await chooseOption(page, t('keys.choose.words'));
  await expect(page.getByRole('list', { name: t('keys.write.list') }).getByRole('listitem')).toHaveCount(24);
  const before = await listedWords(page, t('keys.write.list'));
  await page.reload();
  await expectScreen(page, t('keys.choose.title'));
  const keyWords = await keepKeyAsWords(page, t);
  expect(keyWords).toEqual(before);
  await expectScreen(page, t('recover.ask.title'));
  await page.reload();
  const { links, words } = await sendRecoveryRequest(page, t);
  await expectNoSecrets(page, [], links.map(tokenOf));
  await page.reload();
  await expectScreen(page, t('recover.watch.title', { given: 0 }));
  await clickLink(page, t('recover.watch.words'));
  await expect(page.getByRole('list', { name: t('recover.words.title') }).getByRole('listitem')).toHaveCount(6);
  expect(await listedWords(page, t('recover.words.title'))).toEqual(words);
  const secondTab = await page.context().newPage();
  await secondTab.goto('/recover');
  await clickLink(secondTab, t('recover.unfinished.resume'));
  await clickLink(secondTab, t('recover.watch.links'));
  await expect(secondTab.getByText(/\/r\/[\w-]{43}/)).toHaveText(links);
  await secondTab.close();

  const publicKey = await keyOf(api, links);
  const [primary, secondary] = guardians;
  if (!primary || !secondary) throw new Error('There are two guardians.');
  await api.confirmRecovery(holder, links[0] ?? '', publicKey, primary);
  await refresh(page, t('recover.watch.tally', { given: 1, needed: 2 }));
  await expectPageError(pageErrors, 'status of 410');
});

test('links that an earlier version stored in the clear are encrypted when the recovery is resumed @long', async ({
  page,
  api,
}) => {
  const { holder } = await api.newGuardedHolder();
  await goToRequestScreen(page, holder);
  const { links } = await sendRecoveryRequest(page, t);
  const shown = page.getByText(/\/r\/[\w-]{43}/);
  await page.evaluate((urls) => {
    indexedDB.deleteDatabase('perpetua-recovery');
    const [name = '', text = ''] = Object.entries(localStorage).find(([each]) => /recovery:/.test(each)) ?? [];
    const kept = JSON.parse(text);
    kept.request.links = urls.map((url) => ({
      role: 'primary',
      url: url.replace('/r/', '/api/guardian/confirm-recovery/'),
    }));
    localStorage.setItem(name, JSON.stringify(kept));
  }, links);
  await page.reload();
  await clickLink(page, t('recover.watch.links'));
  await expect(shown).toHaveText(links);
  await page.goto('/recover');
  await expectNoSecrets(page, [], links.map(tokenOf));
  await clickLink(page, t('recover.unfinished.resume'));
  await clickLink(page, t('recover.watch.links'));
  await expect(shown).toHaveText(links);
});

test('after a lost connection, the request is sent again with the same key @long', async ({
  page,
  api,
  pageErrors,
}) => {
  const { holder } = await api.newGuardedHolder();
  await goToRequestScreen(page, holder);
  await page.route(REQUEST, (route) => route.abort('internetdisconnected'));
  await clickButton(page, t('recover.ask.yes'));
  await expect(page.getByRole('alert').filter({ hasText: t('recover.errors.UNREACHABLE') })).toBeVisible();
  await expectPageError(pageErrors, NO_RESPONSE);
  await page.unrouteAll();
  const { links, words } = await sendRecoveryRequest(page, t);
  expect([links.length, words.length]).toEqual([2, 6]);
  await expectScreen(page, t('recover.watch.title', { given: 0 }));
  await page.route('**/api/beos/**', (route) => route.abort('internetdisconnected'));
  await refresh(page, t('recover.watch.unreachable'));
  await page.unrouteAll();
  await refresh(page, t('recover.watch.live'));
  await expectPageError(pageErrors, NO_RESPONSE);
});

test('the request is signed with the new key, so that a request of another key cannot replace it @long', async ({
  page,
  api,
}) => {
  const { holder } = await api.newGuardedHolder();
  await goToRequestScreen(page, holder);
  const sent = page.waitForRequest(REQUEST);
  await sendRecoveryRequest(page, t);
  const body = JSON.parse(await bodyOf(await sent));
  expect(Object.keys(body).sort()).toEqual(
    ['beoId', 'ledgerId', 'newPublicKey', 'nonce', 'signature', 'timestamp'].sort(),
  );
});

test('a response with the words of another key stops the recovery @long', async ({ page, api }) => {
  const { holder } = await api.newGuardedHolder();
  await goToRequestScreen(page, holder);
  await page.route(REQUEST, async (route: Route) => {
    const response = await route.fetch({ postData: await bodyOf(route.request()) });
    const body = { ...(await response.json()), fingerprint: 'abandon abandon abandon abandon abandon zebra' };
    await route.fulfill({ response, json: body });
  });
  await clickButton(page, t('recover.ask.yes'));
  await expectScreen(page, t('recover.mismatch.title'));
  await expect(page.getByText(/\/r\/[\w-]{43}/)).toHaveCount(0);
});

test('a request for another key is reported, and also when it is executed @long', async ({ page, api, pageErrors }) => {
  const { holder, guardians } = await api.newGuardedHolder();
  const [primary, secondary] = guardians;
  if (!primary || !secondary) throw new Error('There are two guardians.');
  await goToRequestScreen(page, holder);
  await sendRecoveryRequest(page, t);
  await expectScreen(page, t('recover.watch.title', { given: 0 }));
  const otherKey = newKey();
  const { links } = await api.requestRecovery(holder, otherKey.publicKey);
  const urls = links.map(({ url }) => url);
  await api.confirmRecovery(holder, urls[0] ?? '', otherKey.publicKey, primary);
  await refresh(page, t('recover.watch.rivalTitle', { domain: holder.domain }));
  await api.confirmRecovery(holder, urls[1] ?? '', otherKey.publicKey, secondary);
  await refresh(page, t('recover.ended.overtaken.title', { domain: holder.domain }));
  await expectPageError(pageErrors, 'status of 410');
  await clickLink(page, t('recover.ended.again'));
  await expectScreen(page, t('recover.ask.againTitle'));
});

test('a recovery continues on another device with the new key’s words, up to the holder’s pages @long', {
  tag: '@desktop',
}, async ({ page, newUser, api, pageErrors }) => {
  const { holder, guardians } = await api.newGuardedHolder();
  const [primary, secondary] = guardians;
  if (!primary || !secondary) throw new Error('There are two guardians.');
  const keyWords = await goToRequestScreen(page, holder);
  const { links } = await sendRecoveryRequest(page, t);
  await api.confirmRecovery(holder, links[0] ?? '', await keyOf(api, links), primary);
  const otherDevice = await newUser();
  await otherDevice.goto(`/recover?domain=${holder.domain}`);
  await expect(otherDevice.getByText(t('recover.found.underwayTitle'))).toBeVisible();
  await clickLink(otherDevice, t('recover.found.mine'));
  await openKeyWithWords(otherDevice, t, keyWords);
  await expectScreen(otherDevice, t('recover.watch.title', { given: 1 }));
  await page.close();

  await api.confirmRecovery(holder, links[1] ?? '', await keyOf(api, links.slice(1)), secondary);
  await refresh(otherDevice, t('recover.done.title', { domain: holder.domain }));
  ignorePageErrors(pageErrors, 'status of 410');
  await clickLink(otherDevice, t('recover.done.toPages'));
  await expectScreen(otherDevice, t('keys.open.foundTitle'));
  await clickButton(otherDevice, t('keys.open.use'));
  await expectScreen(otherDevice, t('session.here.title'));
  await passphraseField(otherDevice, t).fill(NEW_PASSPHRASE);
  await clickButton(otherDevice, t('session.here.submit'));
  await expect(otherDevice).toHaveURL(/\/me$/);
  await expect(otherDevice.getByText(t('session.isOpen'))).toBeVisible();
});

test('the screens of a recovery are accessible @long', async ({ page, api, pageErrors }, testInfo) => {
  const { holder, guardians } = await api.newGuardedHolder(3);
  const { domain } = holder;
  for (const _ of [1, 2]) await api.grant(holder, (await api.newInstitution()).id);
  const check = (name: string) => checkScreen(page, `recover-${name}`, testInfo);

  await page.goto('/recover?domain=unknown-domain');
  await expect(page.getByRole('textbox', { name: t('recover.start.label') })).toBeVisible();
  await check('1-unknown');
  await page.goto('/recover');
  await check('1-start');
  await page.goto(`/recover?domain=${domain}`);
  await expectScreen(page, t('recover.found.title', { domain }));
  await check('2-found');
  await clickLink(page, t('recover.found.next'));
  await expectScreen(page, t('recover.what.title'));
  await check('3-what');
  await page.goto('/recover');
  await startRecovery(page, t, domain);
  await keepKeyAsWords(page, t);
  await expectScreen(page, t('recover.ask.title'));
  await check('5-ask');
  await clickButton(page, t('recover.ask.yes'));
  await expectScreen(page, t('recover.links.title'));
  await clickButton(page, `${t('common.passOn.qr')} (${t('recover.links.role.primary')})`);
  const code = t('common.passOn.qrLabel', { who: t('recover.links.role.primary') });
  await expect(page.getByRole('img', { name: code })).toBeVisible();
  await check('6-links');
  const links = await page.getByText(/\/r\/[\w-]{43}/).allTextContents();
  await clickLink(page, t('recover.links.next'));
  await expectScreen(page, t('recover.words.title'));
  await expect(page.getByRole('list', { name: t('recover.words.title') }).getByRole('listitem')).toHaveCount(6);
  await check('7-words');
  await clickLink(page, t('recover.words.next'));
  await expectScreen(page, t('recover.watch.title', { given: 0 }));
  await check('8-watch-none');

  const newPublicKey = await keyOf(api, links);
  const confirm = async (index: number) => {
    const guardian = guardians[index];
    if (guardian) await api.confirmRecovery(holder, links[index] ?? '', newPublicKey, guardian);
  };
  await confirm(0);
  await expectScreen(page, t('recover.watch.title', { given: 1 }));
  await expect(page.getByText(t('recover.watch.confirmed'), { exact: true })).toBeVisible();
  await check('8-watch-one');
  await api.lock(holder);
  await confirm(2);
  await expectScreen(page, t('recover.done.title', { domain }));
  await expectPageError(pageErrors, 'status of 410');
  await check('9-done');
  await clickLink(page, t('recover.done.review'));
  await expectScreen(page, t('recover.consents.title'));
  await expect(page.getByText(t('recover.consents.lead'))).toBeVisible();
  await check('10-consents');
  const all = page.getByRole('button', { name: /^Withdraw all \d$/ });
  await all.click();
  await expect(page.getByRole('heading', { name: /^Withdraw all \d consents\?$/ })).toBeFocused();
  await check('10-withdraw');
  await page.getByRole('button', { name: /^Yes, withdraw all \d$/ }).click();
  await expect(page.getByText(t('recover.consents.active', { count: 0 }))).toBeFocused();
  await check('10-withdrawn');
});

test('the page for an identity with too few guardians is accessible @long', async ({ page, api }, testInfo) => {
  const { holder } = await api.newGuardedHolder(1);
  await page.goto(`/recover?domain=${holder.domain}`);
  await expectScreen(page, t('recover.helpless.title', { domain: holder.domain }));
  await checkScreen(page, 'recover-2-too-few-guardians', testInfo);
});

/** From the domain to the screen that sends the request, the key kept as words. @returns the words */
async function goToRequestScreen(page: Page, { domain }: Holder): Promise<string[]> {
  await page.goto('/recover');
  await startRecovery(page, t, domain);
  const keyWords = await keepKeyAsWords(page, t);
  await expectScreen(page, t('recover.ask.title'));
  return keyWords;
}

const tokenOf = (link: string): string => link.slice(link.lastIndexOf('/') + 1);

/** Makes the page refresh at once, as it does when it is online again, until it shows a text. */
const refresh = (page: Page, text: string): Promise<void> =>
  expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(page.getByText(text).first()).toBeVisible({ timeout: 5_000 });
  }).toPass();

/** The new public key of a request. */
async function keyOf(api: Api, [link = '']: readonly string[]): Promise<string> {
  return (await (await api.get(apiPathOf(link), { accept: 'application/json' })).json()).new_public_key;
}
