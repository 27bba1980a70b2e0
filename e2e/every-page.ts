import { createPrivateKey, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { pagesOnDisk } from '../app/test-pages.ts';
import { addressHashKey, createAddressHashes } from '../server/mail/address-hashes.ts';
import { type Api, type Holder, type Institution, keyOfSeed, linkFor, newKey } from './api.ts';
import { measured } from './health-records.ts';
import { freshAddress } from './people.ts';
import { newOpenedKey, rememberIn } from './signed-in.ts';
import { expect, watch } from './watched-page.ts';

export interface Place {
  /** For the names of pictures and of what failed. */
  readonly name: string;
  readonly path: (cast: Cast) => string;
  /** What the address is answered with. */
  readonly status: number;
}

export interface Cast {
  readonly holder: Holder;
  readonly institution: Institution;
  readonly consent: { readonly token_id: string; readonly arweave_tx: string };
  readonly proposalId: string;
  /** Addresses of links to guardians. */
  readonly invitation: string;
  readonly request: string;
  readonly unsubscribe: string;
}

/** The name of the institution of a cast. */
export const HOSPITAL = 'Hospital Santa Luzia';

type Examples = Readonly<Record<string, Place['path'] | readonly [status: number, path: Place['path']]>>;

/** Addresses of the pages that have parameters, and states of others that an address can show; by the place under app/. */
const EXAMPLES: Readonly<Record<string, Examples>> = {
  '/': {
    home: () => '/',
    'home-found': ({ holder }) => `/?domain=${holder.domain}`,
    'home-not-found': () => '/?domain=nobody-has-this',
    'home-malformed': () => '/?domain=not_a_domain!',
  },
  '/explore/[reference]': {
    'explore-identity': ({ holder }) => `/explore/${holder.domain}`,
    'explore-institution': ({ institution }) => `/explore/${institution.domain}`,
    'explore-consent': ({ consent }) => `/explore/${consent.token_id}`,
    'explore-transaction': ({ consent }) => `/explore/${consent.arweave_tx}`,
    'explore-proposal': ({ proposalId }) => `/explore/${proposalId}`,
    'explore-nothing': () => '/explore/nobody-has-this.bsp',
    'explore-malformed': () => '/explore/not_a_domain!',
    'explore-no-path': () => '/explore?q=not/a/domain',
  },
  '/guardian/accept/[token]': {
    'guardian-accept': ({ invitation }) => invitation,
    'guardian-accept-unknown': [404, () => `/api/guardian/accept/${unknownToken()}`],
  },
  '/guardian/confirm-recovery/[token]': {
    'guardian-confirm': ({ request }) => request,
    'guardian-confirm-unknown': [404, () => `/api/guardian/confirm-recovery/${unknownToken()}`],
  },
  '/mail/unsubscribe/[token]': {
    'mail-unsubscribe': ({ unsubscribe }) => unsubscribe,
    'mail-unsubscribe-unknown': [404, () => `/mail/unsubscribe/${unknownToken()}`],
  },
  '/me/consents/[tokenId]': {
    'me-consents-one': ({ consent }) => `/me/consents/${consent.token_id}`,
    'me-consents-not-own': () => '/me/consents/tok_00000000-0000-4000-8000-000000000000',
  },
  '/me/records/[biomarker]': {
    'me-records-one': () => `/me/records/${String(measured(0, '2026-01-10').biomarker)}`,
  },
};

const unknownToken = (): string => randomBytes(32).toString('base64url');

/** Where there is no page. */
const NO_PAGE: Examples = {
  'no-page': [404, () => '/there/is/no/such/page'],
  'no-page-undecodable': [404, () => '/%E0%A4%A'],
};

function examplesOf(route: string): Examples {
  const own = EXAMPLES[route];
  if (own) return own;
  if (route.includes('[')) throw new Error(`e2e/every-page.ts needs an example of an address of ${route}.`);
  return { [route.slice(1).replaceAll('/', '-')]: () => route };
}

/** Every page under app/, those with parameters too, and what is shown where there is none. */
export const PLACES: readonly Place[] = [...pagesOnDisk().map(examplesOf), NO_PAGE].flatMap((examples) =>
  Object.entries(examples).map(([name, example]) => {
    const [status, path] = typeof example === 'function' ? [200, example] : example;
    return { name, path, status };
  }),
);

let known: Promise<{ cast: Cast; remember: (page: Page) => Promise<void> }> | undefined;

/** The cast of a worker, made once, in a browser that knows its holder and its institution. */
export async function castIn(page: Page, api: Api): Promise<Cast> {
  known ??= makeCast(api);
  const { cast, remember } = await known;
  await remember(page);
  return cast;
}

/** Somebody with two consents, a guardian and an invitation on its way, somebody else who asks for recovery, and an institution. */
async function makeCast(api: Api) {
  const [holderKey, institutionKey] = await Promise.all([newOpenedKey(), newOpenedKey()]);
  const [holder, institution, other, lost] = await Promise.all([
    api.newHolder(keyOfSeed(holderKey.seed)),
    api.newInstitution(keyOfSeed(institutionKey.seed), HOSPITAL),
    api.newInstitution(undefined, 'Clínica do Vale', 'LAB'),
    api.guarded(),
  ]);
  await api.certify(institution.id, { level: 'ADVANCED', intents: ['SUBMIT_RECORD'] });
  const { token: consent } = await api.grant(holder, institution.id);
  await api.grant(holder, other.id);
  const primary = await api.accept(holder, await api.invite(holder, 'primary'));
  await api.confirmGuardian(holder, primary.id, primary.key.publicKey);
  const { url: invitation } = await api.invite(holder, 'secondary');
  const request = linkFor(await api.askForRecovery(lost.holder, newKey().publicKey), 'primary');
  const proposalId = await api.propose('suspendIEO', { ieoId: other.id, reason: 'Results came late.' });
  const cast = { holder, institution, consent, proposalId, invitation, request, unsubscribe: await unsubscribeLink() };
  const remember = async (page: Page): Promise<void> => {
    await rememberIn(page, { ...institution, kind: 'institution' }, institutionKey);
    await rememberIn(page, { ...holder, kind: 'holder' }, holderKey);
  };
  return { cast, remember };
}

/** PKCS #8 of an Ed25519 key is this and the seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The product under test has no mail server, but its relayer's key makes the links of its mails. */
async function unsubscribeLink(): Promise<string> {
  const seed = Buffer.from(
    (await readFile(join(process.env.PRODUCT_DATA_DIR ?? '', 'relayer.key'), 'utf8')).trim(),
    'hex',
  );
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const correspondents = createAddressHashes(addressHashKey(key));
  return `/mail/unsubscribe/${correspondents.unsubscribeToken(correspondents.recipient('somebody@example.org'))}`;
}

/** Goes through places in several tabs of one browser, so that waiting for one is time for another. */
export async function visit(
  page: Page,
  places: readonly Place[],
  tabs: number,
  look: (tab: Page, place: Place) => Promise<void>,
): Promise<void> {
  const home = new URL(page.url()).host;
  const waiting = [...places];
  const goThrough = async () => {
    const tab = await page.context().newPage();
    const complaints: string[] = [];
    await watch(tab, home, complaints);
    for (let place = waiting.shift(); place; place = waiting.shift()) {
      await tab.setExtraHTTPHeaders(freshAddress());
      await look(tab, place);
      const { status, name } = place;
      const unexpected = complaints.splice(0).filter((text) => status === 200 || !text.includes(`status of ${status}`));
      expect.soft(unexpected, `${name}: complaints`).toEqual([]);
    }
    await tab.close();
  };
  await Promise.all(Array.from({ length: tabs }, goThrough));
}

/** Opens a page and waits until it shows what it has to show. */
export async function open(page: Page, path: string, status = 200): Promise<void> {
  const answer = await page.goto(path);
  expect.soft(answer?.status(), path).toBe(status);
  await page.getByRole('main').getByRole('heading').first().waitFor();
  await expect.soft(page.locator('main .animate-breathe'), `${path}: all is there`).toHaveCount(0);
}
