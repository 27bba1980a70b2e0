import type { IncomingMessage } from 'node:http';

/** The names under which a browser of this machine, or at the other end of an SSH tunnel, reaches the page. */
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
/** Headers that a proxy adds. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Why a request to the admin page is refused, or null. Another Host is that of a website whose name was rebound to this
 * machine. A form on another site, also on another port of this machine, has another Origin.
 */
export function refusalReason({ method, headers }: IncomingMessage): string | null {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (host === undefined || !LOCAL_HOST.test(host)) return 'Open this page at http://localhost with its port.';
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined))
    return 'Open this page without a proxy, for example through an SSH tunnel.';
  if (method === 'GET' || method === 'HEAD') return null;
  const isForeign =
    (site !== undefined && site !== 'same-origin') || (origin !== undefined && origin !== `http://${host}`);
  return isForeign ? 'This request comes from another page.' : null;
}
