import type { Page } from '@playwright/test';
import { apiOf } from './api.ts';
import { expect, newClientAddress, test, translatorFor } from './fixtures.ts';
import { expectHydrated } from './hydration.ts';
import { openMenu } from './page-actions.ts';

const t = translatorFor('en');
const field = (page: Page) => page.getByRole('textbox', { name: t('home.lookup.label') });

const lookUp = async (page: Page, domain: string) => {
  await field(page).fill(domain);
  await page.getByRole('button', { name: t('home.lookup.submit') }).click();
};

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the page shows what a person can do here, and the numbers of the ledger are in the explorer', async ({
    page,
  }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('home.hero.title'));
    await expect(page.getByRole('banner')).toContainText(/not permanent/i);
    const steps = page
      .getByRole('list')
      .filter({ has: page.locator('svg') })
      .getByRole('heading', { level: 3 });
    await expect(steps).toHaveText([
      t('home.how.name.title'),
      t('home.how.consent.title'),
      t('home.how.recover.title'),
    ]);
    for (const fact of ['who', 'cost', 'public'] as const) {
      await expect(page.getByRole('region', { name: t(`home.glance.${fact}.title`) })).toBeVisible();
    }
    await expect(page.getByRole('button', { name: /copy|theme/i })).toHaveCount(0);
    await page.getByRole('link', { name: t('home.lookup.explore') }).click();
    await expect(page.getByRole('heading', { name: t('explore.stages.title') })).toBeVisible();
  });

  test('a domain can be looked up', async ({ page, identity }) => {
    await page.goto('/');
    await lookUp(page, identity.domain);
    await expect(page).toHaveURL(new RegExp(`\\?domain=${identity.domain}$`));
    await expect(page.getByRole('heading', { name: identity.domain })).toBeVisible();
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    await lookUp(page, 'unknown-domain');
    await expect(
      page.getByText(t('home.lookup.noResultsTitle', { domain: 'unknown-domain.bsp' }), { exact: true }),
    ).toBeVisible();
  });
});

test('a domain shows its key, its status and its status on the network', async ({ page, identity }) => {
  await page.goto('/');
  await lookUp(page, identity.domain.replace(/\.bsp$/, '').toUpperCase());
  const region = page.locator('#lookup');
  await expect(region.getByRole('heading', { name: identity.domain })).toBeVisible();
  await expect(region).toContainText(t('common.state.ACTIVE'));
  await expect(region).toContainText(t('home.lookup.firstKey'));
  await expect(region.locator('code').first()).toHaveText(identity.publicKey);
  await expect(region.getByText(t('home.ledger.status.FINAL'), { exact: true })).toBeVisible();
  await expect(
    page.getByRole('status').filter({ hasText: `${identity.domain}: ${t('common.state.ACTIVE')}.` }),
  ).toHaveCount(1);
});

test('an unknown and a malformed domain show different messages, and the back button works', async ({ page }) => {
  await page.goto('/');
  await lookUp(page, 'unknown-domain.bsp');
  await expect(
    page.getByText(t('home.lookup.noResultsTitle', { domain: 'unknown-domain.bsp' }), { exact: true }),
  ).toBeVisible();
  await lookUp(page, 'not_a_domain!.bsp');
  await expect(
    page.getByText(t('home.lookup.malformedTitle', { domain: 'not_a_domain!.bsp' }), { exact: true }),
  ).toBeVisible();
  await page.goBack();
  await expect(
    page.getByText(t('home.lookup.noResultsTitle', { domain: 'unknown-domain.bsp' }), { exact: true }),
  ).toBeVisible();
  await expect(field(page)).toHaveValue('unknown-domain.bsp');
});

test('the links to create, sign in, recover, explore and register keep the chosen language @long', {
  tag: '@desktop',
}, async ({ page }) => {
  const pt = translatorFor('pt-BR');
  await page.goto('/?lang=pt-BR');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(pt('home.hero.title'));
  const links = {
    [pt('home.hero.create')]: '/create',
    [pt('home.hero.signIn')]: '/sign-in',
    [pt('home.hero.lost')]: '/recover',
    [pt('home.lookup.explore')]: '/explore',
    [pt('home.glance.link.register')]: '/register',
  };
  for (const [name, path] of Object.entries(links)) {
    const link = page.getByRole('main').getByRole('link', { name, exact: true }).first();
    await expect(link).toHaveAttribute('href', `${path}?lang=pt-BR`);
  }
  await page.getByRole('textbox', { name: pt('home.lookup.label') }).fill('unknown-domain');
  await page.getByRole('button', { name: pt('home.lookup.submit') }).click();
  const unknown = pt('home.lookup.noResultsTitle', { domain: 'unknown-domain.bsp' });
  await expect(page.getByText(unknown, { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/lang=pt-BR/);
});

test('the domain of an institution links to the explorer @long', async ({ page, request }) => {
  const institution = await apiOf(request, newClientAddress).newInstitution();
  await page.goto('/');
  await lookUp(page, institution.domain);
  const title = t('home.lookup.institutionTitle', { reference: institution.domain });
  await expect(page.getByText(title, { exact: true })).toBeVisible();
  const link = page.getByRole('link', { name: t('home.lookup.institutionLink') });
  await expect(link).toHaveAttribute('href', `/explore/${institution.domain}`);
});

test('the page can be used with the keyboard, and the focus is visible', { tag: '@desktop' }, async ({
  page,
  identity,
}) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: t('shell.skip') })).toBeFocused();
  await page.keyboard.press('Enter');
  for (const name of [t('home.hero.create'), t('home.hero.signIn'), t('home.hero.lost')]) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('main').getByRole('link', { name, exact: true }).first()).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveCSS('outline-style', 'solid');
  await expect(field(page)).toHaveCSS('outline-width', '3px');
  await page.keyboard.type(identity.domain);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: identity.domain })).toBeVisible();
});

test('the theme follows the system, can be switched, and is kept', { tag: '@desktop' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await openMenu(page);
  await page.getByRole('button', { name: t('shell.useDarkTheme') }).click();
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.reload({ waitUntil: 'commit' });
  await openMenu(page);
  await expect(page.getByRole('button', { name: t('shell.useLightTheme') })).toBeVisible();
  expect(await background()).toBe(dark);
  const toLight = page.getByRole('button', { name: t('shell.useLightTheme') });
  await expectHydrated(toLight);
  await toLight.click();
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await background()).toBe(dark);
});

test('an address without a page responds with 404', { tag: '@desktop' }, async ({ page, pageErrors }) => {
  const response = await page.goto('/there/is/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('common.notFound.title'));
  await page.getByRole('link', { name: t('common.notFound.back') }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('home.hero.title'));
  pageErrors.splice(0, 1);
});

test('the security headers allow only the page’s own scripts, and no framing, referrer or camera', {
  tag: '@desktop',
}, async ({ page }) => {
  const headers = (await page.goto('/'))?.headers() ?? {};
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{24}' 'strict-dynamic'(;|$)/);
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("style-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(headers['permissions-policy']).toContain('camera=()');
  expect(headers['x-powered-by']).toBeUndefined();
  const nextPolicy = (await page.reload())?.headers()['content-security-policy'];
  expect(nextPolicy).not.toBe(policy);
  expect(await page.context().cookies()).toEqual([]);
});

test('at 320 px nothing overflows, and every button and field is at least 44 px wide and high', async ({
  page,
  identity,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/?domain=${identity.domain}`);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  for (const control of await page.locator('button:visible, input:visible').all()) {
    const name = (await control.textContent()) ?? '';
    const box = await control.boundingBox();
    expect(box?.height, name).toBeGreaterThanOrEqual(44);
    expect(box?.width, name).toBeGreaterThanOrEqual(44);
  }
});

/** How many pixels wider the page is than the window. A phone zooms out instead of scrolling, so its scroll width tells. */
const overflowOf = async (page: Page) =>
  (await page.evaluate(() => document.documentElement.scrollWidth)) - (page.viewportSize()?.width ?? 0);

test('with reduced motion, nothing is animated', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((element) => {
        const { animationName, transitionDuration } = getComputedStyle(element);
        return animationName !== 'none' || transitionDuration !== '0s';
      }).length,
  );
  expect(moving).toBe(0);
});
