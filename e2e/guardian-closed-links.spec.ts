import { randomBytes } from 'node:crypto';
import { shortened } from '../protocol/guardian-links.ts';
import { amount } from '../protocol/test-amount.ts';
import { type Api, type Holder, linkFor, newKey } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, openWithStatus, test, translatorFor } from './fixtures.ts';
import { expectScreen } from './page-actions.ts';
import { expireInvitations, expireRequests } from './product-database.ts';

const t = translatorFor('en');
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const ACCEPT_JSON = { accept: 'application/json' };
const unknownToken = () => randomBytes(32).toString('base64url');

interface ClosedLink {
  readonly url: string;
  readonly status: number;
  readonly title: string;
  /** The error code of the JSON response. */
  readonly code: string;
}

/** A recovery request with the link of the primary guardian. */
async function newRecoveryRequest(api: Api, count = 2) {
  const { holder, guardians } = await api.newGuardedHolder(count);
  const { publicKey } = newKey();
  const request = await api.requestRecovery(holder, publicKey);
  const confirm = (role: string) => {
    const guardian = guardians.find((candidate) => candidate.role === role);
    if (!guardian) throw new Error(`There is no ${role} guardian.`);
    return api.confirmRecovery(holder, linkFor(request, role), publicKey, guardian);
  };
  return { holder, guardians, request, url: linkFor(request, 'primary'), confirm };
}

async function newInvitation(api: Api): Promise<{ holder: Holder; url: string }> {
  const holder = await api.newHolder();
  return { holder, url: (await api.invite(holder, 'primary')).url };
}

const CLOSED_LINKS: Record<string, (api: Api, baseURL: string) => Promise<ClosedLink>> = {
  'invitation-unknown': async (_, baseURL) => ({
    url: `${baseURL}/api/guardian/accept/${unknownToken()}`,
    status: 404,
    title: t('guardian.unknown.title'),
    code: 'LINK_NOT_FOUND',
  }),
  'invitation-cut-off': async (api) => {
    const { url } = await newInvitation(api);
    return { url: url.slice(0, -3), status: 404, title: t('guardian.unknown.title'), code: 'LINK_NOT_FOUND' };
  },
  'invitation-used': async (api) => {
    const holder = await api.newHolder();
    const invitation = await api.invite(holder, 'primary');
    await api.accept(holder, invitation);
    return { url: invitation.url, status: 410, title: t('accept.used.title'), code: 'LINK_USED' };
  },
  'invitation-expired': async (api) => {
    const { holder, url } = await newInvitation(api);
    await expireInvitations(holder.id);
    return { url, status: 410, title: t('accept.expired.title'), code: 'LINK_EXPIRED' };
  },
  'invitation-superseded': async (api) => {
    const { holder, url } = await newInvitation(api);
    await api.configure(holder, null);
    return { url, status: 410, title: t('accept.superseded.title'), code: 'LINK_EXPIRED' };
  },
  'invitation-locked': async (api) => {
    const { holder, url } = await newInvitation(api);
    await api.lock(holder);
    const title = t('accept.locked.title', { domain: holder.domain });
    return { url, status: 423, title, code: 'BEO_LOCKED' };
  },
  'invitation-destroyed': async (api) => {
    const { holder, url } = await newInvitation(api);
    await api.destroy(holder);
    return { url, status: 410, title: t('guardian.destroyed.title'), code: 'LINK_EXPIRED' };
  },
  'request-unknown': async (_, baseURL) => ({
    url: `${baseURL}/api/guardian/confirm-recovery/${unknownToken()}`,
    status: 404,
    title: t('guardian.unknown.title'),
    code: 'LINK_NOT_FOUND',
  }),
  'request-destroyed': async (api) => {
    const { holder, url } = await newRecoveryRequest(api);
    await api.destroy(holder);
    return { url, status: 410, title: t('guardian.destroyed.title'), code: 'LINK_EXPIRED' };
  },
  'request-confirmed': async (api) => {
    const { url, confirm } = await newRecoveryRequest(api);
    expect(await confirm('primary')).toBe(false);
    return { url, status: 410, title: t('confirm.confirmed.title', { role: 'primary' }), code: 'LINK_USED' };
  },
  'request-executed': async (api) => {
    const { holder, url, confirm } = await newRecoveryRequest(api, 3);
    await confirm('secondary');
    expect(await confirm('tertiary')).toBe(true);
    const title = t('confirm.executed.title', { domain: holder.domain });
    return { url, status: 410, title, code: 'REQUEST_CLOSED' };
  },
  'request-closed': async (api) => {
    const { holder, guardians, url } = await newRecoveryRequest(api);
    const other = newKey();
    const rival = await api.requestRecovery(holder, other.publicKey);
    for (const guardian of guardians) {
      await api.confirmRecovery(holder, linkFor(rival, guardian.role), other.publicKey, guardian);
    }
    return { url, status: 410, title: t('confirm.closed.title'), code: 'REQUEST_CLOSED' };
  },
  'request-expired': async (api) => {
    const { holder, url } = await newRecoveryRequest(api);
    await expireRequests(holder.id);
    return { url, status: 410, title: t('confirm.expired.title'), code: 'LINK_EXPIRED' };
  },
  'request-superseded': async (api) => {
    const { holder, guardians, url } = await newRecoveryRequest(api, 3);
    for (const { id, key, role } of guardians) {
      if (role !== 'primary') await api.confirmGuardian(holder, id, key.publicKey);
    }
    const title = t('confirm.superseded.title', { domain: holder.domain });
    return { url, status: 410, title, code: 'LINK_EXPIRED' };
  },
};

test('each closed link states the reason and what to do as HTML, and has the error code as JSON @long', {
  tag: '@desktop',
}, async ({ api, baseURL }) => {
  const expectClosed = async (arrange: (typeof CLOSED_LINKS)[string]) => {
    const { url, status, title, code } = await arrange(api, baseURL ?? '');
    const json = await api.get(url, ACCEPT_JSON);
    expect([json.status(), (await json.json()).code], url).toEqual([status, code]);
    const html = await api.get(shortened(url), NAVIGATION);
    const head = await api.head(shortened(url));
    expect([html.status(), head.status()], url).toEqual([status, status]);
    for (const response of [html, head]) expectPrivateHeaders(response.headers());
    const text = await html.text();
    for (const heading of [title, t('guardian.todo')]) expect(text, url).toContain(`>${heading}</h`);
  };
  await Promise.all(Object.values(CLOSED_LINKS).map(expectClosed));
});

for (const [name, arrange] of Object.entries(CLOSED_LINKS)) {
  test(`${name}: the page states the reason and what to do @long`, async ({
    page,
    api,
    baseURL,
    pageErrors,
  }, testInfo) => {
    const { url, status, title } = await arrange(api, baseURL ?? '');
    await openWithStatus(page, pageErrors, url, status);
    await expectScreen(page, title);
    await expect(page.getByRole('heading', { level: 2, name: t('guardian.todo') })).toBeVisible();
    await checkScreen(page, name, testInfo);
  });
}

test('open links have the same privacy headers, and respond with HTML or JSON as requested', {
  tag: '@desktop',
}, async ({ api }) => {
  const { url } = await newInvitation(api);
  const { url: requestUrl } = await newRecoveryRequest(api);
  for (const address of [url, requestUrl, shortened(url), shortened(requestUrl), '/recover']) {
    const responses = [await api.get(address, NAVIGATION), await api.head(address)];
    for (const response of responses) {
      expect(response.status()).toBe(200);
      expect(response.headers()['content-type']).toContain('text/html');
      if (address !== '/recover') expectPrivateHeaders(response.headers());
      else expectSecurityHeaders(response.headers());
    }
    expect(await responses[1]?.text()).toBe('');
  }
  const policy = (await api.get(url, NAVIGATION)).headers()['content-security-policy'];
  expect((await api.get(url, NAVIGATION)).headers()['content-security-policy']).not.toBe(policy);
  for (const address of [url, requestUrl]) {
    const json = await api.get(address, ACCEPT_JSON);
    expect(json.headers()['content-type']).toContain('application/json');
    expect(json.headers()['cache-control']).toContain('no-store');
  }
});

test('link scanners use up no link @long', { tag: '@desktop' }, async ({ page, api }) => {
  const { holder, url } = await newInvitation(api);
  const { holder: other, url: requestUrl } = await newRecoveryRequest(api);
  for (const address of [url, requestUrl]) {
    for (let times = 0; times < amount(3, 10); times++) {
      expect((await api.get(address, NAVIGATION)).status()).toBe(200);
      expect((await api.get(address, ACCEPT_JSON)).status()).toBe(200);
      expect((await api.head(address)).status()).toBe(200);
    }
  }
  await page.goto(url);
  await expectScreen(page, t('accept.who.title', { domain: holder.domain }));
  await page.goto(requestUrl);
  await expectScreen(page, t('confirm.ask.title', { domain: other.domain }));
  expect((await api.identity(holder.id)).recovery.guardians).toMatchObject([{ status: 'PENDING' }]);
  expect((await api.identity(other.id)).active_recovery).toBeNull();
});

function expectPrivateHeaders(headers: Record<string, string>): void {
  expectSecurityHeaders(headers);
  expect(headers['x-robots-tag']).toBe('noindex, nofollow');
}

function expectSecurityHeaders(headers: Record<string, string>): void {
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
