import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import Papa from 'papaparse';
import { keyOfSeed, newKey } from './api.ts';
import { measured, submitted } from './health-records.ts';
import { expect, pardon, sayIn, test } from './people.ts';
import { newOpenedKey, PASSPHRASE, rememberIn } from './signed-in.ts';
import { choice, choose, onScreen, passphrase, press } from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');

test('an institution exports what a consent allows, and is told when the consent was withdrawn', async ({
  page,
  api,
  request,
  complaints,
}, info) => {
  const key = await newOpenedKey();
  const [holder, clinic] = await Promise.all([api.newHolder(), api.newInstitution(keyOfSeed(key.seed))]);
  const scope = { intents: ['SUBMIT_RECORD', 'EXPORT_DATA'], categories: ['*'] };
  const { token } = await api.grant(holder, clinic.id, scope);
  const other = await api.newHolder();
  await api.grant(other, clinic.id);
  const [first = ''] = await submitted(request, clinic, holder, token.token_id, [measured(425, '2026-01-10')]);
  await submitted(request, clinic, holder, token.token_id, [measured('42.50', '2026-01-10', { supersedes: first })]);
  await rememberIn(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);

  await page.goto('/institution/consents');
  const card = page.getByRole('article').filter({ hasText: holder.domain });
  await card.getByRole('link', { name: say('institution.consents.export'), exact: true }).click();
  await onScreen(page, say('institution.export.title'));
  await press(page, say('institution.choose.another'));
  // Only the consent that allows it is offered.
  await expect(choice(page, holder.domain)).toBeVisible();
  await expect(choice(page, other.domain)).toHaveCount(0);
  await survey(page, 'institution-export-choose', info);
  await choose(page, holder.domain);
  await expect(page.getByText(say('exporting.careful', { whose: 'others' }))).toBeVisible();
  await page.getByLabel(new RegExp(`^${say('exporting.format.CSV.name')}`)).check();
  await survey(page, 'institution-export', info);
  await press(page, say('exporting.make'));
  await unlock(page);
  await expect(page.getByText(say('exporting.ready.what', { count: 2 }))).toBeVisible();
  await survey(page, 'institution-export-ready', info);
  const save = page.getByRole('link', { name: say('exporting.ready.save') });
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${holder.domain}-records-.*\\.csv$`));
  const text = await readFile(await download.path(), 'utf8');
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  expect(data.map(({ value, status }) => [value, status]).sort()).toEqual([
    ['42.50', 'ACTIVE'],
    ['425', 'SUPERSEDED'],
  ]);

  await press(page, say('exporting.ready.another'));
  await api.revoke(holder, token.token_id);
  await page.getByLabel(new RegExp(`^${say('exporting.format.JSON.name')}`)).check();
  await press(page, say('exporting.make'));
  await expect(page.getByText(say('institution.read.problem.TOKEN_REVOKED'))).toBeVisible();
  await pardon(complaints, 'status of 401');
});

test('an institution names people for a recovery, changes them, and removes them', async ({ page, api }, info) => {
  const key = await newOpenedKey();
  const clinic = await api.newInstitution(keyOfSeed(key.seed));
  await rememberIn(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const bens = newKey().publicKey;

  await page.goto('/institution/settings');
  const part = page.locator('#recovery');
  const person = (role: 'primary' | 'secondary' | 'tertiary') =>
    part.getByRole('group', { name: say(`institution.settings.recovery.person.${role}`) });
  const field = (role: 'primary' | 'secondary' | 'tertiary', name: 'name' | 'contact' | 'publicKey') =>
    person(role).getByLabel(say(`institution.settings.recovery.${name}`), { exact: true });
  await expect(part.getByText(say('institution.settings.recovery.notYet'))).toBeVisible();
  await press(page, say('institution.settings.recovery.nameSome'));
  await field('primary', 'name').fill('Ada');
  await field('primary', 'contact').fill('ada@example.org');
  await field('secondary', 'name').fill('Ben');
  await field('secondary', 'contact').fill('+55 11 91234-5678');
  await field('secondary', 'publicKey').fill(bens.slice(1));
  await press(page, say('institution.settings.recovery.save'));
  await expect(field('secondary', 'publicKey')).toBeFocused();
  await expect(page.getByText(say('institution.settings.recovery.problem.publicKey'))).toBeVisible();
  await survey(page, 'institution-recovery', info);
  await field('secondary', 'publicKey').fill(bens);
  await press(page, say('institution.settings.recovery.save'));
  await unlock(page);
  await expect(part.getByText(say('institution.settings.recovery.saved'))).toBeVisible();
  await expect(part.getByText(bens.slice(0, 8)).first()).toBeVisible();
  await survey(page, 'institution-recovery-saved', info);
  const guardians = async () => {
    const { ieo } = await (await api.get(`/api/ieos/${clinic.id}`)).json();
    return ieo.recovery.guardians.map((one: { role: string; public_key: string | null }) => [one.role, one.public_key]);
  };
  expect(await guardians()).toEqual([
    ['primary', null],
    ['secondary', bens],
  ]);

  await press(page, say('institution.settings.recovery.change'));
  await press(page, say('institution.settings.recovery.another'));
  for (const role of ['primary', 'secondary', 'tertiary'] as const) {
    await field(role, 'name').fill(role);
    await field(role, 'contact').fill(`${role}@example.org`);
  }
  await press(page, say('institution.settings.recovery.save'));
  await expect.poll(guardians).toEqual([
    ['primary', null],
    ['secondary', null],
    ['tertiary', null],
  ]);

  await press(page, say('institution.settings.recovery.remove'));
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: say('institution.settings.recovery.removeYes') }).click();
  await expect(part.getByText(say('institution.settings.recovery.removed'))).toBeVisible();
  expect(await guardians()).toEqual([]);
});

/** Types the passphrase that opens the key of this browser. */
async function unlock(page: Page): Promise<void> {
  await passphrase(page, say).fill(PASSPHRASE);
  await press(page, say('session.unlock.open'));
  await expect(page.getByRole('dialog')).toBeHidden();
}
