import { canonicalJson } from '../protocol/signing/canonical-json.ts';
import { signBytes } from '../protocol/signing/ed25519.ts';
import { hexToBytes, toBase64, utf8ToBytes } from '../protocol/signing/encoding.ts';
import vectors from '../protocol/vectors/messages.json' with { type: 'json' };
import { expect, test } from './fixtures.ts';

test('a field is found from any page, and a signature over JSON with spaces is explained without the text that was signed @desktop @long', async ({
  page,
}) => {
  await page.goto('/developers/errors');
  await page.getByRole('searchbox', { name: 'Search requests, fields and error codes' }).fill('expiresInDays');
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByRole('link', { name: 'expiresInDays' }).first().click();
  await expect(page).toHaveURL(/\/developers\/grantConsent#request-expiresInDays$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Grant a consent' })).toBeVisible();
  const navigation = page.getByRole('navigation', { name: 'API reference' });
  await expect(navigation.locator('[aria-current=page]')).toHaveText('Grant a consent');

  await navigation.getByRole('link', { name: 'Check a signature' }).click();
  const vector = vectors.cases.find(({ operation }) => operation === 'createBEO');
  const { signature: _, ...fields } = JSON.parse(vector?.body ?? '');
  const right = canonicalJson({ function: 'createBEO', ...fields });
  const signed = right.replaceAll('":', '": ').replaceAll(',"', ', "');
  const signature = toBase64(signBytes(hexToBytes(vector?.secretKey ?? ''), utf8ToBytes(signed)));
  await page.getByLabel('Request', { exact: true }).selectOption('createBEO');
  await page.getByLabel('Body').fill(JSON.stringify({ ...fields, signature }));
  await page.getByLabel('Public key').fill(vector?.publicKey ?? '');
  await page.getByRole('button', { name: 'Check the signature' }).click();
  await expect(page.getByText('as Python writes it')).toBeVisible();
  await expect(page.getByText('The messages differ first at byte 10,')).toContainText('was worked out');
});

test('on a phone the navigation of the API reference opens as a popover @long', async ({ page }) => {
  await page.goto('/developers');
  const navigation = page.getByRole('navigation', { name: 'API reference' });
  await expect(navigation).toBeHidden();
  await page.getByRole('button', { name: 'All pages and search' }).click();
  await navigation.getByRole('link', { name: 'Error codes' }).click();
  await expect(page).toHaveURL(/\/developers\/errors$/);
  await expect(navigation).toBeHidden();
});
