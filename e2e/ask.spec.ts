import type { Page } from '@playwright/test';
import { consentRequestText, readConsentRequest } from '../protocol/consent-request.ts';
import { type Fields, type Institution, keyOfSeed } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, ignorePageErrors, newClientAddress, test, translatorFor } from './fixtures.ts';
import { PASSPHRASE } from './key-files.ts';
import { clickButton, clickLink, expectScreen, NEW_PASSPHRASE, pageCountOf, passphraseField } from './page-actions.ts';
import { newOpenedKey, newStoredHolder, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');
const DAY = 86_400_000;

function ask(institution: Institution, more: Fields = {}, signer = institution): string {
  const { signature, ...message } = signer.key.sign('askConsent', {
    ieoId: institution.id,
    scope: { intents: ['SUBMIT_RECORD', 'READ_RECORDS'], categories: ['BSP-HM', 'BSP-CV'] },
    expiresInDays: 30,
    purpose: 'To prepare your appointment.',
    reference: 'A-1234',
    validUntil: new Date(Date.now() + 7 * DAY).toISOString(),
    once: true,
    ...more,
  });
  return consentRequestText({ function: 'askConsent', ...message }, String(signature));
}

/** Opens a request as a new visit: a change after # alone loads nothing. */
async function open(page: Page, text: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`/ask#${text}`);
}

const problem = (
  page: Page,
  name: 'unreadable' | 'altered' | 'elsewhere' | 'ended' | 'used' | 'unknown' | 'revoked' | 'suspended',
) => expectScreen(page, t(`ask.problem.${name}.title`));

async function eventsOf(page: Page, { id, key }: Institution) {
  const signed = key.sign('readEvents', { ieoId: id });
  const headers = {
    ...newClientAddress(),
    'x-signature': String(signed.signature),
    'x-nonce': String(signed.nonce),
    'x-timestamp': String(signed.timestamp),
    'x-ledger-id': String(signed.ledgerId),
  };
  const answer = await page.request.get(`/api/events?ieoId=${id}`, { headers });
  return (await answer.json()).events as { type: string; data: Fields }[];
}

test('a person narrows what an institution asks for and gives the consent, once, and the event has the reference', async ({
  page,
  api,
}, info) => {
  const clinic = await api.newInstitution(undefined, 'Clinic of the Hills');
  await newStoredHolder(page, api);
  const text = ask(clinic);
  await open(page, text);
  await expectScreen(page, t('ask.title', { who: 'Clinic of the Hills' }));
  await expect(page.getByText(clinic.domain)).toBeVisible();
  await expect(page.getByText('To prepare your appointment.')).toBeVisible();
  await expect(page.getByText(t('ask.unusual.uncertified'))).toBeVisible();
  await checkScreen(page, 'ask', info);
  await clickButton(page, t('ask.look'));
  await expectScreen(page, t('consents.may.title', { who: 'Clinic of the Hills' }));
  await expect(page.getByRole('checkbox')).toHaveCount(2);
  await page.getByRole('checkbox', { name: t('scope.intent.SUBMIT_RECORD.name') }).uncheck();
  await checkScreen(page, 'ask-may', info);
  await clickButton(page, t('common.next'));
  await expectScreen(page, t('consents.data.title'));
  await expect(page.getByRole('checkbox')).toHaveCount(2);
  await page.getByRole('checkbox', { name: t('scope.category.BSP-CV') }).uncheck();
  await clickButton(page, t('common.next'));
  await expectScreen(page, t('consents.when.title'));
  await clickButton(page, t('common.next'));
  await expectScreen(page, t('consents.long.title'));
  await expect(page.getByRole('radio', { name: t('consents.long.days', { days: 90 }) })).toHaveCount(0);
  await expect(page.getByRole('radio', { name: t('consents.long.withdrawn') })).toHaveCount(0);
  await clickButton(page, t('common.next'));
  await expectScreen(page, t('consents.review.title', { who: 'Clinic of the Hills' }));
  await clickButton(page, t('consents.review.give'));
  await unlockKey(page, t, PASSPHRASE);
  await expectScreen(page, t('consents.givenTitle'));
  const [event] = await eventsOf(page, clinic);
  expect(event).toMatchObject({ type: 'consent.granted', data: { reference: 'A-1234' } });
  const { token } = await (await api.get(`/api/consent/${event?.data.token_id}`)).json();
  expect(token.scope).toMatchObject({ intents: ['READ_RECORDS'], categories: ['BSP-HM'] });

  await open(page, text);
  await problem(page, 'used');
});

test('a broad request begins with less, and refusing it sends nothing', async ({ page, api }, info) => {
  const lab = await api.newInstitution(undefined, 'A Laboratory', 'LAB');
  await newStoredHolder(page, api);
  const sent: string[] = [];
  await open(
    page,
    ask(lab, {
      scope: { intents: ['SUBMIT_RECORD', 'READ_RECORDS', 'EXPORT_DATA'], categories: ['*'] },
      expiresInDays: null,
      once: false,
    }),
  );
  await expectScreen(page, t('ask.title', { who: 'A Laboratory' }));
  for (const point of ['everything', 'long'] as const)
    await expect(page.getByText(t(`ask.unusual.${point}`))).toBeVisible();
  await expect(page.getByText(t('ask.less'))).toBeVisible();
  await checkScreen(page, 'ask-broad', info);
  page.on('request', (request) => sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`));
  await clickButton(page, t('ask.look'));
  await expect(page.getByRole('checkbox', { name: t('scope.intent.SUBMIT_RECORD.name') })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: t('scope.intent.READ_RECORDS.name') })).not.toBeChecked();
  await clickLink(page, t('consents.asked.back'));
  await clickButton(page, t('ask.refuse'));
  await expectScreen(page, t('ask.refused.title'));
  await expect(page.getByText(t('ask.refused.sentence', { reference: 'A-1234', has: 'yes' }))).toBeVisible();
  await checkScreen(page, 'ask-refused', info);
  expect(sent.filter((request) => /relayer|requests|keepRequest/.test(request))).toEqual([]);
  expect(await eventsOf(page, lab)).toEqual([]);
});

test('a person without an identity creates one and comes back to the request', async ({ page, api }, info) => {
  const clinic = await api.newInstitution(undefined, 'Clinic of the Lake');
  await open(page, ask(clinic, { once: false }));
  await expectScreen(page, t('ask.title', { who: 'Clinic of the Lake' }));
  await checkScreen(page, 'ask-without-identity', info);
  await clickButton(page, t('ask.create'));
  await expectScreen(page, t('create.name.title'));
  const domain = `${await page.getByLabel(t('create.name.label'), { exact: true }).inputValue()}.bsp`;
  await expect(page.getByText(t('create.name.free', { domain }))).toBeVisible();
  await clickButton(page, t('create.name.next'));
  await clickLink(page, t('create.public.next'));
  await passphraseField(page, t).fill(NEW_PASSPHRASE);
  await clickButton(page, t('session.here.submit'));
  await clickButton(page, t('create.send.yes'));
  await clickButton(page, t('create.copy.later'));
  await expectScreen(page, t('create.done.title', { domain }));
  await clickLink(page, t('create.done.asked'));
  await expectScreen(page, t('ask.title', { who: 'Clinic of the Lake' }));
  await clickButton(page, t('ask.look'));
  await expectScreen(page, t('consents.may.title', { who: 'Clinic of the Lake' }));
});

test('what is not a valid request of this institution to this person has its sentence @long', async ({
  page,
  api,
  pageErrors,
}, info) => {
  const [clinic, other] = [await api.newInstitution(), await api.newInstitution(undefined, 'A C\u0131inic')];
  const [holder, stranger] = [await newStoredHolder(page, api), await api.newHolder()];
  const good = ask(clinic);
  for (const text of [
    '',
    'x',
    'A'.repeat(100_000),
    `${'A'.repeat(99_000)}.${'A'.repeat(86)}`,
    `${good}&to=https://evil.example`,
  ]) {
    await open(page, text);
    await problem(page, 'unreadable');
  }
  await checkScreen(page, 'ask-unreadable', info);
  const altered = readConsentRequest(good);
  if (!altered) throw new Error('The request has another form.');
  await open(page, consentRequestText({ ...altered.message, expiresInDays: null }, altered.signature));
  await problem(page, 'altered');
  await open(page, ask(clinic, {}, other));
  await problem(page, 'altered');
  await open(page, ask(clinic, { ledgerId: 'a'.repeat(64) }));
  await problem(page, 'elsewhere');
  await open(page, ask(clinic, { validUntil: new Date(Date.now() - 1_000).toISOString() }));
  await problem(page, 'ended');
  await open(page, ask({ ...clinic, id: crypto.randomUUID() }));
  await problem(page, 'unknown');
  await open(page, ask(clinic, { once: stranger.domain }));
  await expectScreen(page, t('ask.other.title'));
  await expect(page.getByRole('button', { name: t('ask.look') })).toHaveCount(0);
  await open(page, ask(clinic, { once: holder.domain.toUpperCase() }));
  await expect(page.getByRole('button', { name: t('ask.look') })).toBeVisible();
  await open(page, '0'.repeat(43));
  await problem(page, 'ended');
  await page.request.post('/api/ieo/lock', {
    data: clinic.key.sign('lockIEO', { ieoId: clinic.id }),
    headers: newClientAddress(),
  });
  await open(page, good);
  await problem(page, 'suspended');
  await page.request.post('/api/ieo/destroy', {
    data: clinic.key.sign('destroyIEO', { ieoId: clinic.id }),
    headers: newClientAddress(),
  });
  await open(page, good);
  await problem(page, 'revoked');
  ignorePageErrors(pageErrors, 'status of 404');
});

test('markup in every field is text, and a name that looks like another is shown with its domain @long', async ({
  page,
  api,
}) => {
  const markup = '<img src=x onerror=document.title=1>';
  const clinic = await api.newInstitution(undefined, 'Hospital Aurora <b>');
  await newStoredHolder(page, api);
  await open(page, ask(clinic, { purpose: markup, reference: markup, once: false }));
  await expect(page.getByText(markup)).toHaveCount(2);
  await expect(page.getByText(clinic.domain)).toBeVisible();
  expect(await page.locator('main img, main b').count()).toBe(0);
});

test('an assistant’s wish is shown as one whose author is unknown @long', async ({ page, api }, info) => {
  const clinic = await api.newInstitution();
  const holder = await newStoredHolder(page, api);
  const wish = {
    ...{ function: 'askConsent', ieoId: clinic.domain, scope: { intents: ['READ_RECORDS'], categories: ['BSP-HM'] } },
    ...{ expiresInDays: 30, purpose: '', validUntil: new Date(Date.now() + DAY).toISOString(), once: holder.domain },
  };
  await open(page, consentRequestText(wish, null));
  await expect(page.getByText(t('ask.unsigned.body'))).toBeVisible();
  await checkScreen(page, 'ask-unsigned', info);
  await clickButton(page, t('ask.look'));
  await expectScreen(page, t('consents.may.title', { who: 'A Clinic' }));
});

test('an institution asks at its counter, prints the sheet, and sees who accepted by its reference @desktop', async ({
  page,
  api,
  newUser,
}, info) => {
  const key = await newOpenedKey();
  const clinic = await api.newInstitution(keyOfSeed(key.seed), 'Clinic of the Bridge');
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  await page.goto('/institution/consents');
  await clickLink(page, t('institution.consents.ask'));
  await expectScreen(page, t('institution.askConsent.title'));
  await clickButton(page, t('institution.askConsent.sign'));
  await expect(page.getByText(t('institution.askConsent.missing.intents'))).toBeVisible();
  await page.getByRole('checkbox', { name: t('scope.intent.READ_RECORDS.name') }).check();
  await page.getByRole('checkbox', { name: t('scope.category.BSP-HM') }).check();
  await page.getByLabel(t('institution.askConsent.purpose')).fill('To prepare your appointment.');
  await page.getByLabel(t('institution.askConsent.reference')).fill('Counter 3');
  await page.getByRole('radio', { name: t('institution.askConsent.whom.counter.name') }).check();
  await checkScreen(page, 'institution-ask', info);
  await clickButton(page, t('institution.askConsent.sign'));
  await unlockKey(page, t, PASSPHRASE);
  await expectScreen(page, t('institution.askConsent.sheet.title', { who: 'Clinic of the Bridge' }));
  await expect(
    page.getByRole('img', { name: t('institution.askConsent.sheet.qr', { who: 'Clinic of the Bridge' }) }),
  ).toBeVisible();
  await checkScreen(page, 'institution-ask-sheet', info);
  const link = await page.locator('p.font-mono').innerText();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(t('institution.askConsent.sheet.rights'))).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  expect(pageCountOf(await page.pdf({ format: 'A4' }))).toBe(1);
  await page.emulateMedia({ media: 'screen' });

  const person = await newUser();
  const holder = await newStoredHolder(person, api);
  await person.goto(link);
  await clickButton(person, t('ask.look'));
  for (const question of ['may', 'data', 'when', 'long'] as const) {
    const title =
      question === 'may' ? t('consents.may.title', { who: 'Clinic of the Bridge' }) : t(`consents.${question}.title`);
    await expectScreen(person, title);
    await clickButton(person, t('common.next'));
  }
  await clickButton(person, t('consents.review.give'));
  await unlockKey(person, t, PASSPHRASE);
  await expectScreen(person, t('consents.givenTitle'));

  await clickLink(page, t('institution.askConsent.sheet.done'));
  await expect(page.getByRole('row', { name: holder.domain })).toContainText('Counter 3');
  await page
    .getByRole('link', { name: t('dashboard.institution.overview') })
    .first()
    .click();
  await expect(page.getByText(t('institution.inbox.accepted.title', { count: 1 }))).toBeVisible();
});

test('a long request is kept by the service, and its link names its digest @desktop @long', async ({
  page,
  api,
  newUser,
}) => {
  const key = await newOpenedKey();
  const clinic = await api.newInstitution(keyOfSeed(key.seed), 'Clinic of the Tower');
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  await page.goto('/institution/consents/ask');
  await page.getByRole('checkbox', { name: t('scope.intent.READ_RECORDS.name') }).check();
  await page.getByRole('checkbox', { name: t('scope.category.BSP-HM') }).check();
  await page.getByLabel(t('institution.askConsent.purpose')).fill('Why we ask. '.repeat(41));
  await page.getByRole('radio', { name: t('institution.askConsent.whom.first.what') }).check();
  await clickButton(page, t('institution.askConsent.sign'));
  await unlockKey(page, t, PASSPHRASE);
  await expectScreen(page, t('institution.askConsent.sheet.title', { who: 'Clinic of the Tower' }));
  const link = await page.locator('p.font-mono').innerText();
  expect(link).toMatch(/\/ask#[\w-]{43}$/);
  const person = await newUser();
  await newStoredHolder(person, api);
  await person.goto(link);
  await expectScreen(person, t('ask.title', { who: 'Clinic of the Tower' }));
});
