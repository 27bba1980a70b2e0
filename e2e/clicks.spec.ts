import type { Page } from '@playwright/test';
import { instituteKeys, keyOfSeed } from './api.ts';
import { addAuthenticator } from './authenticator.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { chooseOption, clickButton, clickLink, expectScreen } from './page-actions.ts';
import { newOpenedKey, newStoredHolder, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true }).locator('visible=true');

/**
 * Counts every press of a person on a page, and on those that it leads to. Typing is not counted, nor what the device asks. The
 * last press may arrive late, so the number is polled; it is exact, so that a press which is not counted fails.
 */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('onPress', () => {
    clicks++;
  });
  const listen = () => {
    const { onPress } = window as unknown as { onPress: () => void };
    addEventListener('pointerdown', () => onPress(), { capture: true });
  };
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => clicks;
}

test('creating an identity takes at most 8 clicks @long', { tag: '@desktop' }, async ({ page }) => {
  await addAuthenticator(page, true);
  const clicks = await countClicks(page);
  await page.goto('/');
  await page
    .getByRole('main')
    .getByRole('link', { name: t('home.hero.create') })
    .first()
    .click();
  await expectScreen(page, t('create.name.title'));
  await expect(page.getByRole('button', { name: t('create.name.next'), exact: true })).toBeEnabled();
  await clickButton(page, t('create.name.next'));
  await expectScreen(page, t('create.public.title'));
  await clickLink(page, t('create.public.next'));
  await clickButton(page, t('session.here.passkeyMake'));
  await clickButton(page, t('create.send.yes'));
  await clickButton(page, t('create.copy.later'));
  await clickLink(page, t('create.done.pages'));
  await expect(page).toHaveURL(/\/me$/);
  await expect.poll(clicks).toBe(7);
});

test('certifying an institution that asked takes at most 5 clicks, and renewing 2 @long', { tag: '@desktop' }, async ({
  page,
  api,
  newUser,
}) => {
  const key = await newOpenedKey();
  const name = `Laboratory ${crypto.randomUUID().slice(0, 13)}`;
  const laboratory = await api.newInstitution(keyOfSeed(key.seed), name, 'LAB');
  await storeIdentity(page, { id: laboratory.id, kind: 'institution', domain: laboratory.domain }, key);
  await page.goto('/institution/certification');
  await clickButton(page, t('institution.certification.ask.open'));
  await unlockKey(page, t);
  await page.getByRole('radio', { name: /^advanced/i }).check();
  await page.getByRole('checkbox', { name: t('scope.category.BSP-HR') }).check();
  await field(page, t('institution.certification.ask.grounds')).fill('ISO 15189, certificate 4711.');
  await clickButton(page, t('institution.certification.ask.send'));
  await expect(page.getByText(t('institution.certification.ask.waiting'))).toBeVisible();

  const [first = ''] = await instituteKeys();
  const institute = await newUser();
  const clicks = await countClicks(institute);
  await institute.goto('/institute');
  await field(institute, t('institute.key.label')).fill(first);
  await clickButton(institute, t('institute.key.use'));
  const asks = institute.getByRole('article').filter({ hasText: laboratory.domain });
  await asks.getByRole('button', { name: t('institute.requests.certify') }).click();
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  await field(institute, t('institute.propose.expires')).fill(soon);
  await clickButton(institute, t('institute.review.next'));
  await clickButton(institute, t('institute.certifying.send'));
  await expect(institute.getByText(t('institute.certifying.done', { name, level: 'ADVANCED' }))).toBeVisible();
  await expect.poll(clicks).toBe(4);

  const renewing = await newUser();
  await renewing.goto('/institute');
  await field(renewing, t('institute.key.label')).fill(first);
  await clickButton(renewing, t('institute.key.use'));
  const ending = renewing.getByRole('row').filter({ hasText: laboratory.domain });
  const renewal = await countClicks(renewing);
  await ending.getByRole('button', { name: t('institute.ending.renew') }).click();
  await clickButton(renewing, t('institute.certifying.send'));
  await expect(renewing.getByText(t('institute.certifying.done', { name, level: 'ADVANCED' }))).toBeVisible();
  await expect.poll(renewal).toBe(2);
});

test('a consent takes at most 8 clicks from its first question, none of which has a default @long', {
  tag: '@desktop',
}, async ({ page, api }) => {
  const name = `Clinic ${crypto.randomUUID().slice(0, 13)}`;
  await api.newInstitution(undefined, name);
  await newStoredHolder(page, api);
  await page.goto('/me/consents/new');
  await clickButton(page, t('session.open'));
  await unlockKey(page, t);
  const clicks = await countClicks(page);
  const option = (title: string) => page.getByLabel(new RegExp(`^${title}`, 'i')).first();
  await page.getByRole('searchbox', { name: t('consents.who.search') }).fill(name);
  await chooseOption(page, name);
  await option(t('scope.intent.READ_RECORDS.name')).check();
  await clickButton(page, t('common.next'));
  await option(t('consents.data.all')).click();
  await option(t('consents.when.any')).click();
  await option(t('consents.long.days', { days: 90 })).click();
  await expectScreen(page, t('consents.review.title', { who: name }));
  await clickButton(page, t('consents.review.give'));
  await expectScreen(page, t('consents.givenTitle'));
  await expect.poll(clicks).toBe(7);
});

test('submitting a file whose columns are known takes at most 4 clicks @long', { tag: '@desktop' }, async ({
  page,
  api,
}) => {
  const key = await newOpenedKey();
  const [holder, clinic] = await Promise.all([api.newHolder(), api.newInstitution(keyOfSeed(key.seed))]);
  await api.grant(holder, clinic.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] });
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const clicks = await countClicks(page);
  await page.goto('/institution/submit');
  await chooseOption(page, t('institution.submit.csv'));
  const rows = [
    'patient,biomarker,value,unit,collected_at',
    `${holder.domain},BSP-GL-001,101,mg/dL,2026-11-18T08:30:00Z`,
  ];
  await field(page, t('institution.submit.file.pick')).setInputFiles({
    name: 'a.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rows.join('\r\n')),
  });
  await clickButton(page, t('institution.submit.preview.sendFor', { count: 1, people: 1 }));
  await unlockKey(page, t);
  await expect(page.getByRole('heading', { name: t('institution.submit.sending.done', { count: 1 }) })).toBeVisible();
  // The file is picked with one more, which the page does not see.
  await expect.poll(clicks).toBe(3);
});
