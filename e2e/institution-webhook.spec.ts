import { keyOfSeed } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { clickButton } from './page-actions.ts';
import { newOpenedKey, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('an institution sees how its webhook is doing, tests it, pauses it and resumes it @desktop', async ({
  page,
  api,
}, info) => {
  const key = await newOpenedKey();
  const clinic = await api.newInstitution(keyOfSeed(key.seed));
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);

  await page.goto('/institution/settings');
  const section = page.locator('#webhook');
  await expect(section).toHaveCount(0);
  // No server has this name (RFC 6761), so that nothing is sent.
  await page.getByLabel(t('institution.settings.contacts.webhook'), { exact: true }).fill('https://hooks.invalid/hook');
  await clickButton(page, t('institution.settings.contacts.save'));
  await unlockKey(page, t);
  await expect(page.getByText(t('institution.settings.contacts.saved'))).toBeVisible();

  await clickButton(page, t('institution.settings.webhook.show'));
  await expect(section.getByText(t('institution.settings.webhook.status.ACTIVE'), { exact: true })).toBeVisible();
  await expect(section.getByText(t('institution.settings.webhook.waitingCount', { count: 0 }))).toBeVisible();
  await clickButton(page, t('institution.settings.webhook.test'));
  await expect(section.getByText(t('institution.settings.webhook.done.test'))).toBeVisible();
  const log = section.getByRole('listitem');
  await expect(log.getByText('webhook.test')).toBeVisible();
  await clickButton(page, t('institution.settings.webhook.payload'));
  await expect(section.getByRole('figure', { name: t('institution.settings.webhook.message') })).toContainText(
    clinic.id,
  );
  await section.locator('summary').click();
  await section.getByLabel(t('institution.settings.webhook.sampleType')).selectOption('records.superseded');
  await expect(section.getByText(/"record_id":/)).toBeVisible();
  await checkScreen(page, 'institution-webhook', info);
  await section.getByLabel(t('institution.settings.webhook.filter')).selectOption('failed');
  await expect(log).toHaveCount(1);
  await expect(page).toHaveURL(/[?&]requests=failed$/);

  await clickButton(page, t('institution.settings.webhook.pause'));
  await expect(section.getByText(t('institution.settings.webhook.paused.REQUESTED'))).toBeVisible();
  await clickButton(page, t('institution.settings.webhook.resume'));
  await expect(section.getByText(t('institution.settings.webhook.status.ACTIVE'), { exact: true })).toBeVisible();
});

test('an institution has an event sent again, and everything from it on @desktop @long', async ({
  page,
  api,
}, info) => {
  const key = await newOpenedKey();
  const clinic = await api.newInstitution(keyOfSeed(key.seed));
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  await api.setWebhook(clinic, process.env.WEBHOOK_URL ?? '');
  const holder = await api.newHolder();
  await api.grant(holder, clinic.id);
  await api.lock(holder);

  await page.goto('/institution/settings');
  const section = page.locator('#webhook');
  const granted = section.getByRole('listitem').filter({ hasText: 'consent.granted' });
  const locked = section.getByRole('listitem').filter({ hasText: 'beo.locked' });
  await clickButton(page, t('institution.settings.webhook.show'));
  await unlockKey(page, t);
  /** Reads again until so many requests of each kind were answered. */
  const expectAnswers = (ofGranted: number, ofLocked: number) =>
    expect(async () => {
      await clickButton(page, t('institution.settings.webhook.refresh'));
      await expect(granted).toHaveCount(ofGranted, { timeout: 2_000 });
      await expect(locked).toHaveCount(ofLocked, { timeout: 2_000 });
    }).toPass();
  await expectAnswers(1, 1);
  await checkScreen(page, 'institution-webhook-events', info);

  await granted.getByRole('button', { name: t('institution.settings.webhook.payload') }).click();
  await expect(granted.getByRole('figure')).toContainText(/"type": "consent.granted"/);
  await section.getByLabel(t('institution.settings.webhook.filter')).selectOption('beo.locked');
  await expect(granted).toHaveCount(0);
  await section.getByLabel(t('institution.settings.webhook.filter')).selectOption('');

  await granted.getByRole('button', { name: t('institution.settings.webhook.resend'), exact: true }).click();
  await expect(section.getByText(t('institution.settings.webhook.done.resend'))).toBeVisible();
  await expectAnswers(2, 1);

  await granted
    .last()
    .getByRole('button', { name: t('institution.settings.webhook.replay') })
    .click();
  await expect(section.getByText(t('institution.settings.webhook.done.replay'))).toBeVisible();
  await expectAnswers(3, 2);
});
