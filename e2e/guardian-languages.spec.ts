import type { Page } from '@playwright/test';
import { guardianWords } from '../protocol/signing/fingerprint.ts';
import { apiPathOf, linkFor, newKey } from './api.ts';
import { expect, ignorePageErrors, test, translatorFor } from './fixtures.ts';
import { newGuardianKey } from './key-files.ts';
import {
  chooseLanguage,
  clickButton,
  clickLink,
  clickThroughInvitation,
  clickThroughRequest,
  expectScreen,
  keepKeyAsWords,
  openKeyWithWords,
  sendRecoveryRequest,
  startRecovery,
} from './page-actions.ts';

const NAMES = { en: 'English', 'pt-BR': 'Português', es: 'Español' } as const;

// In English and on the phone, recover-with-guardians.spec.ts tests the whole recovery.
for (const locale of ['pt-BR', 'es'] as const) {
  const t = translatorFor(locale);

  test.describe(`in ${NAMES[locale]}`, { tag: '@long' }, () => {
    test.use({ locale });

    test('a guardian accepts and confirms, and the holder recovers the identity @desktop', async ({
      page,
      newUser,
      api,
      pageErrors,
    }) => {
      const holder = await api.newHolder();
      const { domain } = holder;
      const { url } = await api.invite(holder, 'primary');
      const secondKey = await newGuardianKey();
      const second = await api.accept(holder, await api.invite(holder, 'secondary'), secondKey.key);
      const guardian = await newUser({ locale });
      await guardian.goto(url);
      await expectLanguage(guardian, locale);
      await clickThroughInvitation(guardian, t, domain);
      await keepKeyAsWords(guardian, t);
      await expectScreen(guardian, t('accept.accept.title', { domain }));
      await clickButton(guardian, t('accept.accept.yes'));
      await expectScreen(guardian, t('accept.done.title', { domain }));
      const [accepted] = (await api.identity(holder.id)).recovery.guardians;
      await expect(guardian.getByRole('main').locator('ol')).toHaveText(
        guardianWords(holder.id, accepted?.public_key ?? '')
          .map((word, index) => `${index + 1}${word}`)
          .join(''),
      );

      await page.goto('/recover');
      await expectLanguage(page, locale);
      await startRecovery(page, t, domain);
      await keepKeyAsWords(page, t);
      const { links, words } = await sendRecoveryRequest(page, t);
      await expectScreen(page, t('recover.watch.title', { given: 0 }));
      const { new_public_key: newPublicKey } = await (
        await api.get(apiPathOf(links[1] ?? ''), { accept: 'application/json' })
      ).json();
      await api.confirmRecovery(holder, links[1] ?? '', newPublicKey, second);
      await guardian.goto(links[0] ?? '');
      await expectLanguage(guardian, locale);
      await clickThroughRequest(guardian, t, domain, words);
      await clickButton(guardian, t('keys.open.use'));
      await expectScreen(guardian, t('confirm.confirm.title', { domain }));
      await clickButton(guardian, t('confirm.confirm.yes'));
      await expectScreen(guardian, t('confirm.done.executedTitle', { domain }));
      await expectScreen(page, t('recover.done.title', { domain }));
      await clickLink(page, t('recover.done.review'));
      await expectScreen(page, t('recover.consents.title'));
      await expectLanguage(page, locale);
      // The links of an executed request. The browser may log it after the page has shown the end.
      ignorePageErrors(pageErrors, 'status of 410');
    });
  });
}

test('the language can be switched at any step, and stays @long', async ({ page, api }) => {
  const [en, es, ptBR] = [translatorFor('en'), translatorFor('es'), translatorFor('pt-BR')];
  const holder = await api.newHolder();
  const { domain } = holder;
  const { url } = await api.invite(holder, 'primary');
  const guardianKey = await newGuardianKey();
  await api.accept(holder, await api.invite(holder, 'secondary'), guardianKey.key);
  await page.goto(url);
  await clickLink(page, en('accept.who.yes'));
  await expectScreen(page, en('accept.what.title'));
  await switchTo(page, 'es');
  await expectScreen(page, es('accept.what.title'));
  await clickLink(page, es('guardian.continue'));
  await expectScreen(page, es('accept.day.title'));
  await page.reload();
  await expectScreen(page, es('accept.day.title'));
  await clickLink(page, es('accept.day.next'));
  await keepKeyAsWords(page, es);
  await expectScreen(page, es('accept.accept.title', { domain }));
  await switchTo(page, 'pt-BR');
  await expectScreen(page, ptBR('accept.accept.title', { domain }));
  await clickButton(page, ptBR('accept.accept.yes'));
  await expectScreen(page, ptBR('accept.done.title', { domain }));

  const request = await api.requestRecovery(holder, newKey().publicKey);
  await page.goto(`${linkFor(request, 'secondary')}?lang=es`);
  await clickThroughRequest(page, es, domain, request.fingerprint.split(' '));
  await openKeyWithWords(page, es, guardianKey.words);
  await expectScreen(page, es('confirm.confirm.title', { domain }));

  await page.goto('/recover?lang=pt-BR');
  await page.getByRole('textbox', { name: ptBR('recover.start.label') }).fill(domain);
  await clickButton(page, ptBR('recover.start.submit'));
  await expectScreen(page, ptBR('recover.found.title', { domain }));
  await expectLanguage(page, 'pt-BR');
  await switchTo(page, 'en');
  await expectScreen(page, en('recover.found.title', { domain }));
});

async function switchTo(page: Page, locale: keyof typeof NAMES): Promise<void> {
  await chooseLanguage(page, NAMES[locale]);
  await expectLanguage(page, locale);
}

async function expectLanguage(page: Page, locale: keyof typeof NAMES): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', locale);
  const chosen = page.getByRole('link', { name: NAMES[locale], exact: true, includeHidden: true });
  await expect(chosen).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('contentinfo').getByText(translatorFor(locale)('shell.footer.network'))).toBeVisible();
}
