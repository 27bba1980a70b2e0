import { foldedWords } from '../../protocol/folded-text.ts';
import type { IdentityKind } from '../_keys/identities.ts';
import { NOT_FOUND, type Titles } from '../_ui/title-at.ts';

export interface Place {
  readonly href: string;
  readonly name: string;
}

/** Pages that begin something; the others show something. */
const ACTIONS = new Set([
  '/create',
  '/register',
  '/recover',
  '/sign-in/bring',
  '/me/consents/new',
  '/me/export',
  '/me/shares/new',
  '/me/replace',
  '/me/destroy',
  '/institution/submit',
  '/institution/export',
  '/institution/replace',
  '/institution/destroy',
]);

/** What a role can do on a page whose title does not say so, by the key of its name in `palette.action`. */
const ACTIONS_OF = {
  holder: [
    ['freezeIdentity', '/me/safety'],
    ['withdraw', '/me/consents'],
    ['inviteGuardian', '/me/guardians'],
  ],
  institution: [
    ['freezeInstitution', '/institution/key'],
    ['askCertification', '/institution/certification'],
  ],
  institute: [
    ['requests', '/institute#requests'],
    ['endingCertifications', '/institute#ending'],
    ['certify', '/institute?step=certify'],
    ['propose', '/institute?step=propose'],
    ['institutions', '/institute?step=institutions'],
    ['decisions', '/institute?step=decisions'],
  ],
} as const satisfies Record<IdentityKind | 'institute', readonly (readonly [string, string])[]>;

const INSTITUTE = '/institute';

type Action = (typeof ACTIONS_OF)[keyof typeof ACTIONS_OF][number];

/**
 * The actions of the identities in this browser. The institute has none there, so those of its page are listed on that page, and
 * elsewhere only once something was typed: its page is public, but few people decide on it.
 */
export const roleActions = (kinds: ReadonlySet<IdentityKind>, path: string, typed: string) =>
  [
    ...(path === INSTITUTE ? ACTIONS_OF.institute : []),
    ...[...kinds].flatMap((kind): readonly Action[] => ACTIONS_OF[kind]),
    ...(path !== INSTITUTE && typed.trim() !== '' ? ACTIONS_OF.institute : []),
  ].map(([key, href]) => ({ key, href }));

/** They need something to look for. */
const WITHOUT_PALETTE = new Set([NOT_FOUND, '/explore/search', '/developers/search']);

const OF_KIND = { holder: '/me', institution: '/institution' } as const satisfies Record<IdentityKind, string>;

/** Whether a page is for somebody with an identity of these kinds in this browser, or for everybody. */
const isFor = (href: string, kinds: ReadonlySet<IdentityKind>): boolean =>
  (Object.keys(OF_KIND) as IdentityKind[]).every(
    (kind) => kinds.has(kind) || !`${href}/`.startsWith(`${OF_KIND[kind]}/`),
  );

/**
 * The actions and the pages by the titles of all routes, those of the identities in this browser first.
 * @param name of the service, at the end of every title
 */
export function placesOf(
  titles: Titles,
  name: string,
  kinds: ReadonlySet<IdentityKind>,
): { readonly actions: readonly Place[]; readonly pages: readonly Place[] } {
  const isOwn = ({ href }: Place) => Object.values(OF_KIND).some((home) => `${href}/`.startsWith(`${home}/`));
  const places = Object.entries(titles)
    .filter(([href]) => !href.includes('[') && !WITHOUT_PALETTE.has(href) && isFor(href, kinds))
    .map(([href, title]) => ({ href, name: href === '/' ? name : title.replace(` – ${name}`, '') }))
    .sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
  return {
    actions: places.filter(({ href }) => ACTIONS.has(href)),
    pages: places.filter(({ href }) => !ACTIONS.has(href)),
  };
}

/** The places whose names or addresses contain words that begin with the typed ones, in any order; all if nothing was typed. */
export function matching(places: readonly Place[], typed: string): readonly Place[] {
  const wanted = foldedWords(typed);
  if (wanted.length === 0) return typed.trim() === '' ? places : [];
  return places.filter(({ name, href }) => {
    const words = foldedWords(`${name} ${href}`);
    return wanted.every((word) => words.some((other) => other.startsWith(word)));
  });
}
