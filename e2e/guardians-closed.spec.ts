import { randomBytes } from 'node:crypto';
import { type Api, type Holder, linkFor, newKey } from './api.ts';
import { expect, openClosed, sayIn, test } from './people.ts';
import { ageInvitations, ageRequests } from './product-database.ts';
import { onScreen } from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const ACCEPT_JSON = { accept: 'application/json' };
const unknownToken = () => randomBytes(32).toString('base64url');

interface Closed {
  readonly url: string;
  readonly status: number;
  readonly title: string;
  /** What a program is told. */
  readonly code: string;
}

/** A request with its identity, for whose state one guardian's link is looked at. */
async function requested(api: Api, count = 2) {
  const { holder, guardians } = await api.guarded(count);
  const { publicKey } = newKey();
  const request = await api.askForRecovery(holder, publicKey);
  const confirm = (role: string) => {
    const guardian = guardians.find((one) => one.role === role);
    if (!guardian) throw new Error(`There is no ${role} guardian.`);
    return api.confirmRecovery(holder, linkFor(request, role), publicKey, guardian);
  };
  return { holder, guardians, request, url: linkFor(request, 'primary'), confirm };
}

async function invited(api: Api): Promise<{ holder: Holder; url: string }> {
  const holder = await api.newHolder();
  return { holder, url: (await api.invite(holder, 'primary')).url };
}

const CLOSED: Record<string, (api: Api, baseURL: string) => Promise<Closed>> = {
  'invitation-unknown': async (_, baseURL) => ({
    url: `${baseURL}/api/guardian/accept/${unknownToken()}`,
    status: 404,
    title: say('guardian.unknown.title'),
    code: 'LINK_NOT_FOUND',
  }),
  'invitation-cut-off': async (api) => {
    const { url } = await invited(api);
    return { url: url.slice(0, -3), status: 404, title: say('guardian.unknown.title'), code: 'LINK_NOT_FOUND' };
  },
  'invitation-used': async (api) => {
    const holder = await api.newHolder();
    const invitation = await api.invite(holder, 'primary');
    await api.accept(holder, invitation);
    return { url: invitation.url, status: 410, title: say('accept.used.title'), code: 'LINK_USED' };
  },
  'invitation-expired': async (api) => {
    const { holder, url } = await invited(api);
    await ageInvitations(holder.id);
    return { url, status: 410, title: say('accept.expired.title'), code: 'LINK_EXPIRED' };
  },
  'invitation-superseded': async (api) => {
    const { holder, url } = await invited(api);
    await api.configure(holder, null);
    return { url, status: 410, title: say('accept.superseded.title'), code: 'LINK_EXPIRED' };
  },
  'invitation-locked': async (api) => {
    const { holder, url } = await invited(api);
    await api.lock(holder);
    const title = say('accept.locked.title', { domain: holder.domain });
    return { url, status: 423, title, code: 'BEO_LOCKED' };
  },
  'invitation-destroyed': async (api) => {
    const { holder, url } = await invited(api);
    await api.destroy(holder);
    return { url, status: 410, title: say('guardian.destroyed.title'), code: 'LINK_EXPIRED' };
  },
  'request-unknown': async (_, baseURL) => ({
    url: `${baseURL}/api/guardian/confirm-recovery/${unknownToken()}`,
    status: 404,
    title: say('guardian.unknown.title'),
    code: 'LINK_NOT_FOUND',
  }),
  'request-destroyed': async (api) => {
    const { holder, url } = await requested(api);
    await api.destroy(holder);
    return { url, status: 410, title: say('guardian.destroyed.title'), code: 'LINK_EXPIRED' };
  },
  'request-confirmed': async (api) => {
    const { url, confirm } = await requested(api);
    expect(await confirm('primary')).toBe(false);
    return { url, status: 410, title: say('confirm.confirmed.title'), code: 'LINK_USED' };
  },
  'request-executed': async (api) => {
    const { holder, url, confirm } = await requested(api, 3);
    await confirm('secondary');
    expect(await confirm('tertiary')).toBe(true);
    const title = say('confirm.executed.title', { domain: holder.domain });
    return { url, status: 410, title, code: 'REQUEST_CLOSED' };
  },
  'request-closed': async (api) => {
    const { holder, guardians, url } = await requested(api);
    const other = newKey();
    const rival = await api.askForRecovery(holder, other.publicKey);
    for (const guardian of guardians) {
      await api.confirmRecovery(holder, linkFor(rival, guardian.role), other.publicKey, guardian);
    }
    return { url, status: 410, title: say('confirm.closed.title'), code: 'REQUEST_CLOSED' };
  },
  'request-expired': async (api) => {
    const { holder, url } = await requested(api);
    await ageRequests(holder.id);
    return { url, status: 410, title: say('confirm.expired.title'), code: 'LINK_EXPIRED' };
  },
  'request-superseded': async (api) => {
    const { holder, guardians, url } = await requested(api, 3);
    for (const { id, key, role } of guardians) {
      if (role !== 'primary') await api.confirmGuardian(holder, id, key.publicKey);
    }
    const title = say('confirm.superseded.title', { domain: holder.domain });
    return { url, status: 410, title, code: 'LINK_EXPIRED' };
  },
};

for (const [name, arrange] of Object.entries(CLOSED)) {
  test(`${name}: says what happened and what to do, to people and to programs`, async ({
    page,
    api,
    baseURL,
    complaints,
  }, testInfo) => {
    const { url, status, title, code } = await arrange(api, baseURL ?? '');
    await openClosed(page, complaints, url, status);
    await onScreen(page, title);
    await expect(page.getByRole('heading', { level: 2, name: say('guardian.todo') })).toBeVisible();
    await survey(page, name, testInfo);

    const told = await api.get(url, ACCEPT_JSON);
    expect([told.status(), (await told.json()).code]).toEqual([status, code]);
    const person = await api.get(url, NAVIGATION);
    const scanner = await api.head(url);
    expect([person.status(), scanner.status()]).toEqual([status, status]);
    for (const answer of [person, scanner]) expectPrivate(answer.headers());
  });
}

test('open links are as private, and a page of the API alone is not to be had from them', { tag: '@desktop' }, async ({
  api,
}) => {
  const { url } = await invited(api);
  const { url: requestUrl } = await requested(api);
  for (const address of [url, requestUrl, '/recover']) {
    const answers = [await api.get(address, NAVIGATION), await api.head(address)];
    for (const answer of answers) {
      expect(answer.status()).toBe(200);
      expect(answer.headers()['content-type']).toContain('text/html');
      if (address !== '/recover') expectPrivate(answer.headers());
      else expectSealed(answer.headers());
    }
    expect(await answers[1]?.text()).toBe('');
  }
  const one = (await api.get(url, NAVIGATION)).headers()['content-security-policy'];
  expect((await api.get(url, NAVIGATION)).headers()['content-security-policy']).not.toBe(one);
  for (const address of [url, requestUrl]) {
    const told = await api.get(address, ACCEPT_JSON);
    expect(told.headers()['content-type']).toContain('application/json');
    expect(told.headers()['cache-control']).toContain('no-store');
  }
});

test('what looks at links before people do uses nothing up', { tag: '@desktop' }, async ({ page, api }) => {
  const { holder, url } = await invited(api);
  const { holder: other, url: requestUrl } = await requested(api);
  for (const address of [url, requestUrl]) {
    const looks = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? api.get(address, NAVIGATION) : api.get(address, ACCEPT_JSON),
    );
    const heads = Array.from({ length: 20 }, () => api.head(address));
    for (const answer of await Promise.all([...looks, ...heads])) expect(answer.status()).toBe(200);
  }
  await page.goto(url);
  await onScreen(page, say('accept.who.title', { domain: holder.domain }));
  await page.goto(requestUrl);
  await onScreen(page, say('confirm.ask.title', { domain: other.domain }));
  expect((await api.identity(holder.id)).recovery.guardians).toMatchObject([{ status: 'PENDING' }]);
  expect((await api.identity(other.id)).active_recovery).toBeNull();
});

function expectPrivate(headers: Record<string, string>): void {
  expectSealed(headers);
  expect(headers['x-robots-tag']).toBe('noindex, nofollow');
}

function expectSealed(headers: Record<string, string>): void {
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{24}' 'strict-dynamic'(;|$)/);
  for (const rule of ["default-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
    expect(policy).toContain(rule);
  }
  expect(policy).not.toContain('unsafe');
  expect(headers['cache-control']).toContain('no-store');
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['permissions-policy']).toContain('camera=()');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['set-cookie']).toBeUndefined();
}
