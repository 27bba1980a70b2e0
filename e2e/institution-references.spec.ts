import type { Page } from '@playwright/test';
import { keyOfSeed } from './api.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { clickButton, expectScreen } from './page-actions.ts';
import { newOpenedKey, storeIdentity } from './stored-identity.ts';

const t = translatorFor('en');

interface Held {
  isHeld?: boolean;
  release?: () => void;
}

/** Makes the encryption of this tab wait, after what is stored was read. */
const holdEncryption = (page: Page) =>
  page.evaluate(() => {
    const tab = window as unknown as Held;
    const released = new Promise<void>((resolve) => {
      tab.release = resolve;
    });
    const { encrypt } = crypto.subtle;
    crypto.subtle.encrypt = async (...given) => {
      tab.isHeld = true;
      await released;
      return encrypt.apply(crypto.subtle, given);
    };
  });

test('references that two tabs save at once are both kept @desktop @long', async ({ page, api }) => {
  const key = await newOpenedKey();
  const clinic = await api.newInstitution(keyOfSeed(key.seed));
  const holders = [await api.newHolder(), await api.newHolder()] as const;
  for (const holder of holders)
    await api.grant(holder, clinic.id, { intents: ['SUBMIT_RECORD'], categories: ['BSP-GL'] });
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const tabs = [page, await page.context().newPage()] as const;
  const saved = t('institution.reference.saved');
  const save = async (tab: Page, index: 0 | 1) => {
    await tab.getByLabel(t('institution.reference.label')).fill(`Ward ${index}`);
    await clickButton(tab, t('institution.reference.save'));
  };
  for (const [index, tab] of tabs.entries()) {
    await tab.goto('/institution/consents');
    await expectScreen(tab, t('institution.consents.title'));
    await tab.getByRole('button', { name: holders[index]?.domain ?? '', exact: true }).click();
  }
  await holdEncryption(tabs[0]);
  await save(tabs[0], 0);
  await tabs[0].waitForFunction(() => (window as unknown as Held).isHeld);
  await save(tabs[1], 1);
  // Until the other tab waits for its turn, or is through.
  await tabs[1].waitForFunction(async (text) => {
    const { pending = [] } = await navigator.locks.query();
    return pending.some(({ name }) => name === 'perpetua-references') || document.body.textContent?.includes(text);
  }, saved);
  await tabs[0].evaluate(() => (window as unknown as Held).release?.());
  for (const tab of tabs) await expect(tab.getByText(saved)).toBeVisible();
  await page.reload();
  for (const index of [0, 1]) await expect(page.getByRole('cell', { name: `Ward ${index}` })).toBeVisible();
});
