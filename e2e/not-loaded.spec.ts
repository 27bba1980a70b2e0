import type { Page } from '@playwright/test';
import { keyOfSeed } from './api.ts';
import { checkScreen, saveScreenshot } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { clickButton, clickLink, expectScreen } from './page-actions.ts';
import { keyDialog, newOpenedKey, newStoredHolder, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');
const TITLE = t('common.notLoaded.title');

interface LaterScripts {
  deliver(): Promise<void>;
}

/** Refuses the scripts that are loaded after a page, or only those of them that contain `text`. */
async function withoutLaterScripts(page: Page, address: string, text = ''): Promise<LaterScripts> {
  const html = await (await page.request.get(address)).text();
  const scripts = '**/_next/static/chunks/*.js';
  await page.route(scripts, async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    if (html.includes(name)) return route.continue();
    const script = await route.fetch();
    if (!(await script.text()).includes(text)) return route.fulfill({ response: script });
    await route.abort('connectionreset');
  });
  // Requests in flight are still refused.
  return { deliver: () => page.unrouteAll({ behavior: 'wait' }) };
}

test('creating an identity goes on where a part of the page did not load at first @long', async ({
  page,
  pageErrors,
}, info) => {
  const scripts = await withoutLaterScripts(page, '/create');
  await page.goto('/create');
  await expectScreen(page, t('create.name.title'));
  const field = page.getByLabel(t('create.name.label'), { exact: true });
  await expect(field).toHaveValue(/-\d\d$/);
  const domain = `${await field.inputValue()}.bsp`;
  await expect(page.getByText(t('create.name.free', { domain }))).toBeVisible();
  await clickButton(page, t('create.name.next'));
  await clickLink(page, t('create.public.next'));
  await expect(page.getByText(TITLE)).toBeVisible();
  await saveScreenshot(page, 'not-loaded', info);
  await clickButton(page, t('common.notLoaded.retry'));
  await expect(page.getByText(t('common.notLoaded.again'))).toBeVisible();
  await scripts.deliver();
  await clickButton(page, t('common.notLoaded.retry'));
  await expectScreen(page, t('session.here.title'));
  pageErrors.length = 0;
});

test('creating an identity says that the key could not be made, and makes it after a reload @long', async ({
  page,
  pageErrors,
}, info) => {
  await page.goto('/create');
  await expectScreen(page, t('create.name.title'));
  const field = page.getByLabel(t('create.name.label'), { exact: true });
  await expect(field).toHaveValue(/-\d\d$/);
  await expect(page.getByText(t('create.name.free', { domain: `${await field.inputValue()}.bsp` }))).toBeVisible();
  await clickButton(page, t('create.name.next'));
  await page.evaluate(() => {
    crypto.getRandomValues = () => {
      throw new Error('No random numbers.');
    };
  });
  await clickLink(page, t('create.public.next'));
  await expectScreen(page, t('keys.draft.failed'));
  // The check of the screen asks for random numbers too.
  await page.evaluate(() => Reflect.deleteProperty(crypto, 'getRandomValues'));
  await checkScreen(page, 'key-not-made', info);
  await clickButton(page, t('common.notLoaded.reload'));
  await expectScreen(page, t('session.here.title'));
  pageErrors.length = 0;
});

test('a key is asked for where the dialog did not load at first @long', async ({ page, api, pageErrors }, info) => {
  await newStoredHolder(page, api);
  const scripts = await withoutLaterScripts(page, '/me/safety');
  await page.goto('/me/safety');
  await clickButton(page, t('session.open'));
  const notLoaded = page.getByRole('dialog', { name: TITLE });
  await expect(notLoaded).toBeVisible();
  await checkScreen(page, 'not-loaded-dialog', info);
  await notLoaded.getByRole('button', { name: t('common.notLoaded.cancel') }).click();
  await expect(notLoaded).toBeHidden();
  await clickButton(page, t('session.open'));
  await expect(notLoaded).toBeVisible();
  await scripts.deliver();
  await notLoaded.getByRole('button', { name: t('common.notLoaded.retry') }).click();
  await expect(keyDialog(page, t)).toBeVisible();
  await unlockKey(page, t);
  await expect(page.getByText(t('session.isOpen')).first()).toBeAttached();
  pageErrors.length = 0;
});

test('nothing is sent, and nothing lost, where the receipts could not be shown @long', { tag: '@desktop' }, async ({
  page,
  api,
  pageErrors,
}) => {
  const key = await newOpenedKey();
  const [holder, clinic] = await Promise.all([api.newHolder(), api.newInstitution(keyOfSeed(key.seed))]);
  const { token } = await api.grant(holder, clinic.id, { intents: ['SUBMIT_RECORD'], categories: ['BSP-GL'] });
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const address = `/institution/submit?${new URLSearchParams({ way: 'form', consent: token.token_id })}`;
  // The form is loaded later, too.
  const scripts = await withoutLaterScripts(page, address, 'takenStays');
  await page.goto(address);
  const field = (name: string) => page.getByLabel(name, { exact: true });
  await page.getByRole('combobox', { name: t('institution.submit.field.biomarker'), exact: true }).fill('BSP-GL-001');
  await field(t('institution.submit.field.value')).fill('101');
  await field(t('institution.submit.field.unit')).fill('mg/dL');
  await field(t('institution.submit.field.collected_at')).fill('2026-11-18');
  await clickButton(page, t('institution.submit.entry.add'));
  await clickButton(page, t('institution.submit.entry.send', { count: 1 }));
  await expect(page.getByText(TITLE)).toBeVisible();
  await expect(page.getByText('101 mg/dL')).toBeVisible();
  await scripts.deliver();
  await clickButton(page, t('common.notLoaded.retry'));
  await unlockKey(page, t);
  await expect(page.getByRole('heading', { name: t('institution.submit.sending.done', { count: 1 }) })).toBeVisible();
  pageErrors.length = 0;
});
