import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LANGUAGES } from '../messages/languages.ts';
import { privateKeyObject } from '../server/crypto/node-ed25519.ts';
import { addressHashKey, createAddressHashes } from '../server/mail/address-hashes.ts';
import { expect, openClosed, sayIn, test } from './people.ts';
import { onScreen, press } from './steps.ts';
import { survey } from './survey.ts';

/** The link at the end of the mails to an address, as the product makes it: it sends no mail in these tests. */
async function unsubscribeLink(address: string): Promise<string> {
  const seed = await readFile(join(process.env.PRODUCT_DATA_DIR ?? '', 'relayer.key'), 'utf8');
  const { recipient, unsubscribeToken } = createAddressHashes(
    addressHashKey(privateKeyObject(Buffer.from(seed.trim(), 'hex'))),
  );
  return `/api/mail/unsubscribe/${unsubscribeToken(recipient(address))}`;
}

const addressIn = (locale: string) => `${locale}-${Date.now()}-${Math.random()}@mail.example`;

for (const locale of LANGUAGES) {
  test(`whoever wants no more mail says so with one button, and can take it back, in ${locale}`, async ({
    another,
  }, info) => {
    const say = sayIn(locale);
    const page = await another({ locale });
    const link = await unsubscribeLink(addressIn(locale));
    await page.goto(link);
    await onScreen(page, say('mail.stopTitle'));
    await expect(page).toHaveTitle(new RegExp(`^${say('mail.title')}`));
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
    await survey(page, `mail-stop-${locale}`, info);
    // Looking at it, also twice, changes nothing.
    await page.reload();
    await onScreen(page, say('mail.stopTitle'));
    await press(page, say('mail.stop'));
    await onScreen(page, say('mail.stoppedTitle'));
    await survey(page, `mail-stopped-${locale}`, info);
    await page.goto(link);
    await onScreen(page, say('mail.stoppedTitle'));
    await press(page, say('mail.resume'));
    await onScreen(page, say('mail.stopTitle'));
  });
}

test('the button works without scripts, and the page stays in the language that was chosen', async ({ another }) => {
  const say = sayIn('es');
  const page = await another({ locale: 'en', javaScriptEnabled: false });
  await page.goto(`${await unsubscribeLink(addressIn('none'))}?lang=es`);
  await onScreen(page, say('mail.stopTitle'));
  await press(page, say('mail.stop'));
  await onScreen(page, say('mail.stoppedTitle'));
});

test('a link that is nobody’s says so', async ({ page, complaints }, info) => {
  const say = sayIn('en');
  await openClosed(page, complaints, `/api/mail/unsubscribe/${'A'.repeat(43)}`, 404);
  await onScreen(page, say('mail.unknownTitle'));
  await survey(page, 'mail-unknown', info);
});
