import type { Page } from '@playwright/test';
import { openedKey } from '../app/_keys/secret.ts';
import { checkScreen } from './check-screen.ts';
import { expect, expectPageError, test, translatorFor } from './fixtures.ts';
import {
  choosePassphrase,
  clickButton,
  clickLink,
  expectScreen,
  keepKeyAsWords,
  passphraseField,
} from './page-actions.ts';
import { entropyOf, expectNoSecrets, hexOf, recordRequests, unencryptedKeys } from './secrets.ts';

const t = translatorFor('en');

/** Adds an authenticator with the PRF extension, as phones and laptops have. */
async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('a new user creates an identity and unlocks its key with a passkey', async ({ page, api, pageErrors }, info) => {
  const sent = recordRequests(page);
  await addAuthenticator(page);
  await page.goto('/sign-in');
  await expectScreen(page, t('signIn.first'));
  await checkScreen(page, 'sign-in-first', info);
  await page
    .getByRole('link', { name: t('signIn.ways.create') })
    .first()
    .click();

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
  await expectScreen(page, t('keys.choose.title'));
  const words = await keepKeyAsWords(page, t);

  await expectScreen(page, t('session.here.title'));
  await page.reload();
  await expectScreen(page, t('session.here.title'));
  await checkScreen(page, 'create-here', info);
  await passphraseField(page, t).fill('too short');
  await clickButton(page, t('session.here.submit'));
  await expect(page.getByText(t('keys.passphrase.short', { count: 9, minimum: 12 }))).toBeVisible();
  await choosePassphrase(page, t);

  await expectScreen(page, t('create.send.title', { domain }));
  await checkScreen(page, 'create-send', info);
  const operate = '**/api/relayer/beo';
  await page.route(operate, (route) => route.fetch().then(() => route.abort()), { times: 1 });
  await clickButton(page, t('create.send.yes'));
  // The response was lost; the page finds that the identity was created.
  await expectScreen(page, t('session.passkey.title'));
  await expectPageError(pageErrors, 'ERR_FAILED');
  await checkScreen(page, 'passkey-offer', info);
  await clickButton(page, t('session.passkey.add'));
  await expectScreen(page, t('create.done.title', { domain }));
  await checkScreen(page, 'create-done', info);
  await clickButton(page, t('create.done.self.give'));
  await expect(page.getByText(t('create.done.self.given'))).toBeVisible();
  await clickLink(page, `${t('create.done.pages')} ${t('create.done.pagesWhat')}`);
  await expect(page).toHaveURL(/\/me$/);
  await expect(page.getByText(t('session.isOpen'))).toBeVisible();
  await expect(page.getByRole('heading', { name: t('overview.first.title') })).toBeVisible();
  expect((await api.identity(domain)).recovery.confirmed_only).toBe(true);

  const entropy = await entropyOf(words);
  await expectNoSecrets(page, sent, [words.join(' '), hexOf(entropy), hexOf((await openedKey(entropy)).seed)]);
  expect(await unencryptedKeys(page)).toEqual([]);

  await page.reload();
  await expect(page.getByText(t('session.isAway'))).toBeVisible();
  await clickButton(page, t('session.open'));
  await clickButton(page, t('session.unlock.passkey'));
  await expect(page.getByText(t('session.isOpen'))).toBeVisible();
});
