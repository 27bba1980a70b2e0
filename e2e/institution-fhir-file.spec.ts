import { keyOfSeed } from './api.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { clickButton } from './page-actions.ts';
import { newOpenedKey, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('a FHIR file is parsed in a worker, reviewed as rows, and submitted @desktop', async ({ page, api }) => {
  const key = await newOpenedKey();
  const [holder, clinic] = await Promise.all([api.newHolder(), api.newInstitution(keyOfSeed(key.seed))]);
  await api.grant(holder, clinic.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] });
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const observation = {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '4548-4' }] },
    subject: { reference: 'Patient/1' },
    effectiveDateTime: '2026-02-17',
    valueQuantity: { value: 6.1, unit: '%', system: 'http://unitsofmeasure.org', code: '%' },
  };
  const resources = [
    { resourceType: 'Patient', id: '1', identifier: [{ value: 'unknown here' }, { value: holder.domain }] },
    { ...observation, id: 'good', note: [{ text: 'fasting' }] },
    { ...observation, id: 'early', status: 'preliminary' },
  ];
  await page.goto('/institution/submit?way=file');
  const worker = page.waitForEvent('worker');
  await page.getByLabel(t('institution.submit.file.pick'), { exact: true }).setInputFiles({
    name: 'a.ndjson',
    mimeType: 'application/fhir+ndjson',
    buffer: Buffer.from(resources.map((resource) => JSON.stringify(resource)).join('\n')),
  });
  await worker;
  const note = { path: 'Observation/early.status', detail: 'preliminary' };
  await expect(page.getByText(t('institution.submit.fhir.status', note)).first()).toBeVisible();
  await expect(page.getByText('Observation.note')).toBeVisible();
  await clickButton(page, t('institution.submit.preview.sendFor', { count: 1, people: 1 }));
  await unlockKey(page, t);
  await expect(page.getByRole('heading', { name: t('institution.submit.sending.done', { count: 1 }) })).toBeVisible();
});
