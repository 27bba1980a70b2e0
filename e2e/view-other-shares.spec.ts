import type { Page } from '@playwright/test';
import { readShareLink } from '../client/shares.ts';
import { checkScreen } from './check-screen.ts';
import { expect, ignorePageErrors, test, translatorFor } from './fixtures.ts';
import { type OtherServer, startOtherServer } from './other-shares.ts';
import { clickButton } from './page-actions.ts';

const t = translatorFor('en');
const FHIR = 'application/fhir+json';
const HTML = `<img src=x onerror="document.title='attacked'"><script>document.title='attacked'</script>`;

let server: OtherServer;
test.beforeAll(async () => {
  server = await startOtherServer();
});
test.afterAll(() => server.stop());
test.afterEach(({ pageErrors }) => ignorePageErrors(pageErrors, `request to another host: ${server.origin}`));

async function openLink(page: Page, link: string): Promise<void> {
  await page.goto('/view');
  await page.getByLabel(t('view.paste.label')).fill(link);
  await clickButton(page, t('view.paste.next'));
  await page.getByLabel(t('view.open.who')).fill('A clinic');
  await clickButton(page, t('view.open.action'));
}

const opened = (page: Page) => page.getByRole('heading', { level: 1, name: t('view.opened.title'), exact: true });

/** Every text and every key of a value replaced by HTML. */
function hostile(value: unknown): unknown {
  if (typeof value === 'string') return HTML;
  if (Array.isArray(value)) return value.map(hostile);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hostile(member)]));
}

const observation = (code: string, members: object) => ({
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code, display: `LOINC ${code}` }] },
  effectiveDateTime: '2026-10-02T07:30:00Z',
  performer: [{ reference: 'Organization/1', display: 'Klinik am See' }],
  ...members,
});

const RESULTS = [
  observation('718-7', {
    valueQuantity: { value: 9.1, unit: 'g/dL' },
    referenceRange: [{ low: { value: 12, unit: 'g/dL' }, high: { value: 17.5, unit: 'g/dL' } }],
  }),
  observation('1', { status: 'preliminary', valueString: 'negative', effectiveDateTime: '2026-10' }),
  observation('2', { dataAbsentReason: { text: 'not done' } }),
];

const BUNDLE = {
  resourceType: 'Bundle',
  type: 'document',
  entry: [
    { resourceType: 'Patient', name: [{ given: ['Ana'], family: 'Lima' }], birthDate: '1980-02-03' },
    ...RESULTS,
    { resourceType: 'Condition' },
    { resourceType: 'MedicationStatement' },
    { resourceType: 'MedicationStatement' },
  ].map((resource) => ({ resource })),
};

test('a link of another service is opened: its results, what is not shown, and that nothing can be checked', async ({
  page,
}, info) => {
  await openLink(page, await server.link([{ contentType: FHIR, content: JSON.stringify(BUNDLE) }]));
  await expect(opened(page)).toBeVisible();
  for (const text of [
    'Ana Lima',
    t('view.opened.born', { day: '3 Feb 1980' }),
    'Klinik am See',
    'LOINC 1',
    t('clinical.interpretation.L'),
    t('view.read.status'),
    t('view.opened.noValue'),
    t('view.summary.none.title'),
    t('view.notes.others', { count: 3 }),
    'Condition and MedicationStatement (2)',
  ])
    await expect(page.getByText(text).first()).toBeVisible();
  await expect(page.locator('table').getByText(t('view.verdict.none.mark'), { exact: true })).toHaveCount(
    RESULTS.length,
  );
  await checkScreen(page, 'view-other', info);
  const download = page.waitForEvent('download');
  await clickButton(page, t('view.opened.save'));
  expect((await download).suggestedFilename()).toBe('share-1.json');
});

test('HTML in every field stays text @long', async ({ page }, info) => {
  const contained = {
    ...BUNDLE,
    entry: BUNDLE.entry.map(({ resource }) => ({
      resource: { ...(hostile(resource) as object), resourceType: resource.resourceType },
    })),
  };
  const results = RESULTS.map((resource) => ({
    ...(hostile(resource) as object),
    resourceType: 'Observation',
    status: 'final',
    effectiveDateTime: resource.effectiveDateTime,
  }));
  const content = JSON.stringify({
    ...contained,
    entry: [...contained.entry, ...results.map((resource) => ({ resource }))],
  });
  await openLink(page, await server.link([{ contentType: FHIR, content }]));
  await expect(opened(page)).toBeVisible();
  await expect(page.getByText(HTML).first()).toBeVisible();
  expect(await page.locator('#view img, #view script').count()).toBe(0);
  expect(await page.title()).not.toContain('attacked');
  await checkScreen(page, 'view-hostile', info);
});

test('files of other kinds are named, and what is no share has a sentence @long', async ({ page, pageErrors }) => {
  const payload = { iss: 'https://issuer.example', vc: { credentialSubject: { fhirBundle: BUNDLE } } };
  const jws = ['{}', JSON.stringify(payload), 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.');
  await openLink(
    page,
    await server.link([
      { contentType: 'application/smart-health-card', content: JSON.stringify({ verifiableCredential: [jws] }) },
      { contentType: 'application/smart-api-access', content: '{"access_token":"x"}' },
      { contentType: FHIR, content: JSON.stringify(RESULTS[0]) },
      { contentType: FHIR, content: 'no JSON' },
      { contentType: FHIR, content: ' '.repeat(20_000_001) },
    ]),
  );
  await expect(opened(page)).toBeVisible();
  for (const text of [
    t('view.notes.api'),
    t('view.notes.card', { issuer: 'https://issuer.example' }),
    t('view.notes.unreadable'),
    t('view.notes.tooLarge'),
    t('view.opened.results', { count: RESULTS.length + 1 }),
  ])
    await expect(page.getByText(text)).toBeVisible();

  for (const [body, problem] of [
    ['<html>', 'unexpected'],
    ['{"files":[{"contentType":"application/fhir+json","embedded":"a.b.c"}]}', 'altered'],
    [' '.repeat(2 ** 25 + 1), 'tooLarge'],
  ] as const) {
    const link = await server.link([{ contentType: FHIR, content: '{}' }]);
    server.serve(new URL(readShareLink(link).url).pathname, body);
    await openLink(page, link);
    const { host } = new URL(server.origin);
    await expect(page.getByRole('alert').getByText(t(`view.problem.${problem}.title`, { host }))).toBeVisible();
  }
  ignorePageErrors(pageErrors, 'status of 404');
});

test('links that kill-the-clipboard makes are opened, compressed or not @long', async ({ page }) => {
  const PACKAGE: string = 'kill-the-clipboard';
  const other = await import(PACKAGE);
  const files = new Map<string, string>();
  const shl = other.SHL.generate({ baseManifestURL: server.origin, manifestPath: '/m' });
  const builder = new other.SHLManifestBuilder({
    shl,
    async uploadFile(content: string) {
      const path = `/file-${files.size}`;
      files.set(path, content);
      server.serve(path, content);
      return path;
    },
    getFileURL: async (path: string) => `${server.origin}${path}`,
    loadFile: async (path: string) => files.get(path) ?? '',
  });
  for (const enableCompression of [true, false]) await builder.addFHIRResource({ content: BUNDLE, enableCompression });
  for (const embeddedLengthMax of [0, 100_000]) {
    const { pathname } = new URL(readShareLink(shl.toURI()).url);
    server.serve(pathname, JSON.stringify(await builder.buildManifest({ embeddedLengthMax })));
    await openLink(page, shl.toURI());
    await expect(opened(page)).toBeVisible();
    await expect(page.getByText(t('view.opened.results', { count: 2 * RESULTS.length }))).toBeVisible();
  }
});

test('another link, or cancelling, ends an opening, and the languages keep the link @long', async ({ page }) => {
  const file = { contentType: FHIR, content: JSON.stringify(BUNDLE) } as const;
  const link = await server.link([file]);
  const [first, second] = [`#${link}`, `#${await server.link([file])}`];
  const { url } = readShareLink(link);
  const languages = page.locator('a[data-language]');
  const expectLanguages = (link: string) =>
    expect
      .poll(() => languages.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).hash)))
      .toEqual([link, link, link]);
  const form = page.getByRole('heading', { level: 1, name: t('view.open.title'), exact: true });
  let hold: Promise<void> | null = null;
  let release = () => {};
  await page.route(url, async (route) => {
    await hold;
    await route.continue().catch(() => {});
  });
  const openHeld = async () => {
    hold = new Promise((resolve) => {
      release = resolve;
    });
    await page.getByLabel(t('view.open.who')).fill('A clinic');
    const request = page.waitForRequest(url);
    await clickButton(page, t('view.open.action'));
    await request;
  };

  await page.goto(`/view${first}`);
  await expect(form).toBeVisible();
  await expectLanguages(first);
  const ended = () => page.waitForEvent('requestfailed', (request) => request.url() === url);
  await openHeld();
  await Promise.all([ended(), clickButton(page, t('view.open.cancel'))]);
  await expect(page.getByRole('button', { name: t('view.open.action'), exact: true })).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveText('');
  release();

  const goTo = (hash: string) =>
    page.evaluate((hash) => {
      location.hash = hash;
    }, hash);
  await openHeld();
  await Promise.all([ended(), goTo(second)]);
  await expectLanguages(second);
  await expect(page.getByLabel(t('view.open.who'))).toHaveValue('');
  release();
  await expect(form).toBeVisible();
  expect(new URL(page.url()).hash).toBe(second);
  await goTo(first);
  hold = null;
  await page.getByLabel(t('view.open.who')).fill('A clinic');
  await clickButton(page, t('view.open.action'));
  await expect(opened(page)).toBeVisible();
});
