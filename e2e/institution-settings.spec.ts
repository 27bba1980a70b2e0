import { keyOfSeed, newKey } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { clickButton } from './page-actions.ts';
import { newOpenedKey, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('an institution sets its recovery contacts, changes them, and removes them @desktop @long', async ({
  page,
  api,
}, info) => {
  const key = await newOpenedKey();
  const clinic = await api.newInstitution(keyOfSeed(key.seed));
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const bensKey = newKey().publicKey;

  await page.goto('/institution/key');
  const section = page.locator('#recovery');
  const person = (role: 'primary' | 'secondary' | 'tertiary') =>
    section.getByRole('group', { name: t(`institution.settings.recovery.person.${role}`) });
  const field = (role: 'primary' | 'secondary' | 'tertiary', name: 'name' | 'contact' | 'publicKey') =>
    person(role).getByLabel(t(`institution.settings.recovery.${name}`), { exact: true });
  await expect(section.getByText(t('institution.settings.recovery.notYet'))).toBeVisible();
  await clickButton(page, t('institution.settings.recovery.nameSome'));
  await field('primary', 'name').fill('Ada');
  await field('primary', 'contact').fill('ada@example.org');
  await field('secondary', 'name').fill('Ben');
  await field('secondary', 'contact').fill('+55 11 91234-5678');
  await field('secondary', 'publicKey').fill(bensKey.slice(1));
  await clickButton(page, t('institution.settings.recovery.save'));
  await expect(field('secondary', 'publicKey')).toBeFocused();
  await expect(page.getByText(t('institution.settings.recovery.problem.publicKey'))).toBeVisible();
  await checkScreen(page, 'institution-recovery', info);
  await field('secondary', 'publicKey').fill(bensKey);
  await clickButton(page, t('institution.settings.recovery.save'));
  await unlockKey(page, t);
  await expect(section.getByText(t('institution.settings.recovery.saved'))).toBeVisible();
  await expect(section.getByText(bensKey.slice(0, 8)).first()).toBeVisible();
  await checkScreen(page, 'institution-recovery-saved', info);
  const guardians = async () => {
    const { ieo } = await (await api.get(`/api/ieos/${clinic.id}`)).json();
    return ieo.recovery.guardians.map((guardian: { role: string; public_key: string | null }) => [
      guardian.role,
      guardian.public_key,
    ]);
  };
  expect(await guardians()).toEqual([
    ['primary', null],
    ['secondary', bensKey],
  ]);

  await clickButton(page, t('institution.settings.recovery.change'));
  await clickButton(page, t('institution.settings.recovery.another'));
  for (const role of ['primary', 'secondary', 'tertiary'] as const) {
    await field(role, 'name').fill(role);
    await field(role, 'contact').fill(`${role}@example.org`);
  }
  await clickButton(page, t('institution.settings.recovery.save'));
  await expect.poll(guardians).toEqual([
    ['primary', null],
    ['secondary', null],
    ['tertiary', null],
  ]);

  await clickButton(page, t('institution.settings.recovery.remove'));
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: t('institution.settings.recovery.removeYes') }).click();
  await expect(section.getByText(t('institution.settings.recovery.removed'))).toBeVisible();
  expect(await guardians()).toEqual([]);
});
