import type { Page } from '@playwright/test';
import { createIdentity } from './create-identity.ts';
import { expect, test, translatorFor } from './fixtures.ts';

const t = translatorFor('en');

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

  test('the explorer shows the latest entries, the ledger in numbers and the state of the network', async ({
    page,
    request,
  }) => {
    await page.goto('/explore');
    await expect(page.getByText(t('explore.network.testTitle'))).toBeVisible();
    await expect(page.getByText(t('explore.network.wallet'))).toBeVisible();
    const final = page.getByRole('term').filter({ hasText: t('explore.stages.final.name') });
    await expect(
      page.locator('dl').filter({ has: final }).getByRole('definition').filter({ hasText: /^\d/ }),
    ).toHaveCount(3);
    // Other tests may write so many entries at the same time that this one leaves the page.
    await expect(async () => {
      const { domain } = await createIdentity(request);
      await page.goto('/explore');
      expect((await entryOf(page, domain).allTextContents()).join()).toContain(t('operations.createBEO'));
    }).toPass();
  });
});

test('a new identity appears on an open page and becomes final there @long', async ({ page, request }) => {
  await page.goto('/explore');
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

test('an unreachable server is reported, and the page recovers by itself @long', async ({ page, pageErrors }) => {
  await page.goto('/explore');
  await page.route('**/api/trpc/**', (route) => route.abort('connectionrefused'));
  await expect(page.getByText(t('errors.UNREACHABLE'))).toBeVisible();
  await expect(page.getByRole('heading', { name: t('explore.latest.title') })).toBeVisible();
  await page.unroute('**/api/trpc/**');
  await expect(page.getByText(t('errors.UNREACHABLE'))).toBeHidden();
  expect(pageErrors.every((text) => text.includes('ERR_CONNECTION_REFUSED'))).toBe(true);
  pageErrors.length = 0;
});

test('a hidden tab sends no queries, and queries at once when it is shown again', async ({ page }) => {
  await page.clock.install();
  let [queries, answers] = [0, 0];
  page.on('response', (response) => {
    if (response.url().includes('/api/trpc/')) answers += 1;
  });
  await page.route('**/api/trpc/**', (route) => {
    queries += 1;
    return route.continue();
  });
  await page.goto('/explore');
  await page.clock.runFor(20_000);
  await expect.poll(() => queries).toBeGreaterThan(0);
  await setVisible(page, false);
  // A query that the page began while it was shown is still sent.
  await expect(async () => {
    const sent = queries;
    await page.clock.runFor(1_000);
    expect([queries, answers]).toEqual([sent, sent]);
  }).toPass();
  const before = queries;
  await page.clock.runFor(600_000);
  expect(queries).toBe(before);
  // With a stopped clock, the regular interval sends no query.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await setVisible(page, true);
  await expect(async () => {
    await page.clock.runFor(20);
    expect(queries).toBeGreaterThan(before);
  }).toPass();
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
