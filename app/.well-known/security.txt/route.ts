import { getContext } from '../../../server/http/context.ts';

const VALID_MS = 180 * 24 * 3_600_000;

/** Whom to tell about a vulnerability (RFC 9116). Without a contact there is no such file. */
export function GET(): Response {
  const { config, now, publicUrl } = getContext();
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' };
  if (!config.CONTACT_EMAIL) {
    return new Response('The operator has set no CONTACT_EMAIL.\n', { status: 404, headers });
  }
  const lines = [
    `Contact: mailto:${config.CONTACT_EMAIL}`,
    `Expires: ${new Date(now() + VALID_MS).toISOString()}`,
    'Preferred-Languages: en, pt, es',
    `Canonical: ${publicUrl()}/.well-known/security.txt`,
  ];
  return new Response(`${lines.join('\n')}\n`, { headers });
}
