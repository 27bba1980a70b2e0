import { expect, sayIn, test } from './people.ts';
import { holdScripts, hydrated, pressAtTakeOver } from './scripts.ts';
import { choice, onScreen, press } from './steps.ts';

const say = sayIn('en');

test('a link to the next step leads there, also when it is pressed at the moment when the scripts take over', async ({
  page,
  api,
}) => {
  const { holder } = await api.guarded();
  const release = await holdScripts(page);
  const wasPressed = await pressAtTakeOver(page, 'main a[href*="step=key"]');
  await page.goto(`/recover?domain=${holder.domain}&step=what`, { waitUntil: 'commit' });
  await onScreen(page, say('recover.what.title'));
  release();
  await onScreen(page, say('keys.choose.title'));
  expect(await wasPressed()).toBe(true);
  await page.goBack();
  await onScreen(page, say('recover.what.title'));
});

test('what was typed before the scripts had come is what is looked up', async ({ page, identity }) => {
  const release = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  const field = page.getByRole('textbox', { name: say('home.lookup.label') });
  await field.fill(identity.domain);
  release();
  await hydrated(field);
  await expect(field).toHaveValue(identity.domain);
  await page.getByRole('button', { name: say('home.lookup.submit') }).click();
  await expect(page.getByRole('heading', { name: identity.domain })).toBeVisible();
});

test('a domain typed on the page where a key is brought is looked up, also before the scripts have come', async ({
  page,
  identity,
}) => {
  const release = await holdScripts(page);
  await page.goto('/sign-in/bring?lang=es', { waitUntil: 'commit' });
  const sayInSpanish = sayIn('es');
  await page.getByRole('textbox', { name: sayInSpanish('signIn.bring.domain') }).fill(identity.domain);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/lang=es&domain=/);
  release();
  await expect(choice(page, sayInSpanish('keys.open.words'))).toBeVisible();
});

test('a name typed before the scripts had come is looked up by the page that registers institutions', async ({
  page,
  identity,
}) => {
  const release = await holdScripts(page);
  await page.goto('/register', { waitUntil: 'commit' });
  const field = page.getByRole('textbox', { name: say('register.domain.label') });
  await field.fill(identity.domain);
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(identity.domain);
  release();
  await expect(page.getByText(say('register.domain.taken', { domain: identity.domain })).first()).toBeVisible();
});

test('a name corrected before the scripts had come is not looked up as it was', async ({ page, identity }) => {
  const release = await holdScripts(page);
  await page.goto('/sign-in/bring?domain=nobody-at-all', { waitUntil: 'commit' });
  const field = page.getByRole('textbox', { name: say('signIn.bring.domain') });
  await field.fill(identity.domain);
  release();
  await hydrated(field);
  await expect(field).toHaveValue(identity.domain);
  await press(page, say('signIn.bring.find'));
  await expect(choice(page, say('keys.open.words'))).toBeVisible();
});

test('a proposal can be begun only once the page knows what is chosen', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto('/institute?step=propose', { waitUntil: 'commit' });
  const first = page.getByRole('radio').first();
  await expect(first).toBeDisabled();
  await expect(page.getByRole('button', { name: say('institute.propose.send') })).toBeDisabled();
  release();
  await first.check();
  await expect(page.getByRole('searchbox')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
});
