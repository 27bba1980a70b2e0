import type { Page } from '@playwright/test';
import { openedKey, readWords } from '../app/_keys/secret.ts';
import { expect, sayIn, test } from './people.ts';
import { choose, follow, keepAsWords, onScreen, passphrase, press } from './steps.ts';

const say = sayIn('en');
const PASSPHRASE = 'herring lamp quorum Saturday';

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const option = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}`, 'i')).first();

test('somebody who has nothing gets an identity, gives a consent and takes it back; no request holds a secret or goes elsewhere', async ({
  page,
  api,
}) => {
  const clinic = await api.newInstitution(undefined, `Clinic ${crypto.randomUUID().slice(0, 8)}`);
  const { display_name: name }: { display_name: string } = (await (await api.get(`/api/ieos/${clinic.id}`)).json()).ieo;
  const sent: string[] = [];
  page.on('request', (request) =>
    sent.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers())),
  );

  await page.goto('/');
  await page
    .getByRole('main')
    .getByRole('link', { name: say('home.hero.create'), exact: true })
    .first()
    .click();
  await onScreen(page, say('create.name.title'));
  const field = page.getByLabel(say('create.name.label'), { exact: true });
  await expect(field).toHaveValue(/-\d\d$/);
  const domain = `${await field.inputValue()}.bsp`;
  await expect(page.getByText(say('create.name.free', { domain }))).toBeVisible();
  await press(page, say('create.name.next'));
  await onScreen(page, say('create.public.title'));
  await follow(page, say('create.public.next'));
  await onScreen(page, say('keys.choose.title'));
  const words = await keepAsWords(page, say);
  await onScreen(page, say('session.here.title'));
  await passphrase(page, say).fill(PASSPHRASE);
  await press(page, say('session.here.submit'));
  await onScreen(page, say('create.send.title', { domain }));
  await press(page, say('create.send.yes'));
  await onScreen(page, say('create.done.title', { domain }));

  await follow(page, `${say('create.done.consent')} ${say('create.done.consentWhat')}`);
  await onScreen(page, say('consents.who.title'));
  await page.getByRole('searchbox', { name: say('consents.who.search') }).fill(name);
  await choose(page, name);
  await onScreen(page, say('consents.may.title', { who: name }));
  await option(page, say('scope.intent.READ_RECORDS.name')).check();
  await press(page, say('common.next'));
  await onScreen(page, say('consents.data.title'));
  await option(page, say('consents.data.some')).check();
  await option(page, say('scope.category.BSP-HR')).check();
  await press(page, say('common.next'));
  await onScreen(page, say('consents.when.title'));
  await option(page, say('consents.when.any')).check();
  await press(page, say('common.next'));
  await onScreen(page, say('consents.long.title'));
  await option(page, say('consents.long.days', { days: 90 })).check();
  await press(page, say('common.next'));
  await onScreen(page, say('consents.review.title', { who: name }));
  await press(page, say('consents.review.give'));
  await onScreen(page, say('consents.givenTitle'));

  await follow(page, say('consents.toConsents'));
  const given = page.getByRole('listitem').filter({ hasText: name });
  await expect(given).toContainText(say('consents.state.ACTIVE'));
  await given.getByRole('button').click();
  await press(page, say('consents.withdrawing.yes', { count: 1 }));
  await expect(page.getByRole('dialog')).toContainText(say('consents.withdrawing.done', { count: 1 }));
  await press(page, say('consents.withdrawing.close'));
  await expect(page.getByText(say('consents.state.ACTIVE'), { exact: true }).locator('visible=true')).toHaveCount(0);

  const read = await readWords(words);
  if (!('entropy' in read)) throw new Error('The words of the page are no key.');
  const { seed } = await openedKey(read.entropy);
  expect(sent.length).toBeGreaterThan(50);
  for (const secret of [
    words.join(' '),
    hexOf(read.entropy),
    hexOf(seed),
    PASSPHRASE,
    encodeURIComponent(PASSPHRASE),
  ]) {
    expect(sent.filter((text) => text.includes(secret))).toEqual([]);
  }
});
