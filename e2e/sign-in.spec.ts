import { newSecret, type OpenedKey, openedKey, openedSecret, type Purpose, wordsOf } from '../app/_keys/secret.ts';
import { keyOfSeed } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, ignorePageErrors, test, translatorFor } from './fixtures.ts';
import { PASSPHRASE, sealKey } from './key-files.ts';
import {
  chooseOption,
  choosePassphrase,
  clickButton,
  dayOfFile,
  expectScreen,
  NEW_PASSPHRASE,
  passphraseField,
  selectKeyFile,
} from './page-actions.ts';
import { expectNoSecrets, hexOf, recordRequests } from './secrets.ts';
import { newOpenedKey, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('a user signs in with a secret key, with words and with a key file, and a wrong key is refused with a reason @desktop', async ({
  page,
  api,
  pageErrors,
}, info) => {
  const sent = recordRequests(page);
  const entropy = newSecret();
  const wordsKey = await openedKey(entropy);
  const words = await wordsOf(entropy);
  const seedKey = await openedSecret({ holds: 'seed', bytes: newSecret() });
  const holder = await api.newHolder(keyOfSeed(wordsKey.seed));
  const clinic = await api.newInstitution(keyOfSeed(seedKey.seed));
  const seed = hexOf(seedKey.seed);

  await page.goto('/sign-in/bring');
  await expectScreen(page, t('signIn.bring.title'));
  await checkScreen(page, 'bring', info);
  const domain = page.getByLabel(t('signIn.bring.domain'), { exact: true });
  await domain.fill('unknown-domain');
  await clickButton(page, t('signIn.bring.find'));
  await expect(page.getByText(t('signIn.bring.unknown', { domain: 'unknown-domain.bsp' }))).toBeVisible();
  ignorePageErrors(pageErrors, '404');

  await domain.fill(clinic.domain);
  await clickButton(page, t('signIn.bring.find'));
  await expect(page.getByText(t('signIn.bring.institution', { domain: clinic.domain }))).toBeVisible();
  await chooseOption(page, t('keys.open.code'));
  const code = page.getByLabel(t('keys.code.label'), { exact: true });
  for (const [typed, sentence] of [
    [seed.slice(2), t('keys.code.length', { count: 62 })],
    [seed + wordsKey.publicKey, t('keys.code.halves')],
    [clinic.key.publicKey, t('keys.code.publicKey', { purpose: 'institution', domain: clinic.domain })],
    [hexOf(wordsKey.seed), t('keys.code.other', { purpose: 'institution', domain: clinic.domain })],
    ['not a key', t('keys.code.foreign')],
  ] as const) {
    await code.fill(typed);
    await clickButton(page, t('keys.open.open'));
    await expect(page.getByText(sentence)).toBeVisible();
  }
  await checkScreen(page, 'bring-code', info);
  await code.fill(seed + seedKey.publicKey);
  await clickButton(page, t('keys.open.open'));
  await choosePassphrase(page, t);
  await expect(page).toHaveURL(/\/institution$/);
  await expect(page.getByText(t('dashboard.backup.title'))).toBeVisible();
  await page.goto('/me');
  const other = t('dashboard.noIdentity.otherTitle', { kind: 'institution', domain: clinic.domain });
  await expect(page.getByText(other).locator('visible=true')).toBeVisible();
  await checkScreen(page, 'me-institution', info);
  await page
    .getByRole('link', { name: t('dashboard.noIdentity.otherHome', { domain: clinic.domain }) })
    .locator('visible=true')
    .click();
  await expect(page).toHaveURL(/\/institution$/);

  await page.goto(`/sign-in/bring?domain=${holder.domain}`);
  await chooseOption(page, t('keys.open.words'));
  const first = page.getByRole('combobox', { name: t('keys.word', { number: 1 }), exact: true });
  await first.focus();
  await page.evaluate((text) => document.execCommand('insertText', false, text), words.join(' '));
  await clickButton(page, t('keys.open.wordsOpen'));
  await choosePassphrase(page, t);
  await expect(page).toHaveURL(/\/me$/);
  await expect(page.getByText(t('dashboard.backup.holder', { domain: holder.domain }))).toBeHidden();

  await page.goto('/sign-in');
  await expectScreen(page, t('signIn.title'));
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([holder.domain, clinic.domain]);
  await checkScreen(page, 'sign-in-known', info);
  await page.getByRole('button', { name: t('signIn.known.forgetOf', { domain: clinic.domain }) }).click();
  await expect(page.getByText(t('safety.forget.noBackupTitle'))).toBeVisible();
  await clickButton(page, t('safety.forget.anyway'));
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([holder.domain]);

  await page.goto('/sign-in/bring');
  await chooseOption(page, t('signIn.bring.file'));
  const stranger = await fileOf(await newOpenedKey(), 'guardian', holder.domain);
  await selectKeyFile(page, t, { name: 'guardian.json', text: stranger });
  await expect(page.getByText(t('signIn.bring.guardianFile', { domain: holder.domain }))).toBeVisible();
  await selectKeyFile(page, t, { name: 'photo.json', text: 'a photo' });
  await expect(page.getByText(t('keys.problem.foreign'))).toBeVisible();
  const keyFile = await fileOf(wordsKey, 'holder', holder.domain);
  await selectKeyFile(page, t, { name: 'key.json', text: keyFile });
  await expectScreen(page, t('signIn.bring.fileOf', { domain: holder.domain }));
  await passphraseField(page, t).fill('not the right one');
  await clickButton(page, t('keys.open.open'));
  const date = dayOfFile(keyFile);
  await expect(page.getByText(t('keys.problem.passphrase', { place: 'file', date }))).toBeVisible();
  await checkScreen(page, 'bring-file', info);
  await passphraseField(page, t).fill(PASSPHRASE);
  await clickButton(page, t('keys.open.open'));
  await expectScreen(page, t('session.here.title'));
  await checkScreen(page, 'bring-passphrase', info);
  await clickButton(page, t('keys.passphrase.reuse'));
  await expect(page).toHaveURL(/\/me$/);
  await clickButton(page, t('session.putAway'));
  await clickButton(page, t('session.open'));
  await unlockKey(page, t, PASSPHRASE);
  await expect(page.getByText(t('session.isOpen')).first()).toBeAttached();

  await expectNoSecrets(page, sent, [words.join(' '), hexOf(entropy), hexOf(wordsKey.seed), seed, NEW_PASSPHRASE]);
});

/** The text of a key file. */
test('a person who does not know the name signs in with the 24 words alone @desktop @long', async ({
  page,
  api,
}, info) => {
  const sent = recordRequests(page);
  const entropy = newSecret();
  const key = await openedKey(entropy);
  const words = await wordsOf(entropy);
  const holder = await api.newHolder(keyOfSeed(key.seed));
  const paste = async (typed: readonly string[]) => {
    await page.getByRole('combobox', { name: t('keys.word', { number: 1 }), exact: true }).fill(typed.join(' '));
    await clickButton(page, t('keys.open.wordsOpen'));
  };

  await page.goto('/sign-in/bring');
  await chooseOption(page, t('signIn.bring.words.name'));
  await expectScreen(page, t('keys.open.wordsTitle'));
  await paste(await wordsOf(newSecret()));
  await expect(page.getByText(t('signIn.bring.words.noneTitle'))).toBeVisible();
  await checkScreen(page, 'bring-words', info);
  await paste(words.map((word, index) => `| ${index + 1}. | • ${word}. |`));
  await expect(page.getByText(t('signIn.bring.right', { domain: holder.domain }))).toBeVisible();
  await choosePassphrase(page, t);
  await expect(page).toHaveURL(/\/me$/);
  await expectNoSecrets(page, sent, [words.join(' '), hexOf(entropy), hexOf(key.seed)]);

  const clinic = await api.newInstitution(keyOfSeed(key.seed));
  await page.goto('/sign-in/bring');
  await chooseOption(page, t('signIn.bring.words.name'));
  await paste(words);
  await expectScreen(page, t('signIn.bring.words.several'));
  await checkScreen(page, 'bring-several', info);
  await chooseOption(page, clinic.domain);
  await expect(page.getByText(t('signIn.bring.right', { domain: clinic.domain }))).toBeVisible();
});

function fileOf({ secret, publicKey }: OpenedKey, purpose: Purpose, beoDomain: string): Promise<string> {
  return sealKey({ secret, publicKey, purpose, beoDomain, createdAt: new Date() });
}
