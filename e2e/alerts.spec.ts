import { newKey } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { test as base, expect, openWithStatus, translatorFor } from './fixtures.ts';
import { PASSPHRASE } from './key-files.ts';
import { type Mailbox, openMailbox } from './mail-server.ts';
import { clickButton, clickLink, expectScreen } from './page-actions.ts';
import { startProduct } from './product.ts';
import { newStoredHolder, unlockKey } from './stored-identity.ts';

/** A product of its own, because the others send no mail. */
const test = base.extend<object, { site: { readonly url: string; readonly mailbox: Mailbox } }>({
  site: [
    async ({ browserName: _ }, use, { project }) => {
      const mailbox = await openMailbox();
      const mail = { SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`, MAIL_FROM: 'Perpetua <alerts@example.org>' };
      const { baseUrl, stop } = await startProduct(mail, `${project.outputDir}/alerts-server.log`);
      process.env.LEDGER_ID = (await (await fetch(`${baseUrl}/api/ledger`)).json()).ledger_id;
      await use({ url: baseUrl, mailbox });
      await stop();
      await mailbox.stop();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
});

const t = translatorFor('en');
const linkIn = (text = '', path: RegExp): string => new URL(path.exec(text)?.[0] ?? 'http://none/').pathname;

test('a holder sets up alerts, is told of a recovery at once, and stops it @long', async ({
  page,
  api,
  newUser,
  site,
}, info) => {
  const holder = await newStoredHolder(page, api);
  for (const role of ['primary', 'secondary']) await api.accept(holder, await api.invite(holder, role));
  const address = `holder-${Date.now()}@mail.example`;

  await page.goto('/me/safety');
  await clickLink(page, t('safety.alerts.manage'));
  await expectScreen(page, t('alerts.title'));
  await checkScreen(page, 'alerts-locked', info);
  await clickButton(page, t('alerts.open'));
  await unlockKey(page, t, PASSPHRASE);
  await page.getByLabel(t('alerts.add'), { exact: true }).fill('no address');
  await clickButton(page, t('alerts.save'));
  await expect(page.getByText(t('alerts.wrong'))).toBeVisible();
  await page.getByLabel(t('alerts.add'), { exact: true }).fill(address);
  await clickButton(page, t('alerts.save'));
  await expect(page.getByText(t('alerts.saved'))).toBeVisible();
  await expect(page.getByText(address)).toBeVisible();
  await checkScreen(page, 'alerts-pending', info);

  // Another device, whose mail program opens the link first.
  const invitation = await site.mailbox.mail(address, t('letters.alertConfirm.subject'));
  const link = linkIn(invitation.text, /http\S+\/a\/\S+/);
  const reader = await newUser();
  await reader.goto(link);
  await reader.reload();
  await expectScreen(reader, t('alerts.link.askTitle', { domain: holder.domain }));
  await expect(reader.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
  await checkScreen(reader, 'alerts-ask', info);
  await clickButton(reader, t('alerts.link.confirm'));
  await expectScreen(reader, t('alerts.link.doneTitle', { domain: holder.domain }));
  await checkScreen(reader, 'alerts-confirmed-link', info);

  await page.goto('/me/alerts');
  await clickButton(page, t('alerts.open'));
  await unlockKey(page, t, PASSPHRASE);
  await expect(page.getByText(t('alerts.status.CONFIRMED'), { exact: true })).toBeVisible();
  await checkScreen(page, 'alerts-confirmed', info);

  await api.requestRecovery(holder, newKey().publicKey);
  const told = await site.mailbox.mail(address, t('letters.alertRecoveryRequested.subject'));
  expect(told.text).toContain(holder.domain);
  await page.goto(linkIn(told.text, /http\S+\/me\/\S+/));
  await clickButton(page, t('myGuardians.names.show'));
  await unlockKey(page, t, PASSPHRASE);
  await clickLink(page, t('myGuardians.underway.action'));
  await expectScreen(page, t('myGuardians.request.title', { domain: holder.domain }));
  await checkScreen(page, 'alerts-request', info);
  await clickButton(page, t('dashboard.cancelRecovery.yes'));
  await expect(page.getByText(t('myGuardians.outcome.cancelled')).first()).toBeVisible();
  await expect(page.getByRole('link', { name: t('myGuardians.underway.action') })).toHaveCount(0);

  await page.goto('/me/alerts');
  await clickButton(page, t('alerts.open'));
  await unlockKey(page, t, PASSPHRASE);
  await clickButton(page, t('alerts.removeLabel', { address }));
  await clickButton(page, t('alerts.save'));
  await site.mailbox.mail(address, t('letters.alertLeaving.subject'));
  await expect(page.getByText(address)).toBeVisible();
  await checkScreen(page, 'alerts-leaving', info);
});

test('an unknown link says so, and does not confirm @long', async ({ newUser, pageErrors, site: _ }) => {
  const page = await newUser({ locale: 'es', javaScriptEnabled: false });
  await openWithStatus(page, pageErrors, `/a/${'A'.repeat(43)}`, 404);
  await expectScreen(page, translatorFor('es')('alerts.link.unknownTitle'));
});
