import { keyOfSeed } from './api.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { clickButton } from './page-actions.ts';
import { newOpenedKey, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('a FHIR file is parsed in a worker, reviewed as rows, and submitted @desktop @long', async ({ page, api }) => {
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

test('Stop ends the worker while it reads a large file, and a late answer changes nothing @desktop @long', async ({
  page,
  api,
}) => {
  const key = await newOpenedKey();
  const clinic = await api.newInstitution(keyOfSeed(key.seed));
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  // Holds the answers of workers back until the test lets them go: on a fast machine one could come before Stop.
  await page.addInitScript(() => {
    let isHolding = true;
    const held: (() => void)[] = [];
    addEventListener('release-answers', () => {
      isHolding = false;
      for (const release of held.splice(0)) release();
    });
    const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage') ?? {};
    Object.defineProperty(Worker.prototype, 'onmessage', {
      set(this: Worker, listener: (event: MessageEvent) => void) {
        set?.call(this, (event: MessageEvent) => {
          if (isHolding && 'result' in event.data) held.push(() => listener.call(this, event));
          else listener.call(this, event);
        });
      },
    });
  });
  await page.goto('/institution/submit?way=file');
  const pick = async (resources: number) => {
    const line = JSON.stringify({
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: 'http://loinc.org', code: '4548-4' }] },
      subject: { reference: 'Patient/1' },
      effectiveDateTime: '2026-02-17',
      valueQuantity: { value: 6.1, unit: '%' },
    });
    const started = page.waitForEvent('worker');
    await page.getByLabel(t('institution.submit.file.pick'), { exact: true }).setInputFiles({
      name: 'a.ndjson',
      mimeType: 'application/fhir+ndjson',
      buffer: Buffer.from(`${line}\n`.repeat(resources)),
    });
    return started;
  };
  const review = page.getByRole('heading', { name: t('institution.submit.preview.title') });

  const worker = await pick(30_000);
  const closed = worker.waitForEvent('close');
  await expect(page.getByRole('progressbar')).not.toHaveAttribute('value', '0');
  await clickButton(page, t('institution.submit.file.stop'));
  await closed;
  await page.evaluate(() => dispatchEvent(new Event('release-answers')));
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(page.getByLabel(t('institution.submit.file.pick'), { exact: true })).toHaveValue('');
  await expect(review).toHaveCount(0);

  await pick(3);
  await expect(review).toBeVisible();
});
