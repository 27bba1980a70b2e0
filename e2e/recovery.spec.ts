import type { Page, Route } from '@playwright/test';
import { type Api, type Holder, newKey } from './api.ts';
import { expect, overlook, pardon, sayIn, test } from './people.ts';
import {
  askGuardians,
  choose,
  findIdentity,
  follow,
  keepAsWords,
  onScreen,
  openWords,
  passphrase,
  press,
  wordsShown,
} from './steps.ts';

const say = sayIn('en');
const REQUEST = '**/api/relayer/beo/request-recovery';

test('a domain that nobody holds, or that is none, is said so; a full address is not needed', async ({ page, api }) => {
  const { holder } = await api.guarded();
  await page.goto('/recover');
  const field = page.getByRole('textbox', { name: say('recover.start.label') });
  const lookUp = async (typed: string) => {
    await field.fill(typed);
    await press(page, say('recover.start.submit'));
  };
  await lookUp('nobody-has-this');
  const nobody = say('recover.nobody.error', { reference: 'nobody-has-this.bsp' });
  await expect(page.getByText(nobody)).toBeVisible();
  await lookUp('not_a_domain!.bsp');
  const malformed = say('recover.malformed.error', { reference: 'not_a_domain!.bsp', suffix: 'bsp' });
  await expect(page.getByText(malformed)).toBeVisible();
  await lookUp(holder.domain.replace(/\.bsp$/, '').toUpperCase());
  await onScreen(page, say('recover.found.title', { domain: holder.domain }));
  await expect(page).toHaveTitle(/^Lost your key\?/);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
});

test('an identity without two guardians is told so, and its key can still be opened', async ({ page, api }) => {
  const { holder } = await api.guarded(1);
  await page.goto(`/recover?domain=${holder.domain}`);
  await onScreen(page, say('recover.helpless.title', { domain: holder.domain }));
  await follow(page, say('recover.found.haveKey'));
  await onScreen(page, say('keys.open.chooseTitle'));
});

test('goes on where it was after the page was loaded again, closed, or opened at its beginning', async ({
  page,
  api,
  complaints,
}) => {
  const { holder, guardians } = await api.guarded();
  await page.goto(`/recover?domain=${holder.domain}&step=key`);
  await choose(page, say('keys.choose.words'));
  await expect(page.getByRole('list', { name: say('keys.write.list') }).getByRole('listitem')).toHaveCount(24);
  const before = await wordsShown(page, say('keys.write.list'));
  await page.reload();
  await onScreen(page, say('keys.choose.title'));
  const secret = await keepAsWords(page, say);
  expect(secret).toEqual(before);
  await onScreen(page, say('recover.ask.title'));
  await page.reload();
  const { links, words } = await askGuardians(page, say);
  await page.reload();
  await onScreen(page, say('recover.watch.title', { given: 0 }));
  await follow(page, say('recover.watch.words'));
  await expect(page.getByRole('list', { name: say('recover.words.title') }).getByRole('listitem')).toHaveCount(6);
  expect(await wordsShown(page, say('recover.words.title'))).toEqual(words);
  const again = await page.context().newPage();
  await again.goto('/recover');
  await follow(again, say('recover.unfinished.resume'));
  await follow(again, say('recover.watch.links'));
  await expect(again.getByText(/\/api\/guardian\/confirm-recovery\//)).toHaveText(links);
  await again.close();

  const publicKey = await keyOf(api, links);
  const [one, two] = guardians;
  if (!one || !two) throw new Error('There are two guardians.');
  await api.confirmRecovery(holder, links[0] ?? '', publicKey, one);
  await look(page, say('recover.watch.tally', { given: 1, needed: 2 }));
  await pardon(complaints, 'status of 410');
});

test('asks again after the connection was gone, with the same key', async ({ page, api, complaints }) => {
  const { holder } = await api.guarded();
  await upToAsking(page, holder);
  await page.route(REQUEST, (route) => route.abort('internetdisconnected'));
  await press(page, say('recover.ask.yes'));
  await expect(page.getByRole('alert').filter({ hasText: say('recover.errors.UNREACHABLE') })).toBeVisible();
  await pardon(complaints, 'ERR_INTERNET_DISCONNECTED');
  await page.unrouteAll();
  const { links, words } = await askGuardians(page, say);
  expect([links.length, words.length]).toEqual([2, 6]);
  await onScreen(page, say('recover.watch.title', { given: 0 }));
  await page.route('**/api/beos/**', (route) => route.abort('internetdisconnected'));
  await look(page, say('recover.watch.unreachable'));
  await page.unrouteAll();
  await look(page, say('recover.watch.live'));
  await pardon(complaints, 'ERR_INTERNET_DISCONNECTED');
});

test('asks with a signature of the new key, so that no stranger’s request displaces it', async ({ page, api }) => {
  const { holder } = await api.guarded();
  await upToAsking(page, holder);
  const sent = page.waitForRequest(REQUEST);
  await askGuardians(page, say);
  const body = (await sent).postDataJSON();
  expect(Object.keys(body).sort()).toEqual(
    ['beoId', 'ledgerId', 'newPublicKey', 'nonce', 'signature', 'timestamp'].sort(),
  );
});

test('stops where the server answers with words that are not those of the key', async ({ page, api }) => {
  const { holder } = await api.guarded();
  await upToAsking(page, holder);
  await page.route(REQUEST, async (route: Route) => {
    const response = await route.fetch();
    const body = { ...(await response.json()), fingerprint: 'abandon abandon abandon abandon abandon zebra' };
    await route.fulfill({ response, json: body });
  });
  await press(page, say('recover.ask.yes'));
  await onScreen(page, say('recover.mismatch.title'));
  await expect(page.getByText(/confirm-recovery/)).toHaveCount(0);
});

test('tells of a request that somebody else made, and when it was carried out', async ({ page, api, complaints }) => {
  const { holder, guardians } = await api.guarded();
  const [one, two] = guardians;
  if (!one || !two) throw new Error('There are two guardians.');
  await upToAsking(page, holder);
  await askGuardians(page, say);
  await onScreen(page, say('recover.watch.title', { given: 0 }));
  const rival = newKey();
  const { links } = await api.askForRecovery(holder, rival.publicKey);
  const urls = links.map(({ url }) => url);
  await api.confirmRecovery(holder, urls[0] ?? '', rival.publicKey, one);
  await look(page, say('recover.watch.rivalTitle', { domain: holder.domain }));
  await api.confirmRecovery(holder, urls[1] ?? '', rival.publicKey, two);
  await look(page, say('recover.ended.overtaken.title', { domain: holder.domain }));
  await pardon(complaints, 'status of 410');
  await follow(page, say('recover.ended.again'));
  await onScreen(page, say('recover.ask.againTitle'));
});

test('whoever finds the new key again on another device goes on there, and on to their pages', async ({
  page,
  another,
  api,
  complaints,
}) => {
  const { holder, guardians } = await api.guarded();
  const [one, two] = guardians;
  if (!one || !two) throw new Error('There are two guardians.');
  const secret = await upToAsking(page, holder);
  const { links } = await askGuardians(page, say);
  await api.confirmRecovery(holder, links[0] ?? '', await keyOf(api, links), one);
  const elsewhere = await another();
  await elsewhere.goto(`/recover?domain=${holder.domain}`);
  await expect(elsewhere.getByText(say('recover.found.underwayTitle'))).toBeVisible();
  await follow(elsewhere, say('recover.found.mine'));
  await openWords(elsewhere, say, secret);
  await onScreen(elsewhere, say('recover.watch.title', { given: 1 }));
  await page.close();

  await api.confirmRecovery(holder, links[1] ?? '', await keyOf(api, links.slice(1)), two);
  await look(elsewhere, say('recover.done.title', { domain: holder.domain }));
  overlook(complaints, 'status of 410');
  await follow(elsewhere, say('recover.done.toPages'));
  await onScreen(elsewhere, say('keys.open.foundTitle'));
  await press(elsewhere, say('keys.open.use'));
  await onScreen(elsewhere, say('session.here.title'));
  await passphrase(elsewhere, say).fill('herring lamp quorum Saturday');
  await press(elsewhere, say('session.here.submit'));
  await expect(elsewhere).toHaveURL(/\/me$/);
  await expect(elsewhere.getByText(say('session.isOpen'))).toBeVisible();
});

/** From the domain to the last question, the key kept as words. @returns the words */
async function upToAsking(page: Page, { domain }: Holder): Promise<string[]> {
  await page.goto('/recover');
  await findIdentity(page, say, domain);
  const secret = await keepAsWords(page, say);
  await onScreen(page, say('recover.ask.title'));
  return secret;
}

/** Lets the page look at once, as it does when the connection comes back, until it says something. */
const look = (page: Page, sentence: string): Promise<void> =>
  expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(page.getByText(sentence).first()).toBeVisible({ timeout: 500 });
  }).toPass();

/** The new key that a request is for. */
async function keyOf(api: Api, [link = '']: readonly string[]): Promise<string> {
  return (await (await api.get(link, { accept: 'application/json' })).json()).new_public_key;
}
