import { createHash } from 'node:crypto';
import { createTranslator } from 'use-intl/core';
import type { Language } from '../../messages/languages.ts';
import { type Messages, messagesIn } from '../../messages/messages.ts';
import { languageOf } from '../../messages/preferred-language.ts';
import type { ProtocolError } from '../../protocol/errors.ts';
import type { RestResponse } from './http.ts';
import { selfContainedPolicy } from './security-headers.ts';

/** The colours of app/_ui/styles/tokens.css; a test compares them. */
const STYLE = `:root{color-scheme:light dark;--ground:light-dark(#f6f8f7,#0e1514);--surface:light-dark(#ffffff,#151e1c);--ink:light-dark(#0f1f1c,#e8f0ee);--muted:light-dark(#485854,#a7b6b2);--line:light-dark(#d3dcd9,#2c3836);--accent:light-dark(#0b5b54,#63c9ba);--accent-strong:light-dark(#073f3a,#8bddd1);--on-accent:light-dark(#ffffff,#04211d);--focus:light-dark(#1f3fd6,#9db2ff)}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1.0625rem/1.6 system-ui,sans-serif;overflow-wrap:break-word}
header{border-bottom:1px solid var(--line);background:var(--surface)}
header div,main{max-width:76rem;margin-inline:auto;padding-inline:clamp(1.125rem,4vw,2.5rem)}
header div{display:flex;min-height:4rem;align-items:center}
header a{display:flex;min-height:2.75rem;align-items:center;gap:.625rem;color:inherit;font-size:1.375rem;font-weight:700;letter-spacing:-.025em;text-decoration:none}
svg{width:2rem;height:2rem;color:var(--accent)}
main{padding-block:clamp(4rem,12vh,7rem)}
h1{margin:0 0 1.25rem;font-size:clamp(2.125rem,1.3rem + 3.4vw,3.625rem);line-height:1.06;letter-spacing:-.015em;text-wrap:balance}
p{max-width:38rem;margin:0 0 1rem;font-size:1.1875rem;color:var(--muted);text-wrap:pretty}
p.wait{color:var(--ink);font-weight:600}
main a{display:inline-flex;min-height:2.75rem;align-items:center;margin:1rem 0 2.5rem;padding:.5rem 1.25rem;border:2px solid transparent;border-radius:6px;background:var(--accent);color:var(--on-accent);font-weight:600;text-decoration:none}
main a:hover{background:var(--accent-strong)}
small{display:block;font-size:.875rem;color:var(--muted)}
code{font-family:ui-monospace,monospace}
:focus-visible{outline:3px solid var(--focus);outline-offset:3px}`;

/** Applies the theme chosen on the other pages (app/_ui/theme.ts). */
const SCRIPT = `try{document.documentElement.dataset.theme=localStorage.getItem('theme')||''}catch{}`;

const MARK = `<svg aria-hidden="true" viewBox="0 0 32 32" fill="currentColor"><rect x="3" y="5" width="5" height="2.5" rx="1.25"/><rect x="11" y="5" width="10" height="2.5" rx="1.25"/><rect x="24" y="5" width="5" height="2.5" rx="1.25"/><rect x="3" y="11" width="26" height="4.5" rx="1.5" opacity=".72"/><rect x="3" y="19" width="26" height="9" rx="1.5"/></svg>`;

const digest = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const POLICY = selfContainedPolicy(digest(STYLE), digest(SCRIPT));

/**
 * The HTML page for a refused page request. It is written here because rendering one in Next would cost what the
 * refusal saves. `query` and `acceptLanguage` choose its language, as for every page.
 */
export function noticePage(
  refused: ProtocolError,
  { requestId, query, acceptLanguage }: { requestId: string; query: string; acceptLanguage: string | undefined },
): RestResponse {
  const language = languageOf(new URLSearchParams(query).get('lang'), acceptLanguage ?? null);
  const seconds = Number(refused.details?.retry_after_seconds ?? 0);
  return {
    status: refused.status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    },
    body: documentOf(language, noticeOf(refused), seconds, requestId),
  };
}

/** Why a page was refused: too many requests, a part of the service is unavailable, an internal error. */
type Notice = 'busy' | 'unavailable' | 'broken';

function noticeOf({ code }: ProtocolError): Notice {
  if (code === 'RATE_LIMITED') return 'busy';
  return code === 'UNAVAILABLE' ? 'unavailable' : 'broken';
}

/** Created once: a translator parses each message on first use, and refusals are frequent. */
const TRANSLATORS = { en: translatorIn('en'), 'pt-BR': translatorIn('pt-BR'), es: translatorIn('es') };

function translatorIn(locale: Language) {
  const messages = messagesIn(locale);
  return createTranslator<Messages, 'notices'>({ locale, messages, namespace: 'notices', timeZone: 'UTC' });
}

/** No text here needs HTML escaping: messages are ours, and a request id has only letters, digits, dots and dashes. */
function documentOf(language: Language, notice: Notice, seconds: number, requestId: string): string {
  const t = TRANSLATORS[language];
  const title = t(`${notice}.title`);
  const wait = seconds > 0 ? `<p class="wait">${t('wait', { seconds })}</p>` : '';
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Perpetua</title>
<style>${STYLE}</style>
<script>${SCRIPT}</script>
</head>
<body>
<header><div><a href="/">${MARK}Perpetua</a></div></header>
<main>
<h1>${title}</h1>
<p>${t(`${notice}.body`)}</p>
${wait}
<a href="">${t('retry')}</a>
<small>${t('reference')} <code>${requestId}</code></small>
</main>
</body>
</html>
`;
}
