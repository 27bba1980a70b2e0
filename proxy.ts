import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { CHOSEN_LOCALE_HEADER, LOCALE_HEADER } from './app/_i18n/request-locale.ts';
import { languageOf } from './messages/preferred-language.ts';
import { linkPage } from './server/http/rest/link-pages.ts';

/**
 * Gives every page a content security policy with a nonce of its own, which Next puts on the scripts it writes, and its language;
 * shows people who follow a guardian link its page.
 */
export function proxy(request: NextRequest) {
  const { pathname, searchParams } = request.nextUrl;
  const link = linkPage(request.method, pathname, request.headers.get('accept') ?? undefined);
  const policy = contentSecurityPolicy(randomBytes(16).toString('base64'));
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  headers.set(CHOSEN_LOCALE_HEADER, searchParams.get('lang') ?? '');
  headers.set(LOCALE_HEADER, languageOf(searchParams.get('lang'), request.headers.get('accept-language')));

  const response = link ? showPage(request, link, headers) : NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  if (link) response.headers.set('x-robots-tag', 'noindex, nofollow');
  return response;
}

export const config = {
  matcher: [
    '/((?!api/|_next/|health$|ready$|metrics$).*)',
    '/api/guardian/accept/:token',
    '/api/guardian/confirm-recovery/:token',
    '/api/mail/unsubscribe/:token',
    '/api/alerts/confirm/:token',
  ],
};

function showPage(request: NextRequest, path: string, headers: Headers): NextResponse {
  const url = request.nextUrl.clone();
  url.pathname = path;
  return NextResponse.rewrite(url, { request: { headers } });
}

function contentSecurityPolicy(nonce: string): string {
  const development = process.env.NODE_ENV === 'development';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self'${development ? " 'unsafe-inline'" : ''}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
