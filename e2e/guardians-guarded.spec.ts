import { guardianWords } from '../protocol/signing/fingerprint.ts';
import { keyOfSeed, type PublicGuardian } from './api.ts';
import { expect, pardon, sayIn, test } from './people.ts';
import { expectNowhere, hexOf, listen } from './secrets.ts';
import { choose, keepAsWords, onScreen, press, readInvitation, wordsShown } from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');

test('a guardian sees by their key whom they guard and how that stands, and resigns', async ({
  page,
  api,
  complaints,
}, info) => {
  const seed = crypto.getRandomValues(new Uint8Array(32));
  const key = keyOfSeed(seed);
  const [one, other, locked] = await Promise.all([api.newHolder(), api.newHolder(), api.newHolder()]);
  for (const holder of [one, other, locked]) await api.accept(holder, await api.invite(holder, 'primary'), key);
  await api.accept(one, await api.invite(one, 'secondary'));
  await api.requireConfirmed(other);
  await api.lock(locked);
  const sent = listen(page);

  await page.goto('/sign-in');
  await page.getByRole('link', { name: say('signIn.ways.guard') }).click();
  await onScreen(page, say('guarded.title'));
  await survey(page, 'guarded-1-key', info);
  await choose(page, say('keys.open.code'));
  await page.getByLabel(say('keys.code.label'), { exact: true }).fill(hexOf(seed) + key.publicKey);
  await press(page, say('keys.open.open'));

  await expect(page.getByText(say('guarded.count', { count: 3 }))).toBeVisible();
  const card = (domain: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: domain }).first();
  await expect(card(one.domain)).toContainText(say('guarded.state.eligible'));
  await expect(card(one.domain)).toContainText(say('guarded.others', { count: 2, needed: 2 }));
  await expect(card(other.domain)).toContainText(say('guarded.state.unconfirmed'));
  await expect(card(locked.domain)).toContainText(say('guarded.locked'));
  await expect(card(locked.domain).getByRole('button', { name: say('guarded.resign') })).toHaveCount(0);
  await press(page, `${say('guarded.words.show')} (${other.domain})`);
  await expect(page.getByRole('list', { name: say('guarded.words.label') }).getByRole('listitem')).toHaveCount(6);
  expect(await wordsShown(page, say('guarded.words.label'))).toEqual(guardianWords(other.id, key.publicKey));
  await survey(page, 'guarded-2-list', info);

  await press(page, `${say('guarded.resign')} (${one.domain})`);
  await onScreen(page, say('guarded.leave.title', { domain: one.domain }));
  await expect(page.getByText(say('guarded.leave.few', { domain: one.domain, left: 1, needed: 2 }))).toBeVisible();
  await survey(page, 'guarded-3-resign', info);
  await press(page, say('guarded.leave.no'));
  await press(page, `${say('guarded.resign')} (${one.domain})`);
  await page.route('**/api/guardian/resign', (route) => route.fetch().then(() => route.abort()), { times: 1 });
  await press(page, say('guarded.leave.yes'));
  await expect(page.getByText(say('guardian.errors.UNREACHABLE'))).toBeVisible();
  await pardon(complaints, 'ERR_FAILED');
  // The answer was lost: trying again finds that it is done.
  await press(page, say('guarded.leave.yes'));
  await expect(page.getByText(say('guarded.resigned', { domain: one.domain })).first()).toBeVisible();
  await pardon(complaints, 'status of 404');
  await expect(page.getByText(say('guarded.count', { count: 2 }))).toBeVisible();
  const roles = (guardians: readonly PublicGuardian[]) => guardians.map(({ role }) => role);
  expect(roles((await api.identity(one.id)).recovery.guardians)).toEqual(['secondary']);

  await press(page, say('guarded.lock'));
  await onScreen(page, say('guarded.title'));
  await expect(page.getByText(other.domain)).toHaveCount(0);
  await expectNowhere(page, sent, [hexOf(seed)]);
});

test('the browser in which somebody became a guardian offers that key', async ({ page, api }) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  await page.goto(url);
  await readInvitation(page, say, holder.domain);
  await keepAsWords(page, say);
  await press(page, say('accept.accept.yes'));
  await onScreen(page, say('accept.done.title', { domain: holder.domain }));
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: say('shell.footer.guardian') })
    .click();
  await onScreen(page, say('guarded.title'));
  await choose(page, say('keys.open.hereGuardian', { domain: holder.domain }));
  await expect(page.getByText(say('guarded.count', { count: 1 }))).toBeVisible();
  await expect(page.getByRole('heading', { name: holder.domain })).toBeVisible();
});
