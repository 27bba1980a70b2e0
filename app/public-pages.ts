/** A place that pages and programs are led to. */
interface Place {
  readonly path: string;
  /** The key of its name in `shell.footer`; null where it is in no list of links. */
  readonly name: string | null;
  /** The part of the map of the site; `about` is in the last line of every page, and in the menu. */
  readonly section: 'people' | 'institutions' | 'machines' | 'about' | null;
  /** Whether search engines may index it: see the sitemap. */
  readonly indexed?: true;
  /** What language models read about it in /llms.txt, with its name there. */
  readonly summary?: { readonly name: string; readonly text: string };
}

/** Every place that the map of the site, the sitemap or /llms.txt lists, in their order. */
export const PLACES = [
  { path: '/', name: null, section: null, indexed: true },
  { path: '/create', name: 'create', section: 'people' },
  { path: '/recover', name: 'recover', section: 'people', indexed: true },
  { path: '/guardian', name: 'guardian', section: 'people', indexed: true },
  {
    path: '/help',
    name: 'help',
    section: 'about',
    indexed: true,
    summary: { name: 'Help', text: 'questions and answers about keys, guardians and consents' },
  },
  {
    path: '/explore',
    name: 'explore',
    section: 'people',
    indexed: true,
    summary: {
      name: 'Explorer',
      text: 'look up an identity, an institution, a consent or an entry, and check it; entries by date, also as CSV',
    },
  },
  { path: '/#public', name: 'public', section: 'people' },
  { path: '/register', name: 'register', section: 'institutions' },
  { path: '/institution', name: 'institution', section: 'institutions' },
  { path: '/institute', name: 'institute', section: 'institutions' },
  {
    path: '/catalogue',
    name: null,
    section: null,
    indexed: true,
    summary: { name: 'Catalogue', text: 'the codes, names and usual units of what can be recorded' },
  },
  {
    path: '/view',
    name: null,
    section: null,
    indexed: true,
    summary: {
      name: 'Open shared health data',
      text: 'opens a SMART Health Link and checks what it contains; needs no account',
    },
  },
  {
    path: '/privacy',
    name: 'privacy',
    section: 'about',
    indexed: true,
    summary: { name: 'Privacy', text: 'what is public, what is private, what can be erased' },
  },
  {
    path: '/terms',
    name: 'terms',
    section: 'about',
    indexed: true,
    summary: { name: 'Terms', text: 'the terms of use' },
  },
  {
    path: '/contact',
    name: 'contact',
    section: 'about',
    indexed: true,
    summary: { name: 'Contact', text: 'who operates this server' },
  },
  { path: '/explore#network', name: 'network', section: 'about' },
  {
    path: '/developers',
    name: 'developers',
    section: 'machines',
    indexed: true,
    summary: { name: 'API reference', text: 'signing, every request, every error code, known pitfalls, guides' },
  },
  {
    path: '/developers/errors',
    name: null,
    section: null,
    indexed: true,
    summary: { name: 'Error codes', text: 'what happened and how to fix it' },
  },
  {
    path: '/developers/signature',
    name: null,
    section: null,
    indexed: true,
    summary: { name: 'Check a signature', text: 'finds what was signed in place of the right message' },
  },
  {
    path: '/api/openapi.json',
    name: null,
    section: null,
    summary: { name: 'OpenAPI document', text: 'every request, for programs' },
  },
  {
    path: '/api/ledger',
    name: 'ledger',
    section: 'machines',
    summary: { name: 'Ledger head', text: 'the ledger’s id, the relayer’s public key and the newest entry' },
  },
  {
    path: '/api/ledger/entries',
    name: 'entries',
    section: 'machines',
    summary: { name: 'Entries', text: 'the signed entries, oldest first' },
  },
  {
    path: '/check-proof.mjs',
    name: 'script',
    section: 'machines',
    summary: { name: 'Script to check a proof', text: 'needs only Node.js' },
  },
  {
    path: '/ready',
    name: 'ready',
    section: 'machines',
    summary: { name: 'Readiness', text: 'whether the service accepts writes' },
  },
  { path: '/health', name: 'health', section: 'machines' },
] as const satisfies readonly Place[];

/** What programs read; the browser opens it itself. */
const FOR_PROGRAMS = /^\/(api\/|ready$|health$|check-proof\.mjs$)/;

export const isPage = (path: string): boolean => !FOR_PROGRAMS.test(path);

/** The pages that search engines may index. */
export const PUBLIC_PAGES: readonly string[] = PLACES.filter((place) => 'indexed' in place).map(({ path }) => path);

type Listed = (typeof PLACES)[number];
type InSection<Section> = Extract<Listed, { readonly section: Section }>;

/** The places of a part of the map of the site. */
export const placesIn = <Section extends NonNullable<Listed['section']>>(
  section: Section,
): readonly InSection<Section>[] => PLACES.filter((place): place is InSection<Section> => place.section === section);

/** The lines of /llms.txt about pages, or about what programs read and the API reference. */
export const summariesOf = (isForPrograms: boolean): readonly (Pick<Place, 'path'> & NonNullable<Place['summary']>)[] =>
  PLACES.flatMap((place) =>
    'summary' in place && isForPrograms === (place.path.startsWith('/developers') || !isPage(place.path))
      ? [{ path: place.path, ...place.summary }]
      : [],
  );
