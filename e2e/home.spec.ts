import type { Page } from '@playwright/test';
import { apiOf } from './api.ts';
import { createIdentity } from './create-identity.ts';
import { expect, newClientAddress, test, translatorFor } from './fixtures.ts';
import { openMenu } from './page-actions.ts';

const t = translatorFor('en');
const field = (page: Page) => page.getByRole('textbox', { name: t('home.lookup.label') });

const lookUp = async (page: Page, domain: string) => {
  await field(page).fill(domain);
  await page.getByRole('button', { name: t('home.lookup.submit') }).click();
};

const entryOf = (page: Page, domain: string) =>
  page.getByRole('row').filter({ has: page.locator(`a[href*="${domain}"]`) });

/** What the page has announced so far: what happens next replaces the text of a status. */
async function collectAnnouncements(page: Page): Promise<() => Promise<string>> {
  const texts = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const collect = () => {
      for (const status of document.querySelectorAll('[role=status], output')) texts.push(status.textContent);
    };
    new MutationObserver(collect).observe(document.body, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  return () => texts.evaluate((all) => all.join('\n'));
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the page shows its title, the network and the latest entries', async ({ page, request }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('home.hero.title'));
    await expect(page.getByRole('banner')).toContainText(/not permanent/i);
    await expect(page.getByText(t('home.hero.devnetTitle'))).toBeVisible();
    await expect(page.getByRole('button', { name: /copy|theme/i })).toHaveCount(0);
    // Other tests may write so many entries at the same time that this one leaves the page.
    await expect(async () => {
      const { domain } = await createIdentity(request);
      await page.goto('/');
      expect((await entryOf(page, domain).allTextContents()).join()).toContain(t('operations.createBEO'));
    }).toPass();
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

test('a new identity appears on an open page and becomes final there', async ({ page, request }) => {
  await page.goto('/');
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  const announced = await collectAnnouncements(page);
  let identity = await createIdentity(request);
  let entry = entryOf(page, identity.domain);
  // Other tests may write so many entries that this one leaves the page before it is final: then another one is created.
  await expect(async () => {
    if ((await entry.count()) === 0) {
      identity = await createIdentity(request);
      entry = entryOf(page, identity.domain);
    }
    await expect(entry).toContainText(t('operations.createBEO'), { timeout: 10_000 });
    expect(await announced()).toContain(t('operations.createBEO'));
    await expect(entry).toContainText(t('home.ledger.status.FINAL'), { timeout: 10_000 });
    await expect(entry.locator(`a[href*="/explore/${identity.transactionId}"]`)).toBeVisible({ timeout: 1_000 });
    await entry.locator(`a[href*="/explore/${identity.domain}"]`).click({ timeout: 10_000 });
  }).toPass({ timeout: 200_000 });
  await expect(page.getByRole('heading', { name: identity.domain })).toBeInViewport();
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
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
    [pt('home.people.institution.link')]: '/register',
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
  await page.getByRole('button', { name: t('shell.useLightTheme') }).click();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await background()).toBe(dark);
});

test('an unreachable server is reported, and the page recovers by itself', async ({ page, pageErrors }) => {
  await page.goto('/');
  await page.route('**/api/trpc/**', (route) => route.abort('connectionrefused'));
  await expect(page.getByText(t('errors.UNREACHABLE'))).toBeVisible();
  await expect(page.getByRole('heading', { name: t('home.latest.title') })).toBeVisible();
  await page.unroute('**/api/trpc/**');
  await expect(page.getByText(t('errors.UNREACHABLE'))).toBeHidden();
  expect(pageErrors.every((text) => text.includes('ERR_CONNECTION_REFUSED'))).toBe(true);
  pageErrors.length = 0;
});

test('a hidden tab sends no queries, and queries at once when it is shown again', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  let queries = 0;
  await page.route('**/api/trpc/**', (route) => {
    queries += 1;
    return route.continue();
  });
  await page.clock.runFor(20_000);
  await expect.poll(() => queries).toBeGreaterThan(0);
  await setVisible(page, false);
  await page.waitForLoadState('networkidle');
  const before = queries;
  await page.clock.runFor(600_000);
  expect(queries).toBe(before);
  // With a stopped clock, the regular interval sends no query.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await setVisible(page, true);
  await page.clock.runFor(100);
  await expect.poll(() => queries).toBeGreaterThan(before);
});

async function setVisible(page: Page, visible: boolean) {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      Object.defineProperty(document, 'hidden', { value: state === 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    },
    visible ? 'visible' : 'hidden',
  );
}

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
