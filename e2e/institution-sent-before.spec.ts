import type { Page } from '@playwright/test';
import { keyOfSeed } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { clickButton } from './page-actions.ts';
import { newOpenedKey, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

const HEADER = 'biomarker,value,unit,collected_at';
const SENT = ['BSP-GL-001,101,mg/dL,2026-11-18T08:30:00Z', 'BSP-GL-001,97,mg/dL,2026-11-19T08:30:00Z'];
const NEW = 'BSP-GL-001,92,mg/dL,2026-11-20T08:30:00Z';

const pickFile = (page: Page, rows: readonly string[]) =>
  field(page, t('institution.submit.file.pick')).setInputFiles({
    name: 'a.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([HEADER, ...rows].join('\r\n')),
  });

async function saveReceipts(page: Page): Promise<void> {
  const downloading = page.waitForEvent('download');
  await clickButton(page, t('institution.submit.sending.receipts'));
  await downloading;
}

/** The stored fingerprints of every institution, encrypted. */
const storedEntries = (page: Page) =>
  page.evaluate(async () => {
    const opening = indexedDB.open('perpetua-sent-records', 1);
    await new Promise((resolve) => {
      opening.onsuccess = resolve;
    });
    const reading = opening.result.transaction('fingerprints').objectStore('fingerprints').getAll();
    await new Promise((resolve) => {
      reading.onsuccess = resolve;
    });
    opening.result.close();
    return (reading.result as { key: CryptoKey }[]).map(({ key }) => key.extractable);
  });

test('records that were sent from this browser before are submitted again only on request @desktop @long', async ({
  page,
  api,
}, info) => {
  const key = await newOpenedKey();
  const [holder, clinic] = await Promise.all([api.newHolder(), api.newInstitution(keyOfSeed(key.seed))]);
  const { token } = await api.grant(holder, clinic.id, { intents: ['SUBMIT_RECORD'], categories: ['BSP-GL'] });
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const address = (way: string) => `/institution/submit?${new URLSearchParams({ way, consent: token.token_id })}`;
  const sendFor = (count: number) => t('institution.submit.preview.sendFor', { count, people: 1 });

  await page.goto(address('file'));
  await pickFile(page, SENT);
  await clickButton(page, sendFor(2));
  await unlockKey(page, t);
  await expect(page.getByRole('heading', { name: t('institution.submit.sending.done', { count: 2 }) })).toBeVisible();
  await saveReceipts(page);

  await test.step('from a file, after a reload', async () => {
    await page.goto(address('file'));
    await pickFile(page, [...SENT, NEW]);
    await expect(page.getByText(t('institution.submit.preview.sentBefore', { count: 2 }))).toBeVisible();
    await expect(page.getByText(t('institution.submit.warning.sentBefore'), { exact: true })).toHaveCount(2);
    await checkScreen(page, 'institution-sent-before', info);
    const again = page.getByRole('checkbox', { name: t('institution.submit.preview.withSentBefore', { count: 2 }) });
    await again.check();
    await expect(page.getByRole('button', { name: sendFor(3), exact: true })).toBeVisible();
    await again.uncheck();
    await clickButton(page, sendFor(1));
    await unlockKey(page, t);
    await expect(page.getByRole('heading', { name: t('institution.submit.sending.done', { count: 1 }) })).toBeVisible();
    await saveReceipts(page);
  });

  await test.step('by form', async () => {
    await page.goto(address('form'));
    const send = () =>
      page.getByRole('button', { name: t('institution.submit.entry.send', { count: 1 }), exact: true });
    await page.getByRole('combobox', { name: t('institution.submit.field.biomarker'), exact: true }).fill('BSP-GL-001');
    await field(page, t('institution.submit.field.value')).fill('101');
    await field(page, t('institution.submit.field.unit')).fill('mg/dL');
    const local = await page.evaluate(() => {
      const at = new Date('2026-11-18T08:30:00Z');
      return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
    });
    await field(page, t('institution.submit.field.collected_at')).fill(local.slice(0, 10));
    await field(page, t('institution.submit.field.time')).fill(local.slice(11));
    await clickButton(page, t('institution.submit.entry.add'));
    await expect(page.getByText(t('institution.submit.warning.sentBefore'), { exact: true })).toBeVisible();
    await send().click();
    await expect(page.getByText(t('institution.submit.entry.repeated', { count: 1 }))).toBeVisible();
    await checkScreen(page, 'institution-sent-before-form', info);
    await clickButton(page, t('institution.submit.entry.sendAgain', { count: 1 }));
    await unlockKey(page, t);
    await expect(page.getByRole('heading', { name: t('institution.submit.sending.done', { count: 1 }) })).toBeVisible();
    await saveReceipts(page);
  });

  await test.step('and forgotten with the key', async () => {
    await page.goto('/sign-in');
    expect(await storedEntries(page)).toEqual([false]);
    await page.getByRole('button', { name: t('signIn.known.forgetOf', { domain: clinic.domain }) }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('safety.forget.yes') })
      .click();
    await expect(page.getByRole('button', { name: t('signIn.known.forgetOf', { domain: clinic.domain }) })).toHaveCount(
      0,
    );
    await expect.poll(() => storedEntries(page)).toEqual([]);
  });
});
