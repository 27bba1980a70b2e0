import { checkScreen } from './check-screen.ts';
import { expect, ignorePageErrors, test, translatorFor } from './fixtures.ts';
import { PASSPHRASE } from './key-files.ts';
import { clickButton, expectScreen } from './page-actions.ts';
import { newStoredHolder, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

const link = (members: Record<string, string>) => `/me/asked?${new URLSearchParams(members)}`;

test('a holder signs what an assistant asked for, and refuses another request', async ({
  page,
  api,
  pageErrors,
}, info) => {
  const holder = await newStoredHolder(page, api);
  const status = async () => (await api.identity(holder.id)).status;

  await page.goto(link({ ask: 'lockBEO', beo: holder.domain }));
  await expectScreen(page, t('asked.title', { ask: 'lockBEO' }));
  await expect(page.getByText(t('asked.who.body'))).toBeVisible();
  await checkScreen(page, 'asked', info);
  await clickButton(page, t('asked.refuse'));
  await expectScreen(page, t('asked.refused.title'));
  expect(await status()).toBe('ACTIVE');

  await page.goto(link({ ask: 'lockBEO', beo: holder.domain }));
  await clickButton(page, t('asked.sign', { ask: 'lockBEO' }));
  await unlockKey(page, t, PASSPHRASE);
  await expectScreen(page, t('asked.signed.title'));
  await checkScreen(page, 'asked-signed', info);
  expect(await status()).toBe('LOCKED');

  await page.goto(link({ ask: 'lockBEO', beo: holder.domain }));
  await clickButton(page, t('asked.sign', { ask: 'lockBEO' }));
  await unlockKey(page, t, PASSPHRASE);
  await expect(page.getByText(t('errors.ALREADY_LOCKED'))).toBeVisible();
  ignorePageErrors(pageErrors, 'status of 409');
});

test('a request for another identity, or one that cannot be read, asks for nothing @desktop @long', async ({
  page,
  api,
}) => {
  await newStoredHolder(page, api);
  await page.goto(link({ ask: 'lockBEO', beo: 'someone-else.bsp' }));
  await expectScreen(page, t('asked.other.title'));
  await page.goto(link({ ask: 'rotateKey', beo: 'someone-else.bsp' }));
  await expectScreen(page, t('asked.unknown.title'));
  await expect(page.getByRole('button', { name: t('asked.refuse') })).toHaveCount(0);
});
