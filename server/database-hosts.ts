import { parseUrl } from '../protocol/parse-url.ts';

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
