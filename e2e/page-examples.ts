import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { pagesOnDisk } from '../app/test-pages.ts';
import { type Api, type Holder, type Institution, keyOfSeed, linkFor, newKey, unsubscribeToken } from './api.ts';
import { newClientAddress } from './fixtures.ts';
import { healthRecord } from './health-records.ts';
import { collectPageErrors, expect } from './page-errors.ts';
import { newOpenedKey, storeIdentity } from './stored-identity.ts';

export interface PageExample {
  /** For screenshots and failures. */
  readonly name: string;
  readonly path: (data: TestData) => string;
  /** The expected HTTP status. */
  readonly status: number;
  /** Whether it is the first example of its route. */
  readonly isMain: boolean;
}

export interface TestData {
  readonly holder: Holder;
  readonly institution: Institution;
  readonly consent: { readonly token_id: string; readonly arweave_tx: string };
  readonly proposalId: string;
  /** Paths of links that a guardian or a mail contains. */
  readonly invitation: string;
  readonly request: string;
  readonly practice: string;
  readonly unsubscribe: string;
}

/** The display name of the institution in the test data. */
export const HOSPITAL = 'Hospital Santa Luzia';

type Examples = Readonly<Record<string, PageExample['path'] | readonly [status: number, path: PageExample['path']]>>;

/** By route: addresses of pages with parameters, and of states that a query shows. */
const EXAMPLES: Readonly<Record<string, Examples>> = {
  '/': {
    home: () => '/',
    'home-found': ({ holder }) => `/?domain=${holder.domain}`,
    'home-not-found': () => '/?domain=unknown-domain',
    'home-malformed': () => '/?domain=not_a_domain!',
  },
  '/developers/[operation]': {
    'developers-write': () => '/developers/grantConsent',
    'developers-signed-read': () => '/developers/readRecords',
    'developers-public-read': () => '/developers/getIeos',
    'developers-unknown': [404, () => '/developers/noSuchOperation'],
  },
  '/developers/errors/[code]': {
    'developers-error': () => '/developers/errors/INVALID_SIGNATURE',
    'developers-error-unknown': [404, () => '/developers/errors/NO_SUCH_CODE'],
  },
  '/developers/guides/[guide]': {
    'developers-guide': () => '/developers/guides/client',
    'developers-guide-tables': () => '/developers/guides/events',
    'developers-guide-unknown': [404, () => '/developers/guides/no-such-guide'],
  },
  '/alerts/confirm/[token]': {
    'alerts-confirm-unknown': [404, () => `/a/${unknownToken()}`],
  },
  '/explore/[reference]': {
    'explore-identity': ({ holder }) => `/explore/${holder.domain}`,
    'explore-institution': ({ institution }) => `/explore/${institution.domain}`,
    'explore-consent': ({ consent }) => `/explore/${consent.token_id}`,
    'explore-transaction': ({ consent }) => `/explore/${consent.arweave_tx}`,
    'explore-proposal': ({ proposalId }) => `/explore/${proposalId}`,
    'explore-unknown': () => '/explore/unknown-domain.bsp',
    'explore-malformed': () => '/explore/not_a_domain!',
    'explore-page': () => '/explore?before=3&kind=identity',
  },
  '/explore/search': {
    'explore-malformed-query': () => '/explore/search?q=not/a/domain',
    'explore-results': () => '/explore/search?q=e2e',
  },
  '/guardian/accept/[token]': {
    'guardian-accept': ({ invitation }) => invitation,
    'guardian-accept-unknown': [404, () => `/api/guardian/accept/${unknownToken()}`],
  },
  '/guardian/confirm-recovery/[token]': {
    'guardian-confirm': ({ request }) => request,
    'guardian-confirm-unknown': [404, () => `/r/${unknownToken()}`],
  },
  '/guardian/practise/[token]': {
    'guardian-practise': ({ practice }) => practice,
    'guardian-practise-unknown': [404, () => `/guardian/practise/${unknownToken()}`],
  },
  '/mail/unsubscribe/[token]': {
    'mail-unsubscribe': ({ unsubscribe }) => unsubscribe,
    'mail-unsubscribe-unknown': [404, () => `/mail/unsubscribe/${unknownToken()}`],
  },
  '/me/asked': {
    'me-asked': ({ holder }) => `/me/asked?ask=lockBEO&beo=${holder.domain}`,
    'me-asked-unknown': () => '/me/asked',
  },
  '/me/consents/[tokenId]': {
    'me-consents-one': ({ consent }) => `/me/consents/${consent.token_id}`,
    'me-consents-not-own': () => '/me/consents/tok_00000000-0000-4000-8000-000000000000',
  },
  '/me/records/[biomarker]': {
    'me-records-one': () => `/me/records/${String(healthRecord(0, '2026-01-10').biomarker)}`,
  },
};

const unknownToken = (): string => randomBytes(32).toString('base64url');

const NOT_FOUND: Examples = {
  'not-found': [404, () => '/there/is/no/such/page'],
  'not-found-undecodable': [404, () => '/%E0%A4%A'],
};

function examplesOf(route: string): Examples {
  const examples = EXAMPLES[route];
  if (examples) return examples;
  if (route.includes('[')) throw new Error(`e2e/page-examples.ts needs an example for ${route}.`);
  return { [route.slice(1).replaceAll('/', '-')]: () => route };
}

/** Examples of every page under app/, and of addresses without a page. */
export const PAGE_EXAMPLES: readonly PageExample[] = [...pagesOnDisk().map(examplesOf), NOT_FOUND].flatMap((examples) =>
  Object.entries(examples).map(([name, example], index) => {
    const [status, path] = typeof example === 'function' ? [200, example] : example;
    return { name, path, status, isMain: index === 0 };
  }),
);

let shared: Promise<{ data: TestData; signIn: (page: Page) => Promise<void> }> | undefined;

/** Stores the holder and the institution of the test data in a browser. A worker creates the data once. */
export async function signInWithTestData(page: Page, api: Api): Promise<TestData> {
  shared ??= createTestData(api);
  const { data, signIn } = await shared;
  await signIn(page);
  return data;
}

/** A holder with two consents, a guardian and an open invitation; an open recovery request of another holder; an institution. */
async function createTestData(api: Api) {
  const [holderKey, institutionKey] = await Promise.all([newOpenedKey(), newOpenedKey()]);
  const [holder, institution, other, lost] = await Promise.all([
    api.newHolder(keyOfSeed(holderKey.seed)),
    api.newInstitution(keyOfSeed(institutionKey.seed), HOSPITAL),
    api.newInstitution(undefined, 'Clínica do Vale', 'LAB'),
    api.newGuardedHolder(),
  ]);
  await api.certify(institution.id, { level: 'ADVANCED', intents: ['SUBMIT_RECORD'] });
  const { token: consent } = await api.grant(holder, institution.id);
  await api.grant(holder, other.id);
  const primary = await api.accept(holder, await api.invite(holder, 'primary'));
  await api.confirmGuardian(holder, primary.id, primary.key.publicKey);
  const { url: invitation } = await api.invite(holder, 'secondary');
  const request = linkFor(await api.requestRecovery(lost.holder, newKey().publicKey), 'primary');
  const practice = await api.practise(lost.holder);
  const proposalId = await api.propose('suspendIEO', { ieoId: other.id, reason: 'Results came late.' });
  const unsubscribe = `/mail/unsubscribe/${await unsubscribeToken('holder@example.org')}`;
  const data = { holder, institution, consent, proposalId, invitation, request, practice, unsubscribe };
  const signIn = async (page: Page): Promise<void> => {
    await storeIdentity(page, { ...institution, kind: 'institution' }, institutionKey);
    await storeIdentity(page, { ...holder, kind: 'holder' }, holderKey);
  };
  return { data, signIn };
}

/** Visits examples in several tabs of one browser, so that they load at the same time. */
export async function visit(
  page: Page,
  examples: readonly PageExample[],
  tabs: number,
  check: (tab: Page, example: PageExample) => Promise<void>,
): Promise<void> {
  const { host } = new URL(page.url());
  const waiting = [...examples];
  const visitInTab = async () => {
    const tab = await page.context().newPage();
    const pageErrors: string[] = [];
    await collectPageErrors(tab, host, pageErrors);
    for (let example = waiting.shift(); example; example = waiting.shift()) {
      await tab.setExtraHTTPHeaders(newClientAddress());
      await check(tab, example);
      const { status, name } = example;
      const unexpected = pageErrors.splice(0).filter((text) => status === 200 || !text.includes(`status of ${status}`));
      expect.soft(unexpected, `${name}: page errors`).toEqual([]);
    }
    await tab.close();
  };
  await Promise.all(Array.from({ length: tabs }, visitInTab));
}

/** Opens a page and waits until it has loaded its data. */
export async function openPage(page: Page, path: string, status = 200): Promise<void> {
  const response = await page.goto(path);
  expect.soft(response?.status(), path).toBe(status);
  await page.getByRole('main').getByRole('heading').first().waitFor();
  await expect.soft(page.locator('main .animate-breathe'), `${path}: skeletons`).toHaveCount(0);
}
