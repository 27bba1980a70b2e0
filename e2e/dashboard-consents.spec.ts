import type { Page } from '@playwright/test';
import { type Api, type Holder, keyOfSeed } from './api.ts';
import { expect, pardon, sayIn, test } from './people.ts';
import { multiplyConsent } from './product-database.ts';
import { newOpenedKey, PASSPHRASE, rememberIn } from './signed-in.ts';
import { choice, choose, follow, onScreen, press } from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');

/** A browser that knows a new holder; the clock that the page sees is the real one. */
async function arrive(page: Page, api: Api): Promise<Holder> {
  const key = await newOpenedKey();
  const holder = await api.newHolder(keyOfSeed(key.seed));
  await rememberIn(page, { id: holder.id, kind: 'holder', domain: holder.domain }, key);
  return holder;
}

/** Types the passphrase that opens the key of this browser. */
async function unlock(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: say('session.unlock.title') });
  await dialog.locator('input[type=password]').fill(PASSPHRASE);
  await dialog.getByRole('button', { name: say('session.unlock.open'), exact: true }).click();
  await expect(dialog).toBeHidden();
}

const next = (page: Page) => press(page, say('common.next'));
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const dialog = (page: Page) => page.getByRole('dialog');
const label = (text: string) => new RegExp(`^${text.replace(/\W/g, '\\$&')}`, 'i');
const option = (page: Page, text: string) => page.getByLabel(label(text)).first();

/** Finds an institution by what was typed, and chooses it. */
async function askFor(page: Page, typed: string, name: string): Promise<void> {
  await page.getByRole('searchbox', { name: say('consents.who.search') }).fill(typed);
  await choose(page, name);
  await onScreen(page, say('consents.may.title', { who: name }));
}

test('somebody gives a consent in a few questions, keeps its receipt, and withdraws it', async ({
  page,
  api,
}, info) => {
  const clinic = `Clinic ${crypto.randomUUID().slice(0, 8)}`;
  const [holder, institution] = await Promise.all([arrive(page, api), api.newInstitution(undefined, clinic)]);
  await page.goto('/me/consents');
  await expect(page.getByRole('heading', { name: say('consents.none.title') })).toBeVisible();
  await survey(page, 'consents-none', info);
  await follow(page, say('consents.give'));

  await onScreen(page, say('consents.who.title'));
  await page.getByRole('searchbox', { name: say('consents.who.search') }).fill(clinic.toUpperCase());
  await expect(choice(page, clinic)).toContainText(say('consents.who.uncertified'));
  await survey(page, 'consent-who', info);
  await choose(page, clinic);

  await onScreen(page, say('consents.may.title', { who: clinic }));
  await expect(page.locator('input:checked')).toHaveCount(0);
  await next(page);
  await expect(page.getByText(say('consents.missing.may'))).toBeVisible();
  await option(page, say('scope.intent.READ_RECORDS.name')).check();
  await option(page, say('scope.intent.SUBMIT_RECORD.name')).check();
  await survey(page, 'consent-may', info);
  await next(page);

  await onScreen(page, say('consents.data.title'));
  await expect(page.locator('input:checked')).toHaveCount(0);
  await option(page, say('consents.data.some')).check();
  await expect(page.locator('input:checked')).toHaveCount(1);
  await option(page, say('scope.category.BSP-HR')).check();
  await option(page, say('scope.category.BSP-GL')).check();
  await survey(page, 'consent-data', info);
  await next(page);

  await onScreen(page, say('consents.when.title'));
  await option(page, say('consents.when.some')).check();
  await page.getByLabel(say('consents.when.from'), { exact: true }).fill('2026-01-15');
  await page.getByText(say('consents.when.more')).click();
  await page.getByLabel(say('consents.when.most')).fill('40');
  await survey(page, 'consent-when', info);
  await next(page);

  await onScreen(page, say('consents.long.title'));
  await expect(page.locator('input:checked')).toHaveCount(0);
  await option(page, say('consents.long.days', { days: 90 })).check();
  await survey(page, 'consent-long', info);
  await next(page);

  await onScreen(page, say('consents.review.title', { who: clinic }));
  await page.getByRole('button', { name: `${say('consents.review.change')} ${say('scope.about')}` }).click();
  await onScreen(page, say('consents.data.title'));
  await option(page, say('scope.category.BSP-GL')).uncheck();
  await page.goBack();
  const review = page.getByRole('main');
  await expect(review.getByText(say('consents.review.public', { domain: holder.domain }))).toBeVisible();
  await expect(review).toContainText(/January 15, 2026|15 January 2026/);
  await survey(page, 'consent-review', info);
  await press(page, say('consents.review.give'));
  await unlock(page);

  await onScreen(page, say('consents.givenTitle'));
  const receipt = page.getByRole('article');
  await expect(receipt).toContainText(holder.domain);
  await expect(receipt).toContainText(institution.domain);
  await expect(receipt).toContainText(say('scope.category.BSP-HR'));
  await expect(receipt).not.toContainText(say('scope.category.BSP-GL'));
  await expect(receipt).toContainText(say('scope.records', { count: 40 }));
  await survey(page, 'consent-given', info);
  await follow(page, say('consents.toConsents'));

  const given = card(page, clinic);
  await expect(given).toContainText(say('consents.state.ACTIVE'));
  await given.getByRole('link').click();
  await onScreen(page, say('consents.oneTitle'));
  await expect(receipt).toContainText(say('consents.receipt.status', { status: 'FINAL' }));
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation').first()).toBeHidden();
  await expect(page.getByRole('button', { name: say('consents.receipt.print') })).toBeHidden();
  if (info.project.name.endsWith('desktop')) expect(pagesIn(await page.pdf({ format: 'A4' }))).toBe(1);
  await page.screenshot({
    path: `${info.project.outputDir}/screenshots/consent-printed-${info.project.name.replace(/^.* /, '')}.png`,
  });
  await page.emulateMedia({ media: 'screen' });

  await press(page, say('consents.withdraw'));
  await expect(dialog(page)).toContainText(say('consents.withdrawing.notUnread'));
  await press(page, say('consents.withdrawing.no', { count: 1 }));
  await expect(receipt).toContainText(say('consents.state.ACTIVE'));
  await press(page, say('consents.withdraw'));
  await survey(page, 'consent-withdraw', info);
  await press(page, say('consents.withdrawing.yes', { count: 1 }));
  await expect(dialog(page)).toContainText(say('consents.withdrawing.done', { count: 1 }));
  await press(page, say('consents.withdrawing.close'));
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(receipt).toContainText(say('consents.state.REVOKED'));
});

test('while locked, nothing can be given, and all can be withdrawn: by institution, by purpose, the rest', async ({
  page,
  api,
}, info) => {
  const [holder, ...given] = await Promise.all([
    arrive(page, api),
    api.newInstitution(undefined, 'Laboratory One', 'LAB'),
    api.newInstitution(undefined, 'Clinic Two'),
    api.newInstitution(undefined, 'Study Three', 'RESEARCH'),
  ]);
  const [lab, clinic, study] = given;
  const adds = { intents: ['SUBMIT_RECORD'], categories: ['BSP-HM'] };
  for (const { id } of given) await api.grant(holder, id);
  const added = await api.grant(holder, lab.id, adds);
  await api.grant(holder, clinic.id, adds);
  await api.lock(holder);

  await page.goto('/me/consents/new');
  await onScreen(page, say('consents.locked.title'));
  await survey(page, 'consents-locked', info);
  await follow(page, say('consents.back'));
  await expect(card(page, 'Laboratory One')).toHaveCount(2);
  await expect(page.getByText(say('consents.counts', { live: 5, ended: 0, total: 5 }))).toBeVisible();
  await survey(page, 'consents', info);

  await page.getByLabel(say('consents.filter.text')).fill('blood COUNT');
  await expect(page.getByText(say('consents.shown', { shown: 2, total: 5 }))).toBeVisible();
  await page.getByLabel(say('consents.filter.text')).fill('');
  await page.getByLabel(say('consents.filter.grantee')).selectOption(study.id);
  await expect(page.getByText(say('consents.shown', { shown: 1, total: 5 }))).toBeVisible();
  await page.getByLabel(say('consents.filter.grantee')).selectOption('');

  await press(page, say('consents.withdrawSeveral'));
  await survey(page, 'consents-several', info);
  await choose(page, say('consents.several.grantee'));
  await choose(page, 'Laboratory One');
  await survey(page, 'consents-withdraw-institution', info);
  await press(page, say('consents.withdrawing.yes', { count: 2 }));
  await unlock(page);
  await expect(dialog(page)).toContainText(say('consents.withdrawing.done', { count: 2 }));
  await press(page, say('consents.withdrawing.close'));
  await expect(page.getByText(say('consents.counts', { live: 3, ended: 2, total: 5 }))).toBeVisible();
  expect((await api.consent(added.token.token_id)).token.status).toBe('REVOKED');

  await press(page, say('consents.withdrawSeveral'));
  await choose(page, say('consents.several.intent'));
  await page.getByRole('button', { name: label(say('scope.intent.SUBMIT_RECORD.name')) }).click();
  await press(page, say('consents.withdrawing.yes', { count: 1 }));
  await expect(dialog(page)).toContainText(say('consents.withdrawing.done', { count: 1 }));
  await press(page, say('consents.withdrawing.close'));
  await page.getByLabel(say('consents.filter.state')).selectOption('ended');
  await expect(page.getByText(say('consents.shown', { shown: 3, total: 5 }))).toBeVisible();

  await press(page, say('consents.withdrawSeveral'));
  await choose(page, say('consents.several.all'));
  await press(page, say('consents.withdrawing.yes', { count: 2 }));
  await expect(dialog(page)).toContainText(say('consents.withdrawing.done', { count: 2 }));
  await press(page, say('consents.withdrawing.close'));
  await expect(page.getByText(say('consents.shown', { shown: 5, total: 5 }))).toBeVisible();
  await expect(page.getByRole('button', { name: say('consents.withdrawSeveral') })).toBeHidden();
});

test('what an institution may not be given is shown with the reason, and what was given already is found', async ({
  page,
  api,
  complaints,
}, info) => {
  const [holder, insurer, maker] = await Promise.all([
    arrive(page, api),
    api.newInstitution(undefined, 'Insurance Ltd', 'INSURER'),
    api.newInstitution(undefined, 'Bracelets Ltd', 'WEARABLE'),
  ]);
  const { token } = await api.grant(holder, holder.id, { intents: ['READ_RECORDS'], categories: ['*'] });

  await page.goto(`/me/consents/new?to=${maker.domain}`);
  await expect(page.getByText(say('consents.who.proposed'))).toBeVisible();
  await choose(page, 'Bracelets Ltd');
  await onScreen(page, say('consents.may.title', { who: 'Bracelets Ltd' }));
  await expect(option(page, say('scope.intent.READ_RECORDS.name'))).toBeDisabled();
  await expect(page.getByText(say('consents.impossible.wearableReads'))).toBeVisible();
  await option(page, say('scope.intent.SUBMIT_RECORD.name')).check();
  await survey(page, 'consent-impossible', info);
  await next(page);
  await expect(option(page, say('consents.data.all'))).toBeDisabled();
  await option(page, say('consents.data.some')).check();
  await expect(page.getByRole('checkbox')).toHaveCount(1);

  await press(page, say('consents.previous'));
  await press(page, say('consents.previous'));
  await askFor(page, insurer.domain, 'Insurance Ltd');
  await expect(page.locator('input:checked')).toHaveCount(0);
  await option(page, say('scope.intent.READ_RECORDS.name')).check();
  await next(page);
  await option(page, say('consents.data.all')).check();
  await next(page);
  await option(page, say('consents.when.any')).check();
  await next(page);
  await expect(option(page, say('consents.long.withdrawn'))).toBeDisabled();
  await option(page, say('consents.long.day')).check();
  await page.getByLabel(say('consents.long.endsOn'), { exact: true }).fill('2020-01-01');
  await next(page);
  await expect(page.getByText(say('consents.missing.end'))).toBeVisible();

  await page.goto('/me/consents/new');
  await choose(page, say('consents.who.self'));
  await option(page, say('scope.intent.READ_RECORDS.name')).check();
  await expect(page.getByRole('checkbox')).toHaveCount(2);
  await next(page);
  await option(page, say('consents.data.all')).check();
  await next(page);
  await option(page, say('consents.when.any')).check();
  await next(page);
  await option(page, say('consents.long.withdrawn')).check();
  await next(page);
  await press(page, say('consents.review.give'));
  await unlock(page);
  await expect(page.getByText(say('errors.DUPLICATE_TOKEN'))).toBeVisible();
  await pardon(complaints, 'status of 409');
  await follow(page, say('consents.review.existing'));
  await expect(page).toHaveURL(new RegExp(token.token_id));
  await onScreen(page, say('consents.oneTitle'));
});

test('ten thousand consents are loaded in the background, and only those in sight are on the page', async ({
  page,
  api,
}) => {
  const [holder, institution] = await Promise.all([arrive(page, api), api.newInstitution(undefined, 'A Clinic')]);
  const { token } = await api.grant(holder, institution.id);
  await multiplyConsent(token.token_id, 9_999);
  await page.goto('/me/consents');
  const cards = page.getByRole('list', { name: say('consents.list') }).getByRole('listitem');
  await expect(cards.first()).toContainText('A Clinic');
  await expect(page.getByText(say('consents.counts', { live: 8_001, ended: 1_999, total: 10_000 }))).toBeVisible();
  await expect(cards.first()).toHaveAttribute('aria-setsize', '10000');
  for (const share of [0.3, 0.7, 1]) {
    await page.evaluate((part) => window.scrollTo(0, document.documentElement.scrollHeight * part), share);
    await expect
      .poll(async () => Number(await cards.first().getAttribute('aria-posinset')))
      .toBeGreaterThan(9_000 * share);
    expect(await cards.count()).toBeLessThan(25);
  }
  await expect(cards.last()).toContainText(say('consents.state.REVOKED'));
  await page.getByLabel(say('consents.filter.state')).selectOption('ended');
  await expect(page.getByText(say('consents.shown', { shown: 1_999, total: 10_000 }))).toBeVisible();
});

/** How many pages a PDF has. */
const pagesIn = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;

test('the overview, the list and the explorer count the same consents', { tag: '@desktop' }, async ({ page, api }) => {
  const holder = await arrive(page, api);
  const [one, other] = await Promise.all([api.newInstitution(), api.newInstitution()]);
  await api.grant(holder, one.id);
  await api.grant(holder, holder.id, { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['*'] });
  const { token } = await api.grant(holder, other.id);
  await api.revoke(holder, token.token_id);

  await page.goto('/me');
  await expect(page.getByText(say('overview.consents.count', { count: 2 }))).toBeVisible();
  await expect(page.getByText(say('overview.consents.own', { own: 1 }))).toBeVisible();
  await page.goto('/me/consents');
  await expect(page.getByText(say('consents.counts', { live: 2, ended: 1, total: 3 }))).toBeVisible();
  await press(page, say('consents.withdrawSeveral'));
  await expect(dialog(page).getByText(say('consents.several.count', { count: 2 }))).toBeVisible();
  await page.goto(`/explore/${holder.domain}`);
  await expect(page.getByText(say('explore.consents.lead', { count: 3 }))).toBeVisible();
});
