import { guardianWords } from '../protocol/signing/fingerprint.ts';
import { keyOfSeed, type PublicGuardian } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, expectPageError, NO_RESPONSE, test, translatorFor } from './fixtures.ts';
import {
  chooseOption,
  clickButton,
  clickLink,
  clickThroughInvitation,
  expectScreen,
  keepKeyAsWords,
  listedWords,
  loseResponse,
  openMenu,
} from './page-actions.ts';
import { expectNoSecrets, hexOf, recordRequests } from './secrets.ts';

const t = translatorFor('en');

test('a guardian opens their key, sees the identities they guard with their status, and resigns from one', async ({
  page,
  api,
  pageErrors,
}, info) => {
  const seed = crypto.getRandomValues(new Uint8Array(32));
  const key = keyOfSeed(seed);
  const [eligible, unconfirmed, locked] = await Promise.all([api.newHolder(), api.newHolder(), api.newHolder()]);
  for (const holder of [eligible, unconfirmed, locked])
    await api.accept(holder, await api.invite(holder, 'primary'), key);
  await api.accept(eligible, await api.invite(eligible, 'secondary'));
  await api.requireConfirmed(unconfirmed);
  await api.lock(locked);
  const sent = recordRequests(page);

  await page.goto('/sign-in');
  await page.getByRole('link', { name: t('signIn.ways.guard') }).click();
  await expectScreen(page, t('guarded.title'));
  await page.getByText(t('guarded.lost.title')).click();
  await expect(page.getByText(t('guarded.lost.sentence'))).toBeVisible();
  await checkScreen(page, 'guarded-1-key', info);
  await chooseOption(page, t('keys.open.code'));
  await page.getByLabel(t('keys.code.label'), { exact: true }).fill(hexOf(seed) + key.publicKey);
  await clickButton(page, t('keys.open.open'));

  await expect(page.getByText(t('guarded.count', { count: 3 }))).toBeVisible();
  const card = (domain: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: domain }).first();
  await expect(card(eligible.domain)).toContainText(t('guarded.state.eligible'));
  await expect(card(eligible.domain)).toContainText(t('guarded.others', { count: 2, needed: 2 }));
  await expect(card(unconfirmed.domain)).toContainText(t('guarded.state.unconfirmed'));
  await expect(card(locked.domain)).toContainText(t('guarded.locked'));
  await expect(card(locked.domain).getByRole('button', { name: t('guarded.resign') })).toHaveCount(0);
  await clickButton(page, `${t('guarded.words.show')} (${unconfirmed.domain})`);
  await expect(page.getByRole('list', { name: t('guarded.words.label') }).getByRole('listitem')).toHaveCount(6);
  expect(await listedWords(page, t('guarded.words.label'))).toEqual(guardianWords(unconfirmed.id, key.publicKey));
  await checkScreen(page, 'guarded-2-list', info);

  await expect(card(eligible.domain)).toContainText(t('guarded.check.never'));
  await clickButton(page, `${t('guarded.check.action')} (${eligible.domain})`);
  await expect(card(eligible.domain)).toContainText(t('guarded.check.done', { name: eligible.domain }));

  await clickButton(page, `${t('guarded.resign')} (${eligible.domain})`);
  await expectScreen(page, t('guarded.leave.title', { domain: eligible.domain }));
  await expect(page.getByText(t('guarded.leave.few', { domain: eligible.domain, left: 1, needed: 2 }))).toBeVisible();
  await checkScreen(page, 'guarded-3-resign', info);
  await clickButton(page, t('guarded.leave.no'));
  await clickButton(page, `${t('guarded.resign')} (${eligible.domain})`);
  await page.route('**/api/guardian/resign', loseResponse, { times: 1 });
  await clickButton(page, t('guarded.leave.yes'));
  await expect(page.getByText(t('guardian.errors.UNREACHABLE'))).toBeVisible();
  await expectPageError(pageErrors, NO_RESPONSE);
  // The response was lost; trying again finds that the guardian has resigned.
  await clickButton(page, t('guarded.leave.yes'));
  await expect(page.getByText(t('guarded.resigned', { domain: eligible.domain })).first()).toBeVisible();
  await expectPageError(pageErrors, 'status of 404');
  await expect(page.getByText(t('guarded.count', { count: 2 }))).toBeVisible();
  const roles = (guardians: readonly PublicGuardian[]) => guardians.map(({ role }) => role);
  expect(roles((await api.identity(eligible.id)).recovery.guardians)).toEqual(['secondary']);

  await clickButton(page, t('guarded.lock'));
  await expectScreen(page, t('guarded.title'));
  await expect(page.getByText(unconfirmed.domain)).toHaveCount(0);
  await expectNoSecrets(page, sent, [hexOf(seed)]);
});

test('the browser in which a user became a guardian offers that key @long', async ({ page, api }) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  await page.goto(url);
  await clickThroughInvitation(page, t, holder.domain);
  await keepKeyAsWords(page, t);
  await clickButton(page, t('accept.accept.yes'));
  await expectScreen(page, t('accept.done.title', { domain: holder.domain }));
  await openMenu(page);
  await clickLink(page, t('shell.footer.guardian'));
  await expectScreen(page, t('guarded.title'));
  await chooseOption(page, t('keys.open.hereGuardian', { domain: holder.domain }));
  await expect(page.getByText(t('guarded.count', { count: 1 }))).toBeVisible();
  await expect(page.getByRole('heading', { name: holder.domain })).toBeVisible();
});
