import { LANGUAGES } from '../messages/languages.ts';
import { unsubscribeToken } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, openWithStatus, test, translatorFor } from './fixtures.ts';
import { clickButton, expectScreen } from './page-actions.ts';

const unsubscribeLink = async (address: string) => `/api/mail/unsubscribe/${await unsubscribeToken(address)}`;

const newAddress = (locale: string) => `${locale}-${Date.now()}-${Math.random()}@mail.example`;

for (const locale of LANGUAGES) {
  // In the short tier once, and in Spanish without scripts.
  const tier = locale === 'en' ? '' : ' @long';
  test(`a recipient stops and resumes mail with one button, in ${locale}${tier}`, async ({ newUser }, info) => {
    const t = translatorFor(locale);
    const page = await newUser({ locale });
    const link = await unsubscribeLink(newAddress(locale));
    await page.goto(link);
    await expectScreen(page, t('mail.stopTitle'));
    await expect(page).toHaveTitle(new RegExp(`^${t('mail.title')}`));
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
    await checkScreen(page, `mail-stop-${locale}`, info);
    // Opening the link changes nothing.
    await page.reload();
    await expectScreen(page, t('mail.stopTitle'));
    await clickButton(page, t('mail.stop'));
    await expectScreen(page, t('mail.stoppedTitle'));
    await checkScreen(page, `mail-stopped-${locale}`, info);
    await page.goto(link);
    await expectScreen(page, t('mail.stoppedTitle'));
    await clickButton(page, t('mail.resume'));
    await expectScreen(page, t('mail.stopTitle'));
  });
}

test('the button works without scripts, in the language that was chosen', async ({ newUser }) => {
  const t = translatorFor('es');
  const page = await newUser({ locale: 'en', javaScriptEnabled: false });
  await page.goto(`${await unsubscribeLink(newAddress('none'))}?lang=es`);
  await expectScreen(page, t('mail.stopTitle'));
  await clickButton(page, t('mail.stop'));
  await expectScreen(page, t('mail.stoppedTitle'));
});

test('an unknown link is reported', async ({ page, pageErrors }, info) => {
  const t = translatorFor('en');
  await openWithStatus(page, pageErrors, `/api/mail/unsubscribe/${'A'.repeat(43)}`, 404);
  await expectScreen(page, t('mail.unknownTitle'));
  await checkScreen(page, 'mail-unknown', info);
});
