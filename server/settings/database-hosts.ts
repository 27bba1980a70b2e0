import { parseUrl } from '../../protocol/parse-url.ts';
import { isLoopback } from './client-address.ts';

const URL_PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)([^#]*)$/;
/** Values of libpq's target_session_attrs that describe a primary. */
const PRIMARY = new Set(['read-write', 'primary']);

/**
 * A URL for each host of a database URL, `postgres://user:password@one:5432,two:5432/name?target_session_attrs=read-write`,
 * in its order. Null if it is not such a URL, or asks for anything but a primary.
 */
export function databaseHosts(url: string): string[] | null {
  const [, scheme = '', user = '', hosts, rest = ''] = URL_PARTS.exec(url) ?? [];
  if (hosts === undefined) return null;
  const urls = hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`);
  if (!urls.every((each) => parseUrl(each) !== null) || (urls.length > 1 && hosts.split(',').includes(''))) return null;
  return urls.every(wantsPrimary) ? urls.map(withoutTarget) : null;
}

const TARGET = 'target_session_attrs';

function wantsPrimary(url: string): boolean {
  const target = new URL(url).searchParams.get(TARGET);
  return target === null || PRIMARY.has(target);
}

function withoutTarget(url: string): string {
  if (!url.includes(TARGET)) return url;
  const single = new URL(url);
  single.searchParams.delete(TARGET);
  return single.href;
}

/** Values of libpq's sslmode with which pg encrypts the connection. */
const ENCRYPTED = new Set(['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']);

/**
 * The hosts of a database URL, other than this machine, to which connections are not encrypted.
 * @param sslMode PGSSLMODE, which counts where the URL says nothing
 */
export function unencryptedHosts(url: string, sslMode: string | undefined): string[] {
  return (databaseHosts(url) ?? []).flatMap((each) => {
    const { hostname, searchParams } = new URL(each);
    const host = (searchParams.get('host') ?? hostname).replace(/^\[|\]$/g, '');
    const isLocal = host === '' || /^(%2f|\/)/i.test(host) || /^(.+\.)?localhost$/.test(host) || isLoopback(host);
    const given =
      searchParams.get('sslmode') ?? (/^(true|1)$/.test(searchParams.get('ssl') ?? '') ? 'require' : sslMode);
    return isLocal || ENCRYPTED.has(given ?? '') ? [] : [host];
  });
}

/** A sentence about connections to databases that are not encrypted; null if there are none. */
export function unencryptedProblem(
  {
    DATABASE_URL,
    DATABASE_READ_URL,
  }: { readonly DATABASE_URL?: string | undefined; readonly DATABASE_READ_URL: readonly string[] },
  sslMode = process.env.PGSSLMODE,
): string | null {
  const urls = [...(DATABASE_URL === undefined ? [] : [DATABASE_URL]), ...DATABASE_READ_URL];
  const hosts = [...new Set(urls.flatMap((url) => unencryptedHosts(url, sslMode)))];
  if (hosts.length === 0) return null;
  return `Connections to the database at ${hosts.join(', ')} are not encrypted: whoever is on the network between can read and change them.`;
}

export const ENCRYPT_DATABASE =
  'Add ?sslmode=verify-full to DATABASE_URL and DATABASE_READ_URL, or use a private network.';
