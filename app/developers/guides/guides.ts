import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A document of this repository that integrators need. */
export interface Guide {
  /** The end of its address: /developers/guides/<slug>. */
  readonly slug: string;
  readonly name: string;
  /** Relative to the root of the repository. */
  readonly file: string;
}

const guide = (slug: string, file: string, name: string): Guide => ({ slug, name, file });

export const GUIDES: readonly Guide[] = [
  guide('client', 'client/README.md', 'TypeScript client'),
  guide('events', 'docs/events.md', 'Events and webhooks'),
  guide('consent', 'docs/consent.md', 'Consent, institutions and the institute'),
  guide('exchange', 'docs/exchange.md', 'Health records'),
  guide('sharing', 'docs/sharing.md', 'Sharing by SMART Health Links'),
  guide('recovery', 'docs/recovery.md', 'Guardians and recovery'),
  guide('audit', 'docs/audit.md', 'Receipts, proofs and the ledger'),
  guide('transparency', 'docs/transparency.md', 'Transparency log'),
  guide('cryptography', 'docs/cryptography.md', 'Keys, messages and signatures'),
  guide('vectors', 'protocol/vectors/README.md', 'Test vectors'),
  guide('mcp', 'docs/mcp.md', 'MCP server for assistants'),
];

/** Files that integrators download, relative to the root of the repository. Their names are unique. */
const FILES = [
  'docs/examples/perpetua.py',
  'docs/examples/sign_everything.py',
  ...['messages', 'invalid-messages', 'ed25519', 'jcs', 'commitments', 'fingerprint', 'shares', 'transparency'].map(
    (name) => `protocol/vectors/${name}.json`,
  ),
];

const PAGES: Readonly<Record<string, string>> = {
  'docs/api.md': '/developers',
  'protocol/errors.ts': '/developers/errors',
  'public/check-proof.mjs': '/check-proof.mjs',
  ...Object.fromEntries(GUIDES.map(({ file, slug }) => [file, `/developers/guides/${slug}`])),
  ...Object.fromEntries(FILES.map((file) => [file, `/developers/files/${basename(file)}`])),
};

/** The address of what a link in a guide leads to; null if it is not on this site. */
export function addressOf(href: string, { file }: Guide): string | null {
  if (/^(https:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const address = PAGES[join(file, '..', path)];
  return address && anchor ? `${address}#${anchor}` : (address ?? null);
}

/** The path of a file to download by its name. */
export const fileNamed = (name: string): string | undefined => FILES.find((file) => basename(file) === name);

const texts = new Map<string, string>();

/** The text of a file of this repository. Like Next, it is looked for in the folder that the service runs in. */
export function readText(file: string): string {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(join(process.cwd(), file), 'utf8');
  texts.set(file, text);
  return text;
}

/** Markdown without the title, and the title. */
export function contentOf({ file, name }: Guide): { title: string; body: string } {
  const text = readText(file);
  const [first = '', title = name] = /^# (.+)\n+/.exec(text) ?? [];
  return { title, body: text.slice(first.length) };
}
