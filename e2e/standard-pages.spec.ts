import type { Locator, Page } from '@playwright/test';
import { checkScreenInBothThemes } from './check-screen.ts';
import { expect, ignorePageErrors, test, translatorFor } from './fixtures.ts';
import { CONTACT_EMAIL } from './global-setup.ts';
import { openMenu } from './page-actions.ts';

/** The result does not depend on the size of the window, so one project is enough. */
const ANY_SIZE = { tag: '@desktop' };

const t = translatorFor('en');
const PAGES = {
  help: '/help',
  privacy: '/privacy',
  terms: '/terms',
  contact: '/contact',
  network: '/explore#network',
} as const;
const NAMES = Object.keys(PAGES) as (keyof typeof PAGES)[];

const LANGUAGES = ['en', 'pt-BR', 'es'] as const;
for (const name of ['help', 'privacy', 'terms', 'contact'] as const) {
  test(`/${name} is served in three languages`, ANY_SIZE, async ({ request }) => {
    for (const lang of LANGUAGES) {
      const html = await (await request.get(`/${name}?lang=${lang}`, { headers: { accept: 'text/html' } })).text();
      expect(html).toContain(`<html lang="${lang}"`);
      expect(html).toMatch(new RegExp(`<h1[^>]*>${translatorFor(lang)(`${name}.title`)}</h1>`));
    }
  });

  test(`/${name} opens in three languages without accessibility violations @desktop @long`, async ({ page }, info) => {
    for (const lang of LANGUAGES) {
      await page.goto(`/${name}?lang=${lang}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(translatorFor(lang)(`${name}.title`));
      await checkScreenInBothThemes(page, `${name}-${lang}`, info);
    }
  });
}

test('the footer and the menu of the header link to help, privacy, terms, contact and status @both-sizes', async ({
  page,
}, info) => {
  await page.goto('/contact');
  await openMenu(page);
  for (const region of ['banner', 'contentinfo'] as const) {
    for (const name of NAMES) {
      const link = page.getByRole(region).getByRole('link', { name: t(`shell.footer.${name}`), exact: true });
      await expect(link).toHaveAttribute('href', PAGES[name]);
    }
  }
  await checkScreenInBothThemes(page, 'menu', info);
});

/** The search in the header, or, where the header has no room for it, in its menu. */
async function headerSearch(page: Page): Promise<Locator> {
  const field = page
    .getByRole('banner')
    .getByRole('searchbox', { name: translatorFor('es')('explore.search.label') })
    .locator('visible=true');
  if ((page.viewportSize()?.width ?? 0) < 1_280) await openMenu(page);
  return field;
}

test('the header keeps what was typed into its search without a connection @both-sizes', async ({
  page,
  context,
  pageErrors,
}) => {
  await page.goto('/contact?lang=es');
  const field = await headerSearch(page);
  await field.fill('clinic');
  await context.setOffline(true);
  await field.press('Enter');
  await expect(page.getByText(translatorFor('es')('shell.offline'))).toBeVisible();
  await expect(page).toHaveURL(/contact/);
  await expect(field).toHaveValue('clinic');
  await context.setOffline(false);
  // The check whether the connection is back.
  ignorePageErrors(pageErrors, 'ERR_INTERNET_DISCONNECTED');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the header searches the ledger in the language of the page, except where the page does @both-sizes', async ({
    page,
    api,
  }) => {
    const { domain } = await api.newHolder();
    await page.goto('/contact?lang=es');
    const field = await headerSearch(page);
    await field.fill(domain);
    await field.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: domain })).toBeVisible();
    await expect(page).toHaveURL(/lang=es/);
    await expect(page.getByRole('searchbox')).toHaveCount(1);
  });

  test('the help shows every answer, and its search those that contain all words, in any spelling @desktop', async ({
    page,
  }) => {
    const pt = translatorFor('pt-BR');
    await page.goto('/help?lang=pt-BR');
    const questions = page.locator('details h2');
    await expect(questions).toHaveCount(16);
    const search = page.getByRole('searchbox', { name: pt('help.search') });
    const submit = page.getByRole('button', { name: pt('help.submit') });
    await search.fill('GUARDIAO perder');
    await submit.click();
    await expect(page).toHaveURL(/lang=pt-BR/);
    await expect(questions.filter({ hasText: pt('help.topics.lostGuardian.question') })).toBeVisible();
    await expect(questions.filter({ hasText: pt('help.topics.cost.question') })).toHaveCount(0);
    await expect(page.getByText(pt('help.topics.lostGuardian.answer'))).toBeVisible();
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    await search.fill('zebra');
    await submit.click();
    await expect(page.getByText(pt('help.found', { count: 0, query: 'zebra' }))).toBeVisible();
    await page.getByRole('link', { name: pt('help.all') }).click();
    await expect(questions).toHaveCount(16);
  });
});

test('the pages show the settings of the operator, and say which are missing @long', ANY_SIZE, async ({ page }) => {
  await page.goto('/contact');
  await expect(page.getByRole('link', { name: CONTACT_EMAIL })).toHaveAttribute('href', `mailto:${CONTACT_EMAIL}`);
  await expect(page.getByText(t('contact.operator.unset'))).toBeVisible();
  await page.goto('/terms');
  await expect(page.getByText(t('contact.operator.unset'))).toBeVisible();
  await expect(page.getByText(t('terms.law.unset'))).toBeVisible();
  await page.goto('/privacy');
  await expect(page.getByText(t('privacy.network.commitment'))).toBeVisible();
  await expect(page.getByText(t('contact.operator.unset'))).toBeVisible();
});

const FILES = {
  '/robots.txt': ['text/plain', /^Disallow: \/me$/m],
  '/sitemap.xml': ['application/xml', /<loc>http:[^<]+\/help<\/loc>/],
  '/.well-known/security.txt': ['text/plain; charset=utf-8', /^Contact: mailto:contact@perpetua\.example$/m],
  '/llms.txt': ['text/plain; charset=utf-8', /^# Perpetua$/m],
} as const;

for (const [path, [type, content]] of Object.entries(FILES)) {
  test(`${path} is served to GET and HEAD with its type`, ANY_SIZE, async ({ request }) => {
    const response = await request.get(path);
    expect([response.status(), response.headers()['content-type']]).toEqual([200, type]);
    expect(response.headers()['cache-control']).toMatch(/^public, max-age=/);
    expect(await response.text()).toMatch(content);
    const head = await request.head(path);
    expect([head.status(), head.headers()['content-type'], await head.text()]).toEqual([200, type, '']);
  });
}

test('security.txt expires within a year, and robots.txt names the sitemap', ANY_SIZE, async ({ request, baseURL }) => {
  const text = await (await request.get('/.well-known/security.txt')).text();
  const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '');
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
  expect(await (await request.get('/robots.txt')).text()).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
});

test('every address of the sitemap is a page that may be indexed', ANY_SIZE, async ({ request }) => {
  const sitemap = await (await request.get('/sitemap.xml')).text();
  const addresses = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address);
  expect(addresses.length).toBeGreaterThan(10);
  for (const address of addresses) {
    const response = await request.get(address, { headers: { accept: 'text/html' } });
    expect([address, response.status()]).toEqual([address, 200]);
    expect(await response.text(), address).not.toContain('noindex');
  }
});

test(
  'previews of public pages have an image, and the icons have their sizes @long',
  ANY_SIZE,
  async ({ page, request }) => {
    for (const path of ['/', '/help', '/explore']) {
      await page.goto(path);
      for (const meta of ['meta[property="og:image"]', 'meta[name="twitter:image"]']) {
        const address = (await page.locator(meta).getAttribute('content')) ?? '';
        const response = await request.get(address);
        expect([path, response.status(), response.headers()['content-type']]).toEqual([path, 200, 'image/png']);
        expect(sizeOf(await response.body())).toEqual([1200, 630]);
      }
    }
    const { icons } = await (await request.get('/manifest.webmanifest')).json();
    for (const { src, sizes } of icons as { src: string; sizes: string }[]) {
      expect(sizeOf(await (await request.get(src)).body()).join('x')).toBe(sizes);
    }
  },
);

/** Width and height of a PNG. */
const sizeOf = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];

test(
  'a page whose next part was replaced by a new release asks to be reloaded @long',
  ANY_SIZE,
  async ({ page, pageErrors }) => {
    const html = await (await page.request.get('/contact')).text();
    await page.route('**/_next/static/chunks/*.js', async (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
      await (html.includes(name) ? route.continue() : route.fulfill({ status: 404 }));
    });
    await page.goto('/contact');
    await page
      .getByRole('banner')
      .getByRole('link', { name: t('shell.explore') })
      .first()
      .click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('common.broken.updated.title'));
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: t('common.broken.updated.reload') }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('explore.title'));
    pageErrors.length = 0;
  },
);
