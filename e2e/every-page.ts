import type { Page } from '@playwright/test';
import { type Api, type Holder, type Institution, keyOfSeed } from './api.ts';
import { newOpenedKey, rememberIn } from './signed-in.ts';
import { expect, watch } from './watched-page.ts';

export interface Place {
  /** For the names of pictures and of what failed. */
  readonly name: string;
  readonly path: string;
}

export interface Cast {
  readonly holder: Holder;
  readonly institution: Institution;
}

/** The name of the institution of a cast. */
export const HOSPITAL = 'Hospital Santa Luzia';

const ENTRANCES = ['/', '/sign-in', '/sign-in/bring', '/create', '/register'];
const PUBLIC = ['/recover', '/guardian', '/explore', '/institute'];
const HOLDER = ['', '/consents', '/consents/new', '/guardians', '/records'];
const RARELY = ['/access', '/export', '/safety', '/destroy'];
const INSTITUTION = ['', '/consents', '/submit', '/read', '/export', '/settings'];

const at = (path: string): Place => ({ name: path.slice(1).replaceAll('/', '-') || 'home', path });

/** Every page, in parts of a few that make one test. */
export const placesOf = ({ holder, institution }: Cast) => ({
  entrances: ENTRANCES.map(at),
  public: [
    ...PUBLIC.map(at),
    { name: 'explore-identity', path: `/explore/${holder.domain}` },
    { name: 'explore-institution', path: `/explore/${institution.domain}` },
  ],
  holder: HOLDER.map((path) => at(`/me${path}`)),
  'holder, rarely': RARELY.map((path) => at(`/me${path}`)),
  institution: INSTITUTION.map((path) => at(`/institution${path}`)),
});

/** A browser that knows somebody with two consents, a guardian and an invitation on its way, and the institution of one consent. */
export async function newCast(page: Page, api: Api): Promise<Cast> {
  const [holderKey, institutionKey] = await Promise.all([newOpenedKey(), newOpenedKey()]);
  const [holder, institution, other] = await Promise.all([
    api.newHolder(keyOfSeed(holderKey.seed)),
    api.newInstitution(keyOfSeed(institutionKey.seed), HOSPITAL),
    api.newInstitution(undefined, 'Clínica do Vale', 'LAB'),
  ]);
  await api.grant(holder, institution.id);
  await api.grant(holder, other.id);
  const primary = await api.accept(holder, await api.invite(holder, 'primary'));
  await api.confirmGuardian(holder, primary.id, primary.key.publicKey);
  await api.invite(holder, 'secondary');
  await rememberIn(page, { ...institution, kind: 'institution' }, institutionKey);
  await rememberIn(page, { ...holder, kind: 'holder' }, holderKey);
  return { holder, institution };
}

/** Goes through pages in several tabs of one browser, so that waiting for one is time for another. */
export async function visit(
  { page, complaints }: { page: Page; complaints: string[] },
  places: readonly Place[],
  tabs: number,
  look: (tab: Page, place: Place) => Promise<void>,
): Promise<void> {
  const home = new URL(page.url()).host;
  const waiting = [...places];
  const goThrough = async (tab: Page) => {
    for (let place = waiting.shift(); place; place = waiting.shift()) {
      const before = complaints.length;
      await look(tab, place);
      expect.soft(complaints.slice(before), `${place.path}: complaints, of it or of a page beside it`).toEqual([]);
    }
  };
  const others = Array.from({ length: tabs - 1 }, async () => {
    const tab = await page.context().newPage();
    await watch(tab, home, complaints);
    return goThrough(tab);
  });
  await Promise.all([goThrough(page), ...others]);
}

/** Opens a page and waits until it shows what it has to show. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('main').getByRole('heading').first().waitFor();
  await expect.soft(page.locator('main .animate-breathe'), `${path}: all is there`).toHaveCount(0);
}
