import type { Page } from '@playwright/test';
import { guardianWords } from '../protocol/signing/fingerprint.ts';
import { linkFor, newKey } from './api.ts';
import { newKeptKey } from './kept-keys.ts';
import { expect, overlook, type Say, sayIn, test } from './people.ts';
import {
  askGuardians,
  findIdentity,
  follow,
  keepAsWords,
  onScreen,
  openWords,
  press,
  readInvitation,
  readRequest,
} from './steps.ts';

const NAMES = { en: 'English', 'pt-BR': 'Português', es: 'Español' } as const;

// guardians-story.spec.ts has the whole story in both sizes.
for (const [locale, tag] of [
  ['pt-BR', '@desktop'],
  ['es', '@phone'],
] as const) {
  const say = sayIn(locale);

  test.describe(`in ${NAMES[locale]}`, () => {
    test.use({ locale });

    test('somebody becomes a guardian, and confirms; the holder gets the identity back', { tag }, async ({
      page,
      another,
      api,
      complaints,
    }) => {
      const holder = await api.newHolder();
      const { domain } = holder;
      const { url } = await api.invite(holder, 'primary');
      const ben = await newKeptKey();
      const second = await api.accept(holder, await api.invite(holder, 'secondary'), ben.key);
      const guardian = await another({ locale });
      await guardian.goto(url);
      await expectLanguage(guardian, locale);
      await readInvitation(guardian, say, domain);
      await keepAsWords(guardian, say);
      await onScreen(guardian, say('accept.accept.title', { domain }));
      await press(guardian, say('accept.accept.yes'));
      await onScreen(guardian, say('accept.done.title', { domain }));
      const [accepted] = (await api.identity(holder.id)).recovery.guardians;
      await expect(guardian.getByRole('main').locator('ol')).toHaveText(
        guardianWords(holder.id, accepted?.public_key ?? '')
          .map((word, index) => `${index + 1}${word}`)
          .join(''),
      );

      await page.goto('/recover');
      await expectLanguage(page, locale);
      await findIdentity(page, say, domain);
      await keepAsWords(page, say);
      const { links, words } = await askGuardians(page, say);
      await onScreen(page, say('recover.watch.title', { given: 0 }));
      const { new_public_key: newPublicKey } = await (
        await api.get(links[1] ?? '', { accept: 'application/json' })
      ).json();
      await api.confirmRecovery(holder, links[1] ?? '', newPublicKey, second);
      await guardian.goto(links[0] ?? '');
      await expectLanguage(guardian, locale);
      await readRequest(guardian, say, domain, words);
      await press(guardian, say('keys.open.use'));
      await onScreen(guardian, say('confirm.confirm.title', { domain }));
      await press(guardian, say('confirm.confirm.yes'));
      await onScreen(guardian, say('confirm.done.executedTitle', { domain }));
      await onScreen(page, say('recover.done.title', { domain }));
      overlook(complaints, 'status of 410');
      await follow(page, say('recover.done.review'));
      await onScreen(page, say('recover.consents.title'));
      await expectLanguage(page, locale);
    });
  });
}

test('the language can be switched on every page and at every step, and stays', async ({ page, api }) => {
  const holder = await api.newHolder();
  const { domain } = holder;
  const { url } = await api.invite(holder, 'primary');
  const kept = await newKeptKey();
  await api.accept(holder, await api.invite(holder, 'secondary'), kept.key);
  await page.goto(url);
  await follow(page, sayIn('en')('accept.who.yes'));
  await onScreen(page, sayIn('en')('accept.what.title'));
  await switchTo(page, 'es');
  const say = sayIn('es');
  await onScreen(page, say('accept.what.title'));
  await follow(page, say('guardian.continue'));
  await onScreen(page, say('accept.day.title'));
  await page.reload();
  await onScreen(page, say('accept.day.title'));
  await follow(page, say('accept.day.next'));
  await keepAsWords(page, say);
  await onScreen(page, say('accept.accept.title', { domain }));
  await switchTo(page, 'pt-BR');
  await onScreen(page, sayIn('pt-BR')('accept.accept.title', { domain }));
  await press(page, sayIn('pt-BR')('accept.accept.yes'));
  await onScreen(page, sayIn('pt-BR')('accept.done.title', { domain }));

  const request = await api.askForRecovery(holder, newKey().publicKey);
  await page.goto(`${linkFor(request, 'secondary')}?lang=es`);
  await readRequest(page, say, domain, request.fingerprint.split(' '));
  await openWords(page, say, kept.words);
  await onScreen(page, say('confirm.confirm.title', { domain }));

  await page.goto('/recover?lang=pt-BR');
  await page.getByRole('textbox', { name: sayIn('pt-BR')('recover.start.label') }).fill(domain);
  await press(page, sayIn('pt-BR')('recover.start.submit'));
  await onScreen(page, sayIn('pt-BR')('recover.found.title', { domain }));
  await expectLanguage(page, 'pt-BR');
  await switchTo(page, 'en');
  await onScreen(page, sayIn('en')('recover.found.title', { domain }));
});

async function switchTo(page: Page, locale: keyof typeof NAMES): Promise<void> {
  await follow(page, NAMES[locale]);
  await expectLanguage(page, locale);
}

async function expectLanguage(page: Page, locale: keyof typeof NAMES): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', locale);
  await expect(page.getByRole('link', { name: NAMES[locale], exact: true })).toHaveAttribute('aria-current', 'true');
  const say: Say = sayIn(locale);
  await expect(page.getByText(say('shell.footer.nothingElse'))).toBeVisible();
}
