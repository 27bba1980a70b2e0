import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { LANGUAGES } from '../messages/languages.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { signInWithTestData } from './page-examples.ts';

const t = translatorFor('en');

const open = async (page: Page) => {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: t('palette.title') });
  await expect(palette.getByRole('combobox')).toBeFocused();
  return palette;
};

test('the keyboard alone leads to a page, an institution and an entry @desktop', async ({ page, api }, info) => {
  const [name] = randomUUID().split('-');
  const clinic = await api.newInstitution(undefined, `Clinic ${name} Sul`);
  await page.goto('/help');
  const palette = await open(page);
  await checkScreen(page, 'palette', info);
  await page.keyboard.type('api refer');
  const option = palette.getByRole('option', { selected: true });
  await expect(option).toHaveText(t('developers.title'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/developers$/);
  await expect(palette).toBeHidden();

  await open(page);
  await page.keyboard.type(`clinic ${name}`);
  await expect(palette.getByRole('group', { name: t('palette.group.institutions') })).toContainText(clinic.domain);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: clinic.domain })).toBeVisible();

  await open(page);
  await page.keyboard.type('2');
  const entries = palette.getByRole('group', { name: t('palette.group.entries') });
  await expect(entries).toContainText(t('palette.entry', { seq: 2 }));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await page.getByRole('button', { name: t('shell.goTo') }).focus();
  await page.keyboard.press('Enter');
  await expect(palette).toBeVisible();
  await page.keyboard.type('no such thing at all');
  await expect(palette.getByRole('status')).toHaveText(t('palette.count', { count: 0 }));
});

test('the palette leads to what the institute does, first on its page @desktop', async ({ page }) => {
  await page.goto('/institute');
  const palette = await open(page);
  await expect(palette.getByRole('option').first()).toHaveText(t('palette.action.requests'));
  await page.keyboard.type('decisions of');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: t('institute.log.title') })).toBeVisible();
  await open(page);
  await page.keyboard.type('certifications that');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: t('institute.ending.title') })).toBeInViewport();

  await page.goto('/help');
  await open(page);
  const certify = palette.getByRole('option', { name: t('palette.action.certify'), exact: true });
  await expect(certify).toHaveCount(0);
  await page.keyboard.type('certify');
  await expect(certify).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: t('institute.certifying.title') })).toBeVisible();
});

test(
  'the palette has the pages of the role and their names in each language @long',
  { tag: '@desktop' },
  async ({ page, api }, info) => {
    await signInWithTestData(page, api);
    for (const language of LANGUAGES) {
      const words = translatorFor(language);
      await page.goto(`/explore?lang=${language}`);
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: words('palette.title') });
      for (const name of [
        words('palette.action.freezeIdentity'),
        words('palette.action.askCertification'),
        words('consents.giveTitle'),
        words('institution.submit.title'),
        words('help.title'),
      ])
        await expect(palette.getByRole('option', { name, exact: true })).toBeVisible();
      await checkScreen(page, `palette-${language}`, info);
    }
  },
);

test('the menu of a phone opens the palette, which leads to a person @long', { tag: '@phone' }, async ({
  page,
  api,
}) => {
  const { domain } = await api.newHolder();
  await page.goto('/help');
  await page.getByRole('button', { name: t('shell.menu') }).click();
  await page.getByRole('button', { name: t('shell.goTo') }).click();
  const palette = page.getByRole('dialog', { name: t('palette.title') });
  await palette.getByRole('combobox').fill(domain);
  await palette.getByRole('option', { name: domain }).click();
  await expect(page.getByRole('heading', { level: 1, name: domain })).toBeVisible();
});
