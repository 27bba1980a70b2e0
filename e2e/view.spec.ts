import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { readShareLink, shareLink } from '../client/shares.ts';
import { checkScreen, saveScreenshot } from './check-screen.ts';
import { expect, expectPageError, test, translatorFor } from './fixtures.ts';
import { clickButton } from './page-actions.ts';
import {
  type Bundle,
  LABORATORY,
  newSharedRecords,
  type Resource,
  type SharedRecords,
  withChanges,
} from './shared-records.ts';

const t = translatorFor('en');
const BUDGET_BYTES = 120_000;
const ME = 'Dr. Lima';
const RECORDS = 5;
const FAULT = 'A fault of this browser, made by a test.';
/** The page of a printer in CSS pixels, without its margins. */
const A4 = { width: 658, height: 987 };

/** One holder with records for all tests of a worker. */
let made: Promise<SharedRecords> | undefined;
const sharedRecords = (baseURL: string | undefined, api: Parameters<typeof newSharedRecords>[1]) => {
  made ??= newSharedRecords(baseURL ?? '', api);
  return made;
};

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const alertWith = (
  page: Page,
  problem: 'ended' | 'passcode' | 'altered' | 'unreachable' | 'unexpected' | 'expired',
  host = '',
) => page.getByRole('alert').getByText(t(`view.problem.${problem}.title`, { host }));

/** Says who opens the link, and opens it. */
async function open(page: Page, passcode?: string): Promise<void> {
  await page.getByLabel(t('view.open.who')).fill(ME);
  if (passcode !== undefined) await page.getByLabel(t('view.open.passcode'), { exact: true }).fill(passcode);
  await clickButton(page, t('view.open.action'));
}

/** What the page can clear of itself: the addresses in the history of its tab, its state, and what it stored. */
async function leftBehind(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { entries } = await session.send('Page.getNavigationHistory');
  await session.detach();
  const own = await page.evaluate(() => [location.href, history.state, { ...localStorage }, { ...sessionStorage }]);
  return JSON.stringify([entries.map(({ url }) => url), own]);
}

const marks = (page: Page, state: 'proved' | 'altered' | 'missing' | 'none') =>
  page.locator('table').getByText(t(`view.verdict.${state}.mark`), { exact: true });

test('no request is made before the person opens the link, and its key is left nowhere afterwards', async ({
  page,
  api,
  baseURL,
}, info) => {
  const shared = await sharedRecords(baseURL, api);
  const link = await shared.share(undefined, { linkLabel: 'Results of spring' });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto(link);
  await expect(heading(page, t('view.open.title'))).toBeVisible();
  await expect(page.getByText('Results of spring')).toBeVisible();
  await checkScreen(page, 'view-before', info);
  expect(requests.filter((path) => path.startsWith('/api/'))).toEqual([]);
  const [, payload = ''] = link.split('shlink:/');
  expect(await leftBehind(page)).toContain(payload);

  await open(page);
  await expect(heading(page, t('view.opened.title'))).toBeVisible();
  await expect(marks(page, 'proved')).toHaveCount(RECORDS);
  await expect(page.getByText(t('view.summary.proved', { count: RECORDS, all: RECORDS }))).toBeVisible();
  await expect(page.getByText(new RegExp(`^${t('view.certified.yes')}`))).toHaveCount(RECORDS);
  for (const text of [shared.domain, LABORATORY, '36.0 ng/mL', '132/84 mmHg', 'e3/e4', t('view.notes.measured')])
    await expect(page.getByText(text).first()).toBeVisible();
  await checkScreen(page, 'view-opened', info);
  expect(requests.filter((path) => path.endsWith('/manifest'))).toHaveLength(1);

  const left = await leftBehind(page);
  expect(left).not.toContain(readShareLink(link).key);
  expect(left).not.toContain(payload);
  const { shares } = await shared.client.listShares({ beoId: shared.beoId }, { key: shared.key });
  expect(shares.flatMap(({ openings }) => openings.map(({ recipient }) => recipient))).toContain(ME);

  await page.getByLabel(t('records.filter.visits')).check();
  await expect(marks(page, 'proved')).toHaveCount(RECORDS);
  await checkScreen(page, 'view-visits', info);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(A4);
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByText('132/84 mmHg')).toBeVisible();
  await saveScreenshot(page, 'view-print', info);

  await page.emulateMedia({ media: 'screen' });
  await page.reload();
  await expect(heading(page, t('view.title'))).toBeVisible();
  await expect(page.getByText('132/84 mmHg')).toHaveCount(0);
});

test('the viewer loads at most 120 kB of compressed scripts before it opens a link', async ({ page }, info) => {
  const scripts: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.endsWith('.js'))
      scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const answer = await page.goto(
    `/view#${shareLink({ url: 'https://a.example/m', key: 'A'.repeat(43), exp: null, flag: '', label: null })}`,
  );
  await expect(heading(page, t('view.open.title'))).toBeVisible();
  const bytes = (await Promise.all(scripts)).reduce((sum, each) => sum + each, 0);
  const description = `${(bytes / 1_000).toFixed(1)} kB`;
  info.annotations.push({ type: 'compressed scripts of the viewer', description });
  console.log(`Compressed scripts of the viewer: ${description}.`);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(BUDGET_BYTES);
  const policy = (await answer?.headerValue('content-security-policy')) ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self' 'sha256-");
  expect(policy).toContain("connect-src 'self' https: http://localhost:* http://127.0.0.1:*;");
  const other = await page.request.get('/help', { headers: { accept: 'text/html' } });
  expect(other.headers()['content-security-policy']).toContain("connect-src 'self';");
});

test('a wrong passcode says how many attempts are left, and the right one opens the share', async ({
  page,
  api,
  baseURL,
  pageErrors,
}, info) => {
  const shared = await sharedRecords(baseURL, api);
  await page.goto(await shared.share(undefined, { passcode: 'abacate' }));
  await open(page, 'wrong');
  await expect(alertWith(page, 'passcode')).toBeVisible();
  await expect(page.getByText(t('view.open.attempts', { count: 9 }))).toBeVisible();
  await expectPageError(pageErrors, 'status of 401');
  await checkScreen(page, 'view-passcode', info);
  await open(page, 'abacate');
  await expect(heading(page, t('view.opened.title'))).toBeVisible();
});

test('a share that was used up, or altered, and a link that is incomplete or of a newer kind, have a sentence each', async ({
  page,
  api,
  baseURL,
  pageErrors,
}, info) => {
  const shared = await sharedRecords(baseURL, api);
  const link = await shared.share(undefined, { openings: 1 });
  const { host } = new URL(baseURL ?? '');
  await page.route('**/manifest', async (route) => {
    const response = await route.fetch();
    const flipped = (letter: string) => (letter === 'A' ? 'B' : 'A');
    const body = (await response.text()).replace(/(?<="embedded":"[\w.-]{200})[\w-]/, flipped);
    return route.fulfill({ response, body });
  });
  await page.goto(link);
  await open(page);
  await expect(alertWith(page, 'altered', host)).toBeVisible();
  await checkScreen(page, 'view-altered', info);
  await page.unroute('**/manifest');
  await open(page);
  await expect(alertWith(page, 'ended')).toBeVisible();
  await expectPageError(pageErrors, 'status of 404');
  await page.route('**/manifest', (route) => route.abort('connectionrefused'));
  await open(page);
  await expect(alertWith(page, 'unreachable', host)).toBeVisible();
  await expectPageError(pageErrors, 'ERR_CONNECTION_REFUSED');
  await page.unroute('**/manifest');

  const newer = Buffer.from(JSON.stringify({ url: 'https://a.example/m', key: 'A'.repeat(43), v: 2 })).toString(
    'base64url',
  );
  const past = { url: `${baseURL}/api/shares/${'a'.repeat(43)}/manifest`, key: 'A'.repeat(43), flag: '', label: null };
  await page.goto(`/view?lang=es#${shareLink({ ...past, exp: 1_700_000_000 })}`);
  await page.getByRole('link', { name: 'English' }).click();
  await open(page);
  await expect(alertWith(page, 'expired')).toBeVisible();
  await expectPageError(pageErrors, 'status of 404');
  for (const [text, problem] of [
    [`shlink:/${newer}`, 'newer'],
    [link.slice(0, -60), 'unreadable'],
    ['https://example.org', 'unreadable'],
  ] as const) {
    await page.goto('/view');
    await page.getByLabel(t('view.paste.label')).fill(text);
    await clickButton(page, t('view.paste.next'));
    await expect(page.getByText(t(`view.problem.${problem}.title`))).toBeVisible();
  }
  await page.getByLabel(t('view.paste.label')).fill(`https://viewer.example/#${link.slice(link.indexOf('shlink:'))}`);
  await clickButton(page, t('view.paste.next'));
  await expect(heading(page, t('view.open.title'))).toBeVisible();
});

const byType = ({ entry }: Bundle, type: string) =>
  entry.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === type);

test('a Bundle that says something else than what was signed does not match the ledger', async ({
  page,
  api,
  baseURL,
}, info) => {
  const shared = await sharedRecords(baseURL, api);
  const [first, second, third] = byType(shared.bundle, 'Observation');
  const provenanceOf = (resource: Resource, observation: Resource | undefined) =>
    resource.resourceType === 'Provenance' && JSON.stringify(resource.target).includes(String(observation?.id));
  const stranger = await shared.client.getBEO(shared.beoId);
  const changed = withChanges(shared.bundle, (resource) => {
    // Another value, and no longer out of range.
    if (resource === first) return { ...resource, valueString: 'e2/e2' };
    // Names are not proved: the domain and the registry's name are shown.
    if (resource.resourceType === 'Patient') return { ...resource, name: [{ text: 'Someone Else' }] };
    if (resource.resourceType === 'Organization') return { ...resource, name: 'Famous Hospital' };
    // A proof of another record: the entry has that one, with its salt, at its place.
    if (provenanceOf(resource, second)) {
      const other = byType(shared.bundle, 'Provenance').find((one) => provenanceOf(one, third));
      return { ...other, id: resource.id, target: resource.target } as Resource;
    }
    // Another person.
    if (resource === third)
      return { ...resource, subject: { reference: `urn:uuid:${stranger.beo_id.replace(/^./, 'f')}`, type: 'Patient' } };
    return resource;
  });
  await page.goto(await shared.share(changed));
  await open(page);
  await expect(marks(page, 'altered')).toHaveCount(3);
  await expect(marks(page, 'proved')).toHaveCount(RECORDS - 3);
  for (const why of ['content', 'holder'] as const)
    await expect(page.getByText(t(`view.why.${why}`)).first()).toBeVisible();
  await expect(page.getByText(t('view.summary.wrong', { count: 3 }))).toBeVisible();
  await expect(page.getByText('e2/e2')).toBeVisible();
  await expect(page.getByText(t('view.opened.unchecked', { what: 'Someone Else' }))).toBeVisible();
  await expect(page.locator('table').getByText(LABORATORY)).toHaveCount(RECORDS - 3);
  await checkScreen(page, 'view-changed', info);
});

test('an entry that says something else than the ledger, and one that is not there, are no proofs @long', async ({
  page,
  api,
  baseURL,
  pageErrors,
}) => {
  const shared = await sharedRecords(baseURL, api);
  const proofs = byType(shared.bundle, 'Provenance');
  const text = JSON.stringify(shared.bundle);
  const [entry = ''] = /"value":"([\w-]{43})"/.exec(text)?.slice(1) ?? [];
  const unknown = entry.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'));
  const { entry: grant } = await shared.client.getTransaction((await shared.client.getBEO(shared.beoId)).arweave_tx);
  const changed = withChanges(shared.bundle, (resource) => {
    if (resource === proofs[0])
      return JSON.parse(JSON.stringify(resource).replaceAll(/"value":"[\w-]{43}"/g, `"value":"${unknown}"`));
    if (resource === proofs[1])
      return JSON.parse(JSON.stringify(resource).replaceAll(/"value":"[\w-]{43}"/g, `"value":"${grant.id}"`));
    return resource;
  });
  await page.goto(await shared.share(changed));
  await open(page);
  await expect(marks(page, 'missing')).toHaveCount(1);
  await expect(marks(page, 'altered')).toHaveCount(1);
  await expect(page.getByText(t('view.why.entry'))).toBeVisible();
  await expect(marks(page, 'proved')).toHaveCount(RECORDS - 2);
  await expectPageError(pageErrors, 'status of 404');
});

/** Makes a part of the browser fail that the page needs to show a share. @returns a function that mends it */
async function breakBrowser(page: Page, part: 'ListFormat' | 'DateTimeFormat'): Promise<() => Promise<void>> {
  const whole = await page.evaluateHandle(
    (part) => Object.getOwnPropertyDescriptor(Intl[part].prototype, 'format'),
    part,
  );
  await page.evaluate(
    ([part, fault]) => {
      const fail = () => {
        throw new Error(fault);
      };
      Object.defineProperty(Intl[part].prototype, 'format', { get: fail, configurable: true });
    },
    [part, FAULT] as const,
  );
  return () =>
    page.evaluate(([part, whole]) => void Object.defineProperty(Intl[part].prototype, 'format', whole ?? {}), [
      part,
      whole,
    ] as const);
}

test('if the page fails while it shows a share, the share can be saved, and shown again without another opening', async ({
  page,
  api,
  baseURL,
  pageErrors,
}, info) => {
  const shared = await sharedRecords(baseURL, api);
  let openings = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/manifest')) openings++;
  });
  await page.goto(await shared.share());
  await page.getByLabel(t('view.open.who')).waitFor();
  const mend = await breakBrowser(page, 'ListFormat');
  await open(page);
  await expect(heading(page, t('view.crashed.title'))).toBeFocused();
  await expectPageError(pageErrors, FAULT);
  await checkScreen(page, 'view-crashed', info);

  const [download] = await Promise.all([page.waitForEvent('download'), clickButton(page, t('view.opened.save'))]);
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual(shared.bundle);
  await clickButton(page, t('view.crashed.retry'));
  await expectPageError(pageErrors, FAULT);
  await expect(heading(page, t('view.crashed.title'))).toBeVisible();
  await mend();
  await clickButton(page, t('view.crashed.retry'));
  await expect(marks(page, 'proved')).toHaveCount(RECORDS);
  expect(openings).toBe(1);
});

test('if the page fails before a link is opened, it says that nothing is lost, and loading it again keeps the link', async ({
  page,
  pageErrors,
}, info) => {
  await page.goto('/view');
  await expect(page.getByLabel(t('view.paste.label'))).toBeEditable();
  await breakBrowser(page, 'DateTimeFormat');
  const link = shareLink({ url: 'https://a.example/m', key: 'A'.repeat(43), exp: null, flag: '', label: null });
  await page.evaluate((hash) => location.assign(hash), `#${link}`);
  await expect(heading(page, t('view.crashed.title'))).toBeFocused();
  await expect(page.getByText(t('view.crashed.safe'))).toBeVisible();
  await expectPageError(pageErrors, FAULT);
  await checkScreen(page, 'view-crashed-before', info);
  await clickButton(page, t('view.crashed.reload'));
  await expect(heading(page, t('view.open.title'))).toBeVisible();
});

/** Runs in the page: removes what browsers of 2023 lack. */
function makeOld(): void {
  Reflect.deleteProperty(URL, 'canParse');
  Reflect.deleteProperty(AbortSignal, 'any');
  Reflect.deleteProperty(Object, 'groupBy');
  Reflect.deleteProperty(Map, 'groupBy');
  Reflect.deleteProperty(Promise, 'withResolvers');
  Reflect.deleteProperty(Promise, 'try');
  Reflect.deleteProperty(Array, 'fromAsync');
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
  for (const name of ['map', 'filter', 'toArray', 'flatMap', 'some']) Reflect.deleteProperty(iterator, name);
  for (const name of ['union', 'intersection', 'isSubsetOf']) Reflect.deleteProperty(Set.prototype, name);
  for (const name of ['toBase64', 'toHex']) Reflect.deleteProperty(Uint8Array.prototype, name);
}

test('a browser without what was added since 2023 opens a share and checks its proofs @long', async ({
  page,
  api,
  baseURL,
}) => {
  const shared = await sharedRecords(baseURL, api);
  await page.addInitScript(makeOld);
  await page.goto(await shared.share());
  await open(page);
  await expect(marks(page, 'proved')).toHaveCount(RECORDS);
});

const SLOWDOWN = 4;
const MANY = 1_000;

test('1,000 results are shown by kind and by visit @long @desktop', async ({ page, api, baseURL }, info) => {
  const shared = await sharedRecords(baseURL, api);
  const [observation] = byType(shared.bundle, 'Observation');
  // Without proofs, whose number is a matter of the network.
  const entry = Array.from({ length: MANY }, (_, index) => ({
    fullUrl: `urn:uuid:${index}`,
    resource: {
      ...(observation as Resource),
      id: String(index),
      effectiveDateTime: new Date(index * 86_400_000).toISOString(),
    },
  }));
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(await shared.share({ ...shared.bundle, entry }));
  await page.getByLabel(t('view.open.who')).fill(ME);
  const start = performance.now();
  await clickButton(page, t('view.open.action'));
  await expect(page.getByText(t('view.opened.results', { count: MANY }))).toBeVisible();
  const description = `${((performance.now() - start) / 1_000).toFixed(1)} s`;
  info.annotations.push({ type: 'time until 1,000 records are shown', description });
  console.log(`Time until 1,000 records are shown, processor ${SLOWDOWN} times slower: ${description}.`);
  await page.getByLabel(t('records.filter.visits')).check();
  await expect(page.locator('table')).toHaveCount(MANY);
});
