import type { Page } from '@playwright/test';
import { guardianWords } from '../protocol/signing/fingerprint.ts';
import { type Holder, keyOfSeed, newKey } from './api.ts';
import { expect, sayIn, test } from './people.ts';
import { newOpenedKey, PASSPHRASE, rememberIn } from './signed-in.ts';
import { follow, onScreen, passphrase, press, wordsShown } from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');

test('a holder invites, compares words, confirms, removes and invites anew', async ({ page, api }, testInfo) => {
  const holder = await signedIn(page, api);
  const { domain, id } = holder;
  const look = (name: string) => survey(page, `my-guardians-${name}`, testInfo);

  await page.goto('/me/guardians');
  await readiness(page, 'none');
  await look('1-none');
  await follow(page, say('myGuardians.action.invite'));
  await onScreen(page, say('myGuardians.invite.title', { who: say('myGuardians.who.primary') }));
  await press(page, say('myGuardians.invite.yes'));
  await expect(field(page, say('myGuardians.invite.name'))).toBeFocused();
  await expect(page.getByText(say('myGuardians.invite.contactMissing'))).toBeVisible();
  await look('2-invite');
  const first = await invite(page, 'Maria', true);
  await press(page, `${say('common.passOn.qr')} (${named('primary', 'Maria')})`);
  const code = say('common.passOn.qrLabel', { who: named('primary', 'Maria') });
  await expect(page.getByRole('img', { name: code })).toBeVisible();
  await look('3-link');
  await press(page, say('myGuardians.links.done'));
  await told(page, say('myGuardians.outcome.passed'));
  await expect(page.getByRole('heading', { name: named('primary', 'Maria') })).toBeVisible();

  const maria = await api.accept(holder, await invitationOf(first));
  await api.accept(holder, await api.invite(holder, 'secondary'));
  const compare = say('myGuardians.action.confirm');
  await expect(page.getByRole('link', { name: `${compare} (${named('primary', 'Maria')})` })).toBeVisible();
  await readiness(page, 'two');
  await expect(page.getByText(say('myGuardians.readiness.asserted'))).toBeVisible();
  await look('4-accepted');

  await follow(page, `${compare} (${named('primary', 'Maria')})`);
  await onScreen(page, say('myGuardians.call.title', { who: 'Maria' }));
  await look('5-call');
  await follow(page, say('myGuardians.call.ready'));
  await onScreen(page, say('myGuardians.compare.title'));
  const list = say('myGuardians.compare.label');
  await expect(page.getByRole('list', { name: list }).getByRole('listitem')).toHaveCount(6);
  expect(await wordsShown(page, list)).toEqual(guardianWords(id, maria.key.publicKey));
  await look('6-words');
  await follow(page, say('myGuardians.compare.different'));
  await onScreen(page, say('myGuardians.differ.title'));
  await expect(page.getByText(say('myGuardians.differ.page', { domain }))).toBeVisible();
  await look('7-differ');
  await follow(page, say('myGuardians.differ.again'));
  await press(page, say('myGuardians.compare.same'));
  await onScreen(page, say('myGuardians.confirm.title', { who: 'Maria' }));
  await expect(page.getByText(say('myGuardians.confirm.first', { others: 1 }))).toBeVisible();
  await look('8-confirm');
  await press(page, say('myGuardians.confirm.yes'));
  await told(page, say('myGuardians.outcome.confirmed', { place: named('primary', 'Maria') }));
  await readiness(page, 'one');
  const second = named('secondary', 'The secondary one');

  await follow(page, `${say('myGuardians.action.remove')} (${second})`);
  await onScreen(page, say('myGuardians.remove.title', { who: 'The secondary one' }));
  await expect(page.getByText(say('myGuardians.remove.after.one'))).toBeVisible();
  await look('9-remove');
  await press(page, say('myGuardians.remove.yes'));
  await told(page, say('myGuardians.outcome.gone', { place: second }));
  expect((await api.identity(id)).recovery.guardians).toMatchObject([
    { role: 'primary', public_key: maria.key.publicKey, status: 'ACTIVE', confirmed: true },
  ]);

  await follow(page, say('myGuardians.action.invite'));
  const former = await invite(page, 'João');
  await press(page, say('myGuardians.links.done'));
  await follow(page, `${say('myGuardians.action.anew')} (${named('secondary', 'João')})`);
  await onScreen(page, say('myGuardians.anew.title', { who: 'João' }));
  await look('11-anew');
  await press(page, say('myGuardians.anew.yes'));
  const latter = await linkShown(page);
  expect((await api.get(former)).status()).toBe(410);
  expect((await api.get(latter)).status()).toBe(200);
  await page.reload();
  await onScreen(page, say('myGuardians.title'));
  await expect(page.getByText('João')).toHaveCount(0);
  await press(page, say('myGuardians.names.show'));
  await unlock(page);
  await expect(page.getByRole('heading', { name: named('primary', 'Maria') })).toBeVisible();
  await expect(page.getByRole('heading', { name: named('secondary', 'João') })).toBeVisible();
  await expect(page.getByText(say('myGuardians.contact', { contact: '+55 11 91234-5678' })).first()).toBeVisible();
  await look('10-names');
  await press(page, say('session.putAway'));
  await expect(page.getByText('João')).toHaveCount(0);

  async function invitationOf(url: string) {
    const answer = await (await api.get(url, { accept: 'application/json' })).json();
    return { url, guardian_id: '', invitation_id: answer.invitation_id };
  }
});

test('the overview says what matters: a new identity, guardians to confirm, a recovery, a lock', async ({
  page,
  api,
}, testInfo) => {
  const holder = await signedIn(page, api);
  const look = (name: string) => survey(page, `overview-${name}`, testInfo);
  const matter = (title: string) => page.getByRole('heading', { level: 3, name: title, exact: true });

  await page.goto('/me');
  await expect(page.getByRole('heading', { name: say('overview.first.title') })).toBeVisible();
  await expect(matter(say('overview.matter.unready.none'))).toHaveCount(0);
  await look('1-new');

  const clinic = await api.newInstitution(newKey(), 'Clínica São Lucas');
  await api.grant(holder, clinic.id);
  const guardians = [];
  for (const role of ['primary', 'secondary']) guardians.push(await api.accept(holder, await api.invite(holder, role)));
  await page.reload();
  const toConfirm = say('overview.matter.confirm.title', { count: 2 });
  const toRequire = say('overview.matter.require.title');
  const wide = say('overview.matter.wide.title', { name: 'Clínica São Lucas' });
  await expect(matter(wide)).toBeVisible();
  expect(await page.getByRole('listitem').getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    toConfirm,
    toRequire,
    wide,
  ]);
  await expect(page.getByText(say('overview.recovery.readiness.two'))).toBeVisible();
  await look('2-confirm');

  const stranger = newKey();
  const { links } = await api.askForRecovery(holder, stranger.publicKey);
  const [link] = links;
  const [guardian] = guardians;
  if (!link || !guardian) throw new Error('There are two guardians.');
  await api.confirmRecovery(holder, link.url, stranger.publicKey, guardian);
  await page.reload();
  await expect(matter(say('overview.matter.recovery.title'))).toBeVisible();
  await look('3-recovery');
  await follow(page, say('overview.matter.recovery.action'));
  await onScreen(page, say('myGuardians.request.title', { domain: holder.domain }));
  await expect(page.getByText(say('myGuardians.request.standing', { given: 1, needed: 2, missing: 1 }))).toBeVisible();
  await survey(page, 'my-guardians-12-request', testInfo);

  await api.lock(holder);
  await page.goto('/me');
  await expect(matter(say('overview.matter.locked.title'))).toBeVisible();
  await expect(matter(toConfirm)).toHaveCount(0);
  await look('4-locked');
  await page.goto('/me/guardians');
  await expect(page.getByText(say('myGuardians.locked.title'))).toBeVisible();
  await expect(page.getByRole('link', { name: say('myGuardians.action.invite') })).toHaveCount(0);
  await survey(page, 'my-guardians-13-locked', testInfo);
});

test('a holder requires confirmed guardians for good, and then only who is confirmed counts', async ({
  page,
  api,
}, testInfo) => {
  const holder = await signedIn(page, api);
  const maria = await api.accept(holder, await api.invite(holder, 'primary'));
  await api.accept(holder, await api.invite(holder, 'secondary'));
  const look = (name: string) => survey(page, `my-guardians-${name}`, testInfo);

  await page.goto('/me');
  const matter = page.getByRole('listitem').filter({ hasText: say('overview.matter.require.title') });
  await matter.getByRole('link', { name: say('overview.matter.require.action') }).click();
  await onScreen(page, say('myGuardians.require.title'));
  await expect(page.getByText(say('myGuardians.require.stop', { count: 2 }))).toBeVisible();
  await expect(page.getByText(say('myGuardians.require.limit'))).toBeVisible();
  await expect(page.getByText(say('myGuardians.require.public'))).toBeVisible();
  await look('14-require');
  await press(page, say('myGuardians.require.yes'));
  await unlock(page);
  await told(page, say('myGuardians.outcome.required'));
  await readiness(page, 'none');
  await expect(page.getByText(say('myGuardians.require.on'))).toBeVisible();
  await expect(page.getByText(say('myGuardians.readiness.onlyConfirmed'))).toBeVisible();
  await look('15-required');
  expect((await api.identity(holder.id)).recovery.confirmed_only).toBe(true);
  const refused = await api.attempt(holder, '/api/guardian/require-confirmed', 'requireConfirmedGuardians');
  expect(refused).toEqual({ status: 409, code: 'ALREADY_CONFIRMED' });

  // The flow leads on to comparing the words; who is confirmed counts again.
  const compare = page.getByRole('link', { name: new RegExp(say('myGuardians.action.confirm')) });
  await compare.first().click();
  await follow(page, say('myGuardians.call.ready'));
  await press(page, say('myGuardians.compare.same'));
  await press(page, say('myGuardians.confirm.yes'));
  await readiness(page, 'one');
  const [first] = (await api.identity(holder.id)).recovery.guardians;
  expect(first).toMatchObject({ public_key: maria.key.publicKey, confirmed: true });
  await page.goto(`/explore/${holder.domain}`);
  await expect(page.getByText(say('explore.identity.confirmedOnly'))).toBeVisible();
});

/** A holder whom the browser knows. */
async function signedIn(page: Page, api: { newHolder(key: ReturnType<typeof newKey>): Promise<Holder> }) {
  const key = await newOpenedKey();
  const holder = await api.newHolder(keyOfSeed(key.seed));
  await rememberIn(page, { id: holder.id, kind: 'holder', domain: holder.domain }, key);
  return holder;
}

/** What was done is said to the eye and to the ear. */
async function told(page: Page, sentence: string): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: sentence })).toHaveCount(1);
  await expect(page.getByText(sentence).last()).toBeVisible();
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const named = (role: 'primary' | 'secondary', name: string) => `${say(`myGuardians.place.${role}`)} (${name})`;

const readiness = (page: Page, level: 'none' | 'one' | 'two') =>
  expect(page.getByRole('heading', { name: say(`myGuardians.readiness.${level}.title`) })).toBeVisible();

/** Fills in the invitation, opens the key where it is asked for, and returns the link. */
async function invite(page: Page, name: string, locked = false): Promise<string> {
  await field(page, say('myGuardians.invite.name')).fill(name);
  await field(page, say('myGuardians.invite.contact')).fill('+55 11 91234-5678');
  await press(page, say('myGuardians.invite.yes'));
  if (locked) await unlock(page);
  return linkShown(page);
}

async function unlock(page: Page): Promise<void> {
  await passphrase(page, say).fill(PASSPHRASE);
  await press(page, say('session.unlock.open'));
}

async function linkShown(page: Page): Promise<string> {
  await onScreen(page, say('myGuardians.links.title', { count: 1 }));
  return (await page.getByText(/\/api\/guardian\/accept\//).textContent()) ?? '';
}
