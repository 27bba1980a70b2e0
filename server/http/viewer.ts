import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { languageOf } from '../../messages/preferred-language.ts';
import { refusal } from '../../protocol/errors.ts';
import type { Context } from './context.ts';
import { IMMUTABLE } from './etag.ts';
import type { RestResponse } from './http.ts';
import type { Target } from './request-target.ts';
import { viewerPolicy } from './security-headers.ts';

/** The page that opens shares. */
const PAGE = '/view';
const FILE = /^\/view\/files\/([\w.-]+\.(js|css))$/;
const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const;
/** Not with the weight 0, which refuses it: RFC 9110 §12.5.3. */
const GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;
const DEVELOPMENT = process.env.NODE_ENV === 'development';

/** Whether a path is of the viewer, which app/view/build.mjs builds without Next. */
export const isViewer = (path: string): boolean => path === PAGE || FILE.test(path);

/** Whether it is one of its scripts or its style. */
export const isViewerFile = (path: string): boolean => FILE.test(path);

interface Content {
  readonly plain: Buffer;
  readonly compressed: Buffer;
}

/** By the name of the file, a document also by the id of the ledger that it names. */
const contents = new Map<string, Content>();

/** The document in the language of the visitor, or a file that it names. @throws NOT_FOUND */
export function viewer(
  { ledgerId, publicUrl }: Pick<Context, 'ledgerId' | 'publicUrl'>,
  { path, query }: Pick<Target, 'path' | 'query'>,
  headers: IncomingHttpHeaders,
): RestResponse {
  const [, name, kind] = FILE.exec(path) ?? [];
  if (name !== undefined)
    return encoded(contentOf(name), headers, {
      'content-type': TYPES[kind as keyof typeof TYPES],
      'cache-control': DEVELOPMENT ? 'no-store' : IMMUTABLE,
    });
  const language = languageOf(new URLSearchParams(query).get('lang'), headers['accept-language'] ?? null);
  const content = contentOf(`${language}.html`, ledgerId);
  const [, inline = ''] = /<script>([^<]*)<\/script>/.exec(content.plain.toString()) ?? [];
  const digest = `sha256-${createHash('sha256').update(inline).digest('base64')}`;
  const isLocal = new URL(publicUrl()).protocol === 'http:';
  return encoded(content, headers, {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    'content-security-policy': viewerPolicy(digest, isLocal),
    // Going back to it must not show again what was opened.
    'cache-control': 'no-store',
  });
}

function encoded(
  { plain, compressed }: Content,
  headers: IncomingHttpHeaders,
  own: RestResponse['headers'],
): RestResponse {
  const compresses = GZIP.test(headers['accept-encoding']?.toString() ?? '');
  const encoding = compresses ? { 'content-encoding': 'gzip' } : {};
  return {
    status: 200,
    headers: { vary: 'accept-encoding', ...own, ...encoding },
    body: compresses ? compressed : plain,
  };
}

/** The folder of the build that this process serves; in development one that is written again after a change. */
const folder = () => join(process.env.PERPETUA_PAGES ?? join('.build', 'dev'), 'viewer');

function contentOf(name: string, ledgerId: string | null = null): Content {
  const key = ledgerId === null ? name : `${ledgerId}/${name}`;
  const known = contents.get(key);
  if (known) return known;
  if (!readdirSync(folder()).includes(name)) throw refusal('NOT_FOUND');
  const text = readFileSync(join(folder(), name), 'utf8');
  const plain = Buffer.from(ledgerId === null ? text : text.replace('data-ledger=""', `data-ledger="${ledgerId}"`));
  const content = { plain, compressed: gzipSync(plain, { level: 9 }) };
  if (!DEVELOPMENT) contents.set(key, content);
  return content;
}
