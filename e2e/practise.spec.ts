import { keyOfSeed } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { chooseOption, clickButton, clickLink, expectScreen, listedWords, typeSixWords } from './page-actions.ts';
import { hexOf } from './secrets.ts';
import { newStoredHolder, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('a holder and a guardian practise a recovery, and nothing changes', async ({ page, newUser, api }, info) => {
  const holder = await newStoredHolder(page, api);
  const { domain, id } = holder;
  const seed = crypto.getRandomValues(new Uint8Array(32));
  const key = keyOfSeed(seed);
  await api.accept(holder, await api.invite(holder, 'primary'), key);
  await api.accept(holder, await api.invite(holder, 'secondary'));
  const before = await api.identity(id);

  await page.goto('/me/guardians');
  await clickLink(page, t('myGuardians.practise.see'));
  await expectScreen(page, t('myGuardians.practise.title'));
  await checkScreen(page, 'practise-1-start', info);
  await clickButton(page, t('myGuardians.practise.start'));
  await unlockKey(page, t);
  await expectScreen(page, t('myGuardians.practise.under'));
  await expect(page.getByText(t('myGuardians.practise.took', { count: 0, of: 2 }))).toBeVisible();
  const words = await listedWords(page, t('myGuardians.practise.words'));
  const [link = ''] = await page.getByText(/\/guardian\/practise\//).allTextContents();
  await checkScreen(page, 'practise-2-links', info);

  const ana = await newUser();
  await ana.goto(link);
  await expectScreen(ana, t('practise.ask.title', { domain }));
  await expect(ana.getByText(t('practise.banner'))).toBeVisible();
  await checkScreen(ana, 'practise-3-ask', info);
  await clickLink(ana, t('practise.ask.start'));
  await clickLink(ana, t('confirm.call.ready'));
  await expect(ana.getByText(t('practise.banner'))).toBeVisible();
  await typeSixWords(ana, t, words);
  await clickButton(ana, t('confirm.words.check'));
  await chooseOption(ana, t('keys.open.code'));
  await ana.getByLabel(t('keys.code.label'), { exact: true }).fill(hexOf(seed) + key.publicKey);
  await clickButton(ana, t('keys.open.open'));
  await expectScreen(ana, t('practise.confirm.title', { domain }));
  await expect(ana.getByText(t('practise.confirm.nothing'))).toBeVisible();
  await checkScreen(ana, 'practise-4-confirm', info);
  await clickButton(ana, t('practise.confirm.yes'));
  await expectScreen(ana, t('practise.done.title'));

  await expect(page.getByText(t('myGuardians.practise.took', { count: 1, of: 2 }))).toBeVisible();
  await clickButton(page, t('myGuardians.practise.end'));
  await expect(page.getByText(t('myGuardians.outcome.practised')).first()).toBeVisible();
  expect(await api.identity(id)).toEqual({ ...before, ledger: expect.anything() });
});
