import { expect, pardon, sayIn, test } from './people.ts';
import { findIdentity, follow, keepAsWords, onScreen, press } from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');

test('every screen of a recovery can be read by everybody', async ({ page, api, complaints }, testInfo) => {
  const { holder, guardians } = await api.guarded(3);
  const { domain } = holder;
  for (const _ of [1, 2]) await api.grant(holder, (await api.newInstitution()).id);
  const look = (name: string) => survey(page, `recover-${name}`, testInfo);

  await page.goto('/recover?domain=nobody-has-this');
  await expect(page.getByRole('textbox', { name: say('recover.start.label') })).toBeVisible();
  await look('1-nobody');
  await page.goto('/recover');
  await look('1-start');
  await page.goto(`/recover?domain=${domain}`);
  await onScreen(page, say('recover.found.title', { domain }));
  await look('2-found');
  await follow(page, say('recover.found.next'));
  await onScreen(page, say('recover.what.title'));
  await look('3-what');
  await page.goto('/recover');
  await findIdentity(page, say, domain);
  await keepAsWords(page, say);
  await onScreen(page, say('recover.ask.title'));
  await look('5-ask');
  await press(page, say('recover.ask.yes'));
  await onScreen(page, say('recover.links.title'));
  await press(page, `${say('common.passOn.qr')} (${say('recover.links.role.primary')})`);
  const code = say('common.passOn.qrLabel', { who: say('recover.links.role.primary') });
  await expect(page.getByRole('img', { name: code })).toBeVisible();
  await look('6-links');
  const links = await page.getByText(/\/api\/guardian\/confirm-recovery\//).allTextContents();
  await follow(page, say('recover.links.next'));
  await onScreen(page, say('recover.words.title'));
  await expect(page.getByRole('list', { name: say('recover.words.title') }).getByRole('listitem')).toHaveCount(6);
  await look('7-words');
  await follow(page, say('recover.words.next'));
  await onScreen(page, say('recover.watch.title', { given: 0 }));
  await look('8-watch-none');

  const { new_public_key: key } = await (await api.get(links[0] ?? '', { accept: 'application/json' })).json();
  const confirm = async (index: number) => {
    const guardian = guardians[index];
    if (guardian) await api.confirmRecovery(holder, links[index] ?? '', key, guardian);
  };
  await confirm(0);
  await onScreen(page, say('recover.watch.title', { given: 1 }));
  await expect(page.getByText(say('recover.watch.confirmed'), { exact: true })).toBeVisible();
  await look('8-watch-one');
  await api.lock(holder);
  await confirm(2);
  await onScreen(page, say('recover.done.title', { domain }));
  await pardon(complaints, 'status of 410');
  await look('9-done');
  await follow(page, say('recover.done.review'));
  await onScreen(page, say('recover.consents.title'));
  await expect(page.getByText(say('recover.consents.lead'))).toBeVisible();
  await look('10-consents');
  const all = page.getByRole('button', { name: /^Withdraw all \d$/ });
  await all.click();
  await expect(page.getByRole('heading', { name: /^Withdraw all \d consents\?$/ })).toBeFocused();
  await look('10-withdraw');
  await page.getByRole('button', { name: /^Yes, withdraw all \d$/ }).click();
  await expect(page.getByText(say('recover.consents.standing', { count: 0 }))).toBeFocused();
  await look('10-withdrawn');
});

test('the page for an identity that guardians cannot help, too', async ({ page, api }, testInfo) => {
  const { holder } = await api.guarded(1);
  await page.goto(`/recover?domain=${holder.domain}`);
  await onScreen(page, say('recover.helpless.title', { domain: holder.domain }));
  await survey(page, 'recover-2-helpless', testInfo);
});
