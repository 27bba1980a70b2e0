import { checkScreen } from './check-screen.ts';
import { expect, newClientAddress, test, translatorFor } from './fixtures.ts';
import { newStoredHolderWithRecords } from './health-records.ts';
import { clickButton } from './page-actions.ts';
import { unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test(
  'a holder sees every use of a consent that was used more than 1,000 times',
  { tag: ['@desktop', '@long'] },
  async ({ page, api, request, baseURL }, info) => {
    const { holder, lab } = await newStoredHolderWithRecords(page, api, request);
    const { token } = await api.grant(holder, lab.id, { intents: ['READ_RECORDS'], categories: ['*'] });
    const read = async () => {
      const signed = lab.key.sign('readRecords', { targetBeo: holder.id, consentToken: token.token_id });
      const query = Object.entries(signed).map(([name, value]) => [name, String(value)]);
      const address = `${baseURL}/api/exchange/records?${new URLSearchParams([...query, ['limit', '1']])}`;
      // fetch is several times as fast as Playwright's request.
      expect((await fetch(address, { headers: newClientAddress() })).status).toBe(200);
    };
    for (let done = 0; done < 1_000; done += 25) await Promise.all(Array.from({ length: 25 }, read));

    await page.goto('/me/access');
    await clickButton(page, t('access.action'));
    await unlockKey(page, t);
    await expect(page.getByText(t('access.totalSoFar', { count: 1_000 }))).toBeVisible();
    await expect(page.getByText(t('access.kind.submit', { count: 5 }))).toHaveCount(0);
    await checkScreen(page, 'access-older', info);
    await clickButton(page, t('access.older'));
    await expect(page.getByText(t('access.whole', { count: 1_002 }))).toBeFocused();
    await expect(page.getByText(t('access.total', { count: 1_002 }), { exact: true })).toBeVisible();
    await expect(page.getByText(t('access.kind.submit', { count: 5 }))).toBeVisible();
    await expect(page.getByRole('button', { name: t('access.older') })).toHaveCount(0);

    // The consent of the laboratory lets the holder's own key read too.
    await page
      .getByRole('link', { name: t('dashboard.holder.records') })
      .first()
      .click();
    await expect(page.getByRole('link', { name: 'Vitamin D (25-OH D3)' })).toBeVisible();
  },
);
