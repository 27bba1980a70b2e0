import type { Page } from '@playwright/test';
import { apiOf } from './api.ts';
import { createIdentity } from './holder.ts';
import { freshAddress, sayIn } from './people.ts';
import { expect, test } from './watched-page.ts';

const say = sayIn('en');
const field = (page: Page) => page.getByRole('textbox', { name: say('home.lookup.label') });

const lookUp = async (page: Page, domain: string) => {
  await field(page).fill(domain);
  await page.getByRole('button', { name: say('home.lookup.submit') }).click();
};

const entryOf = (page: Page, id: string) => page.getByRole('row').filter({ has: page.locator(`a[href*="${id}"]`) });

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the page already says what it is, where it writes, and what was written last', async ({ page, identity }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('home.hero.title'));
    await expect(page.getByRole('banner')).toContainText(/not permanent/i);
    await expect(page.getByText(say('home.hero.devnetTitle'))).toBeVisible();
    await expect(entryOf(page, identity.id)).toContainText(say('operations.createBEO'));
    await expect(page.getByRole('button', { name: /copy|theme/i })).toHaveCount(0);
  });

  test('a domain can be looked up all the same', async ({ page, identity }) => {
    await page.goto('/');
    await lookUp(page, identity.domain);
    await expect(page).toHaveURL(new RegExp(`\\?domain=${identity.domain}$`));
    await expect(page.getByRole('heading', { name: identity.domain })).toBeVisible();
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    await lookUp(page, 'nobody-has-this');
    await expect(
      page.getByText(say('home.lookup.nobodyTitle', { domain: 'nobody-has-this.bsp' }), { exact: true }),
    ).toBeVisible();
  });
});

test('a domain that is held shows its key, its state and how far it is on the network', async ({ page, identity }) => {
  await page.goto('/');
  await lookUp(page, identity.domain.replace(/\.bsp$/, '').toUpperCase());
  const region = page.locator('#lookup');
  await expect(region.getByRole('heading', { name: identity.domain })).toBeVisible();
  await expect(region).toContainText(say('home.lookup.status.ACTIVE'));
  await expect(region).toContainText(say('home.lookup.firstKey'));
  await expect(region.locator('code').first()).toHaveText(identity.publicKey);
  await expect(region.getByText(say('home.ledger.status.FINAL'), { exact: true })).toBeVisible();
  await expect(
    page.getByRole('status').filter({ hasText: `${identity.domain}: ${say('home.lookup.status.ACTIVE')}.` }),
  ).toHaveCount(1);
});

test('a domain that nobody holds and a text that is no domain each get their own sentence, and back works', async ({
  page,
}) => {
  await page.goto('/');
  await lookUp(page, 'nobody-has-this.bsp');
  await expect(
    page.getByText(say('home.lookup.nobodyTitle', { domain: 'nobody-has-this.bsp' }), { exact: true }),
  ).toBeVisible();
  await lookUp(page, 'not_a_domain!.bsp');
  await expect(
    page.getByText(say('home.lookup.malformedTitle', { domain: 'not_a_domain!.bsp' }), { exact: true }),
  ).toBeVisible();
  await page.goBack();
  await expect(
    page.getByText(say('home.lookup.nobodyTitle', { domain: 'nobody-has-this.bsp' }), { exact: true }),
  ).toBeVisible();
  await expect(field(page)).toHaveValue('nobody-has-this.bsp');
});

test('a new identity appears and becomes final before the eyes of whoever has the page open', async ({
  page,
  request,
}) => {
  await page.goto('/');
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  const identity = await createIdentity(request);
  const entry = entryOf(page, identity.id);
  await expect(entry).toContainText(say('operations.createBEO'));
  await expect(page.getByRole('status').filter({ hasText: say('operations.createBEO') })).toHaveCount(1);
  await expect(entry).toContainText(say('home.ledger.status.FINAL'));
  await expect(entry.locator(`a[href*="/explore/${identity.transactionId}"]`)).toBeVisible();
  await entry.locator(`a[href*="/explore/${identity.id}"]`).click();
  await expect(page.getByRole('heading', { name: identity.domain })).toBeInViewport();
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
});

test('the page leads on, in the language somebody chose: to a new identity, one’s own, a lost one, the ledger, an institution’s', async ({
  page,
}) => {
  const spoken = sayIn('pt-BR');
  await page.goto('/?lang=pt-BR');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(spoken('home.hero.title'));
  const ways = {
    [spoken('home.hero.create')]: '/create',
    [spoken('home.hero.signIn')]: '/sign-in',
    [spoken('home.hero.lost')]: '/recover',
    [spoken('home.lookup.explore')]: '/explore',
    [spoken('home.people.institution.link')]: '/register',
  };
  for (const [name, path] of Object.entries(ways)) {
    const link = page.getByRole('main').getByRole('link', { name, exact: true }).first();
    await expect(link).toHaveAttribute('href', `${path}?lang=pt-BR`);
  }
  await page.getByRole('textbox', { name: spoken('home.lookup.label') }).fill('nobody-has-this');
  await page.getByRole('button', { name: spoken('home.lookup.submit') }).click();
  const nobody = spoken('home.lookup.nobodyTitle', { domain: 'nobody-has-this.bsp' });
  await expect(page.getByText(nobody, { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/lang=pt-BR/);
});

test('the domain of an institution is not taken for a person’s, nor said to be nobody’s', async ({ page, request }) => {
  const institution = await apiOf(request, freshAddress).newInstitution();
  await page.goto('/');
  await lookUp(page, institution.domain);
  const title = say('home.lookup.institutionTitle', { reference: institution.domain });
  await expect(page.getByText(title, { exact: true })).toBeVisible();
  const link = page.getByRole('link', { name: say('home.lookup.institutionLink') });
  await expect(link).toHaveAttribute('href', `/explore/${institution.domain}`);
});

test('everything can be done from the keyboard, and the focus can be seen', async ({ page, identity }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: say('shell.skip') })).toBeFocused();
  await page.keyboard.press('Enter');
  for (const name of [say('home.hero.create'), say('home.hero.signIn'), say('home.hero.lost')]) {
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

test('the theme follows the system, can be changed, and stays changed', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole('button', { name: say('shell.useDarkTheme') }).click();
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.reload({ waitUntil: 'commit' });
  await expect(page.getByRole('button', { name: say('shell.useLightTheme') })).toBeVisible();
  expect(await ground()).toBe(dark);
  await page.getByRole('button', { name: say('shell.useLightTheme') }).click();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await ground()).toBe(dark);
});

test('a server that cannot be reached is said in a sentence, and the page recovers by itself', async ({
  page,
  complaints,
}) => {
  await page.goto('/');
  await page.route('**/api/trpc/**', (route) => route.abort('connectionrefused'));
  await expect(page.getByText(say('errors.UNREACHABLE'))).toBeVisible();
  await expect(page.getByRole('heading', { name: say('home.latest.title') })).toBeVisible();
  await page.unroute('**/api/trpc/**');
  await expect(page.getByText(say('errors.UNREACHABLE'))).toBeHidden();
  expect(complaints.every((text) => text.includes('ERR_CONNECTION_REFUSED'))).toBe(true);
  complaints.length = 0;
});

test('a hidden tab asks for nothing, and asks at once when it is shown again', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  let asked = 0;
  await page.route('**/api/trpc/**', (route) => {
    asked += 1;
    return route.continue();
  });
  await page.clock.runFor(20_000);
  await expect.poll(() => asked).toBeGreaterThan(0);
  await show(page, false);
  await page.waitForLoadState('networkidle');
  const before = asked;
  await page.clock.runFor(600_000);
  expect(asked).toBe(before);
  // From here on the clock stands, so that it is not the usual interval that asks.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await show(page, true);
  await page.clock.runFor(100);
  await expect.poll(() => asked).toBeGreaterThan(before);
});

async function show(page: Page, visible: boolean) {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      Object.defineProperty(document, 'hidden', { value: state === 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    },
    visible ? 'visible' : 'hidden',
  );
}

test('an address without a page says so', async ({ page, complaints }) => {
  const answer = await page.goto('/there/is/no/such/page');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('common.notFound.title'));
  await page.getByRole('link', { name: say('common.notFound.back') }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('home.hero.title'));
  complaints.splice(0, 1);
});

test('nothing may run, frame or learn of this page but itself', { tag: '@desktop' }, async ({ page }) => {
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
  const again = (await page.reload())?.headers()['content-security-policy'];
  expect(again).not.toBe(policy);
  expect(await page.context().cookies()).toEqual([]);
});
