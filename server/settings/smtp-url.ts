import { parseUrl } from '../../protocol/parse-url.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS wherever the server offers it. */
  readonly secure: boolean;
  readonly credentials: { readonly user: string; readonly pass: string } | null;
}

const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;
const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;
const HOST_6 = /^\[([0-9a-f:.]+)\]$/i;

/** `smtp://` or `smtps://`, a host, and where needed a port and credentials, percent-encoded; null for anything else. RFC 8314. */
export function readSmtpUrl(text: string): SmtpServer | null {
  const url = parseUrl(text);
  if (!url) return null;
  const secure = url.protocol === 'smtps:';
  if (!secure && url.protocol !== 'smtp:') return null;
  const host = HOST_6.exec(url.hostname)?.[1] ?? HOST.exec(url.hostname)?.[0];
  if (!host || /[^/]/.test(url.pathname) || url.search || url.hash) return null;
  const user = decoded(url.username);
  const pass = decoded(url.password);
  if (user === null || pass === null || (user === '') !== (pass === '')) return null;
  const port = Number(url.port) || (secure ? SUBMISSIONS_PORT : SUBMISSION_PORT);
  return { host, port, secure, credentials: user === '' ? null : { user, pass } };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
