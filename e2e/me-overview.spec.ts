import type { Page } from '@playwright/test';
import { keyOfSeed, linkFor, newKey } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { newStoredHolderWithRecords } from './health-records.ts';
import { clickButton, clickLink, expectScreen, keepKeyAsWords } from './page-actions.ts';
import { newOpenedKey, newStoredHolder, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('the overview lists what needs attention: first steps, guardians to confirm, a recovery, a lock', async ({
  page,
  api,
}, testInfo) => {
  const holder = await newStoredHolder(page, api);
  const check = (name: string) => checkScreen(page, `me-overview-${name}`, testInfo);
  const task = (title: string) => page.getByRole('heading', { level: 3, name: title, exact: true });

  await page.goto('/me');
  await expect(page.getByRole('heading', { name: t('overview.next.title') })).toBeVisible();
  await expect(task(t('overview.matter.unready.none'))).toHaveCount(0);
  await expect(page.getByRole('button', { name: t('dashboard.emergencyLock'), exact: true })).toBeVisible();
  await check('1-new');

  const clinic = await api.newInstitution(newKey(), 'Clínica São Lucas');
  await api.grant(holder, clinic.id);
  const guardians = [];
  for (const role of ['primary', 'secondary']) guardians.push(await api.accept(holder, await api.invite(holder, role)));
  await page.reload();
  const toConfirm = t('overview.matter.confirm.title', { count: 2 });
  const toRequire = t('overview.matter.require.title');
  const wide = t('overview.matter.wide.title', { name: 'Clínica São Lucas' });
  const tasks = page.getByRole('listitem').getByRole('heading', { level: 3 });
  await expect(tasks).toHaveText([toConfirm, toRequire, wide]);
  await expect(page.getByText(t('overview.recovery.readiness.two'))).toBeVisible();
  await check('2-confirm');

  const stranger = newKey();
  const request = await api.requestRecovery(holder, stranger.publicKey);
  const [guardian] = guardians;
  if (!guardian) throw new Error('There are two guardians.');
  await api.confirmRecovery(holder, linkFor(request, 'primary'), stranger.publicKey, guardian);
  await page.reload();
  await expect(task(t('overview.matter.recovery.title'))).toBeVisible();
  await check('3-recovery');
  await clickLink(page, t('overview.matter.recovery.action'));
  await expectScreen(page, t('myGuardians.request.title', { domain: holder.domain }));
  await expect(
    page.getByText(t('myGuardians.request.confirmations', { given: 1, needed: 2, missing: 1 })),
  ).toBeVisible();
  await checkScreen(page, 'my-guardians-12-request', testInfo);

  await api.lock(holder);
  await page.goto('/me');
  await expect(task(t('overview.matter.locked.title'))).toBeVisible();
  await expect(task(toConfirm)).toHaveCount(0);
  await expect(page.getByRole('button', { name: t('dashboard.unlock'), exact: true })).toBeVisible();
  await check('4-locked');
  await page.goto('/me/guardians');
  await expect(page.getByText(t('myGuardians.locked.title'))).toBeVisible();
  await expect(page.getByRole('link', { name: t('myGuardians.action.invite') })).toHaveCount(0);
  await checkScreen(page, 'my-guardians-13-locked', testInfo);
});

/** Refuses one read as over the rate limit, and lets those pass that are sent with it. */
async function refuseRead(page: Page, name: string): Promise<void> {
  const refused = { code: 'RATE_LIMITED', message: 'Too many requests.' };
  const error = { error: { code: -32029, message: refused.message, data: { code: 'TOO_MANY_REQUESTS', refused } } };
  await page.route(`**/api/trpc/*${name}*`, async (route) => {
    const names = new URL(route.request().url()).pathname.split('/').at(-1)?.split(',') ?? [];
    const response = await route.fetch();
    const answers: unknown[] = await response.json();
    await route.fulfill({ response, json: answers.map((answer, index) => (names[index] === name ? error : answer)) });
  });
}

test('the overview lists who used the consents since the last visit in this browser, once the key is unlocked @long', async ({
  page,
  api,
  request,
}, info) => {
  const { holder } = await newStoredHolderWithRecords(page, api, request);
  const show = async () => {
    await clickButton(page, t('overview.since.show'));
    await unlockKey(page, t);
  };
  await page.goto('/me');
  const first = page.getByRole('region', { name: t('overview.since.first') });
  await expect(first.getByText(t('overview.since.locked'))).toBeVisible();
  await show();
  const use = first.getByRole('listitem').filter({ hasText: 'Northern Laboratory' });
  await expect(use).toContainText(t('access.kind.submit', { count: 5 }));
  await checkScreen(page, 'me-overview-5-uses', info);

  const visitedAt = (time: number) =>
    page.evaluate(
      ([id, latest]) => localStorage.setItem(`perpetua-visits-${id}`, JSON.stringify({ latest, before: latest })),
      [holder.id, time] as const,
    );
  const titled = (at: number) => {
    const parts = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
    const day = new Intl.DateTimeFormat('en-GB', parts).format(at);
    return { title: t('overview.since.title', { day }), none: t('overview.since.none', { day }) };
  };
  // A visit at which nothing was shown is none.
  const before = Date.now() - 3_600_000;
  await visitedAt(before);
  await page.reload();
  const since = page.getByRole('region', { name: titled(before).title });
  await expect(since).toBeVisible();
  // Public, so they are listed before the key is unlocked.
  await expect(since.getByRole('link', { name: t('operations.createBEO'), exact: true })).toBeVisible();
  const noted = async () =>
    JSON.parse((await page.evaluate((id) => localStorage.getItem(`perpetua-visits-${id}`), holder.id)) ?? '');
  expect(await noted()).toEqual({ latest: before, before });
  // Nor is one at which what the ledger says could not be read.
  await refuseRead(page, 'latestEvents');
  await page.reload();
  await show();
  await expect(since.getByText(t('errors.RATE_LIMITED'))).toBeVisible();
  await expect(since.getByRole('listitem').filter({ hasText: 'Northern Laboratory' })).toBeVisible();
  expect(await noted()).toEqual({ latest: before, before });
  await page.unroute('**/api/trpc/*latestEvents*');
  await page.reload();
  await show();
  await expect(since.getByRole('link', { name: t('operations.createBEO'), exact: true })).toBeVisible();
  await expect.poll(async () => (await noted()).latest).toBeGreaterThan(before);
  const now = Date.now();
  await visitedAt(now);
  await page.reload();
  await expect(page.getByRole('heading', { name: titled(now).title })).toBeVisible();
  await show();
  await expect(page.getByText(titled(now).none)).toBeVisible();
  await expect(page.getByText(holder.key.publicKey)).toHaveCount(0);
  await checkScreen(page, 'me-overview-6-no-uses', info);
});

test('once the copy of a key is due, records ask for it first, and what warns, protects or withdraws stays open @desktop @long', async ({
  page,
  api,
}, testInfo) => {
  const key = await newOpenedKey();
  const { id, domain } = await api.newHolder(keyOfSeed(key.seed));
  await storeIdentity(page, { id, kind: 'holder', domain, backedUp: false, copyBy: new Date().toISOString() }, key);
  await page.goto('/me/records');
  await expectScreen(page, t('session.copyFirst.title'));
  await expect(page.getByText(t('session.copyFirst.days', { domain }))).toBeVisible();
  await checkScreen(page, 'copy-due', testInfo);
  await page.goto('/me/safety');
  await expect(page.getByRole('button', { name: t('dashboard.emergencyLock'), exact: true })).toBeVisible();
  for (const [path, title] of [
    ['/me/guardians', t('myGuardians.title')],
    ['/me/consents', t('consents.title')],
    ['/me', t('overview.title')],
  ] as const) {
    await page.goto(path);
    await expectScreen(page, title);
    await expect(page.getByText(t('dashboard.backup.holder', { domain }))).toBeVisible();
  }
  await page.goto('/me/records');
  await clickButton(page, t('session.copyFirst.make'));
  await unlockKey(page, t);
  await keepKeyAsWords(page, t);
  await expectScreen(page, t('records.title'));
  await expect(page.getByText(t('dashboard.backup.holder', { domain }))).toBeHidden();
});

test('the overview and the list count the consents to others, and the explorer counts all @long', {
  tag: '@desktop',
}, async ({ page, api }) => {
  const holder = await newStoredHolder(page, api);
  const [first, second] = await Promise.all([api.newInstitution(), api.newInstitution()]);
  await api.grant(holder, first.id, { intents: ['READ_RECORDS'], categories: ['BSP-HM'] }, 1);
  await api.grant(holder, holder.id, { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['*'] });
  const { token } = await api.grant(holder, second.id);
  await api.revoke(holder, token.token_id);

  await page.goto('/me');
  await expect(page.getByText(t('overview.consents.count', { count: 1 }))).toBeVisible();
  await expect(page.getByText(t('overview.matter.consentEnds.title', { name: 'A Clinic' }))).toBeVisible();
  await page.goto('/me/consents');
  await expect(page.getByText(t('consents.counts', { live: 1, ended: 1, total: 2 }))).toBeVisible();
  await expect(page.getByRole('heading', { name: t('consents.own.title') })).toBeVisible();
  await clickButton(page, t('consents.withdrawSeveral'));
  await expect(page.getByRole('dialog').getByText(t('consents.several.count', { count: 2 }))).toBeVisible();
  await page.goto(`/explore/${holder.domain}`);
  await expect(page.getByText(t('explore.consents.lead', { count: 3 }))).toBeVisible();
});
