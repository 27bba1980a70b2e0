import type { Page } from '@playwright/test';
import { type Api, linkFor, newKey } from './api.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { clickDuringHydration, delayScripts, expectHydrated } from './hydration.ts';
import { chooseOption, clickButton, clickLink, expectScreen, openMenu, optionButton } from './page-actions.ts';
import { newStoredHolder } from './stored-identity.ts';

const t = translatorFor('en');

test('a link to the next step works when it is clicked during hydration', async ({ page, api }) => {
  const { holder } = await api.newGuardedHolder();
  const release = await delayScripts(page);
  const wasClicked = await clickDuringHydration(page, 'main a[href*="step=key"]');
  await page.goto(`/recover?domain=${holder.domain}&step=what`, { waitUntil: 'commit' });
  await expectScreen(page, t('recover.what.title'));
  release();
  await expectScreen(page, t('keys.choose.title'));
  expect(await wasClicked()).toBe(true);
  await page.goBack();
  await expectScreen(page, t('recover.what.title'));
});

test('home: a domain typed before the scripts load is looked up', async ({ page, identity }) => {
  const release = await delayScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  const field = page.getByRole('textbox', { name: t('home.lookup.label') });
  await field.fill(identity.domain);
  release();
  await expectHydrated(field);
  await expect(field).toHaveValue(identity.domain);
  await page.getByRole('button', { name: t('home.lookup.submit') }).click();
  await expect(page.getByRole('heading', { name: identity.domain })).toBeVisible();
});

test('a menu opened before the scripts load stays open until another page is shown @long', async ({ page }) => {
  const release = await delayScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await openMenu(page);
  release();
  await expectHydrated(page.getByRole('textbox', { name: t('home.lookup.label') }));
  const theme = page.getByRole('button', { name: t('shell.useDarkTheme') });
  await expect(theme).toBeVisible();
  await page
    .getByRole('banner')
    .getByRole('link', { name: t('shell.footer.help'), exact: true })
    .click();
  await expect(page).toHaveURL(/[/]help/);
  await expect(theme).toBeHidden();
});

test('sign-in: a domain submitted before the scripts load is looked up @long', async ({ page, identity }) => {
  const release = await delayScripts(page);
  await page.goto('/sign-in/bring?lang=es', { waitUntil: 'commit' });
  const es = translatorFor('es');
  await page.getByRole('textbox', { name: es('signIn.bring.domain') }).fill(identity.domain);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/lang=es&domain=/);
  release();
  await expect(optionButton(page, es('keys.open.words'))).toBeVisible();
});

test('register: a domain submitted before the scripts load is checked @long', async ({ page, identity }) => {
  const release = await delayScripts(page);
  await page.goto('/register', { waitUntil: 'commit' });
  const field = page.getByRole('textbox', { name: t('register.domain.label') });
  await field.fill(identity.domain);
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(identity.domain);
  release();
  await expect(page.getByText(t('register.domain.taken', { domain: identity.domain })).first()).toBeVisible();
});

test('sign-in: a domain corrected before the scripts load is looked up as corrected @long', async ({
  page,
  identity,
}) => {
  const release = await delayScripts(page);
  await page.goto('/sign-in/bring?domain=unknown-domain', { waitUntil: 'commit' });
  const field = page.getByRole('textbox', { name: t('signIn.bring.domain') });
  await field.fill(identity.domain);
  release();
  await expectHydrated(field);
  await expect(field).toHaveValue(identity.domain);
  await clickButton(page, t('signIn.bring.find'));
  await expect(optionButton(page, t('keys.open.words'))).toBeVisible();
});

test('create: a name submitted before the scripts load is checked by the server, and chosen @long', async ({
  page,
  identity,
}) => {
  const release = await delayScripts(page);
  await page.goto('/create', { waitUntil: 'commit' });
  const field = page.getByLabel(t('create.name.label'), { exact: true });
  await expect(field).toHaveValue(/-\d\d$/);
  await field.fill(identity.domain);
  await page.keyboard.press('Enter');
  await expect(page.getByText(t('create.name.taken', { domain: identity.domain }))).toBeVisible();
  await field.fill(`river-${crypto.randomUUID().slice(0, 8)}`);
  await page.keyboard.press('Enter');
  await page.waitForURL(/name=river/, { waitUntil: 'commit' });
  release();
  await expectScreen(page, t('create.public.title'));
  await page.goBack();
  await expectScreen(page, t('create.name.title'));
});

test('a consent: the recipient can be searched before the scripts load @long', async ({ page, api }) => {
  await newStoredHolder(page, api);
  const release = await delayScripts(page);
  await page.goto('/me/consents/new', { waitUntil: 'commit' });
  await page.getByRole('searchbox', { name: t('consents.who.search') }).fill('Santa');
  await page.keyboard.press('Enter');
  await page.waitForURL(/typed=Santa/, { waitUntil: 'commit' });
  await expect(page.getByRole('main').getByRole('searchbox')).toHaveValue('Santa');
  release();
  await chooseOption(page, t('consents.who.self'));
  await expectScreen(page, t('consents.may.titleSelf'));
});

test('institute: the choices of a proposal are disabled until the scripts have loaded @long', async ({ page }) => {
  const release = await delayScripts(page);
  await page.goto('/institute?step=propose', { waitUntil: 'commit' });
  const first = page.getByRole('radio').first();
  await expect(first).toBeDisabled();
  await expect(page.getByRole('button', { name: t('institute.review.next') })).toBeDisabled();
  release();
  await first.check();
  await expect(page.getByRole('main').getByRole('searchbox')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
});

test('an invitation: its first steps work before the scripts load @long', async ({ page, api }) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  const release = await delayScripts(page);
  await page.goto(url, { waitUntil: 'commit' });
  await expectScreen(page, t('accept.who.title', { domain: holder.domain }));
  await clickLink(page, t('accept.who.yes'));
  await expectScreen(page, t('accept.what.title'));
  await clickLink(page, t('guardian.continue'));
  await expectScreen(page, t('accept.day.title'));
  await clickLink(page, t('accept.day.next'));
  await expectScreen(page, t('keys.draft.making'));
  release();
  await expectScreen(page, t('keys.choose.title'));
});

test('a recovery request: words typed before the scripts load stay in their fields @long', async ({ page, api }) => {
  const { url, words } = await newRecoveryRequest(api);
  const release = await delayScripts(page);
  await page.goto(url, { waitUntil: 'commit' });
  await clickLink(page, t('guardian.continue'));
  await clickLink(page, t('confirm.call.ready'));
  await expectScreen(page, t('confirm.words.title'));
  const before = await typeWords(page, words);
  release();
  await expectWords(page, before);
});

test('a recovery request: words submitted before the scripts load stay in their fields @long', async ({
  page,
  api,
}) => {
  const { url, words } = await newRecoveryRequest(api);
  const release = await delayScripts(page);
  await page.goto(`${url}?step=words`, { waitUntil: 'commit' });
  const before = await typeWords(page, words);
  await page.keyboard.press('Enter');
  release();
  await expectScreen(page, t('confirm.words.title'));
  await expectWords(page, before);
});

test('recover: its first steps work before the scripts load @long', async ({ page, api }) => {
  const { holder } = await api.newGuardedHolder();
  const release = await delayScripts(page);
  await page.goto('/recover', { waitUntil: 'commit' });
  await expectScreen(page, t('recover.start.title'));
  await page.getByRole('textbox', { name: t('recover.start.label') }).fill(holder.domain);
  await clickButton(page, t('recover.start.submit'));
  await expectScreen(page, t('recover.found.title', { domain: holder.domain }));
  await clickLink(page, t('recover.found.next'));
  await expectScreen(page, t('recover.what.title'));
  release();
  await clickLink(page, t('recover.what.next'));
  await expectScreen(page, t('keys.choose.title'));
});

test('without scripts, the guardian pages can be read and state which step needs scripts @long', async ({
  newUser,
  api,
}) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  const page = await newUser({ javaScriptEnabled: false });
  await page.goto(url);
  await clickLink(page, t('accept.who.yes'));
  await expectScreen(page, t('accept.what.title'));
  await page.goto(`${url}?step=key`);
  await expectScreen(page, t('guardian.noScripts.title'));
  await expect(page.getByText(t('guardian.noScripts.body'))).toBeVisible();
  await page.goto('/recover');
  await expectScreen(page, t('recover.start.title'));
});

async function newRecoveryRequest(api: Api): Promise<{ url: string; words: string[] }> {
  const { holder } = await api.newGuardedHolder();
  const request = await api.requestRecovery(holder, newKey().publicKey);
  return { url: linkFor(request, 'primary'), words: request.fingerprint.split(' ') };
}

/** Types the words before the scripts load. @returns the values of the fields */
async function typeWords(page: Page, words: readonly string[]): Promise<string[]> {
  for (const [index, word] of words.entries()) {
    await page.getByRole('combobox').nth(index).focus();
    await page.keyboard.type(word);
  }
  return page
    .getByRole('combobox')
    .evaluateAll((fields) => fields.map((field) => (field instanceof HTMLInputElement ? field.value : '')));
}

async function expectWords(page: Page, words: readonly string[]): Promise<void> {
  await expectHydrated(page.getByRole('combobox').last());
  for (const [index, word] of words.entries()) await expect(page.getByRole('combobox').nth(index)).toHaveValue(word);
}
