import { linkFor, newKey } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, ignorePageErrors, openWithStatus, test, translatorFor } from './fixtures.ts';
import { PASSPHRASE } from './key-files.ts';
import { clickButton } from './page-actions.ts';
import { newStoredHolder, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('a holder cancels a recovery where it is announced and on its page, twice in seven days', async ({
  page,
  api,
  pageErrors,
}, info) => {
  const holder = await newStoredHolder(page, api);
  const guardians = [];
  for (const role of ['primary', 'secondary']) guardians.push(await api.accept(holder, await api.invite(holder, role)));
  const [guardian] = guardians;
  if (!guardian) throw new Error('There are two guardians.');
  const confirmed = async () => {
    const stranger = newKey();
    const request = await api.requestRecovery(holder, stranger.publicKey);
    await api.confirmRecovery(holder, linkFor(request, 'primary'), stranger.publicKey, guardian);
    return request;
  };
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const open = async () => (await api.identity(holder.id)).active_recovery;

  const first = await confirmed();
  await page.goto('/me/safety');
  await clickButton(page, t('dashboard.cancelRecovery.action'));
  await expect(dialog(t('dashboard.cancelRecovery.title', { domain: holder.domain }))).toBeVisible();
  await checkScreen(page, 'cancel-recovery', info);
  await clickButton(page, t('dashboard.cancelRecovery.yes'));
  await unlockKey(page, t, PASSPHRASE);
  const done = dialog(t('dashboard.cancelRecovery.doneTitle'));
  await expect(done).toBeVisible();
  await checkScreen(page, 'cancel-recovery-done', info);
  await done
    .getByRole('button', { name: t('dashboard.cancelRecovery.close') })
    .last()
    .click();
  await expect(page.getByRole('button', { name: t('dashboard.cancelRecovery.action'), exact: true })).toHaveCount(0);
  expect(await open()).toBe(null);

  await confirmed();
  await page.goto('/me/guardians?step=request');
  await clickButton(page, t('dashboard.cancelRecovery.yes'));
  await unlockKey(page, t, PASSPHRASE);
  await expect(page.getByText(t('myGuardians.outcome.cancelled')).first()).toBeVisible();
  expect(await open()).toBe(null);

  await confirmed();
  await page.goto('/me/guardians?step=request');
  await clickButton(page, t('dashboard.cancelRecovery.yes'));
  await unlockKey(page, t, PASSPHRASE);
  await expect(page.getByText(t('dashboard.cancelRecovery.tooMany'))).toBeVisible();
  await checkScreen(page, 'cancel-recovery-refused', info);
  expect(await open()).toMatchObject({ confirmations: 1 });
  ignorePageErrors(pageErrors, 'status of 409');

  await openWithStatus(page, pageErrors, linkFor(first, 'secondary'), 410);
  await expect(page.getByText(t('confirm.cancelled.title'))).toBeVisible();
});
