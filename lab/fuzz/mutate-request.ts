import type { Random } from '../chaos/random.ts';
import type { FuzzRequest, Header, Template } from './fuzz-request.ts';
import { changedText, mutated } from './mutate-json.ts';
import { mutatedText } from './mutate-text.ts';
import { ODD_TEXTS } from './odd-values.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const SEGMENTS = [
  '../faults',
  '.',
  '%2e%2e',
  '%2F',
  '%252f',
  '%5c',
  '%00',
  '%',
  '%ff',
  '%c0%ae',
  '',
  '\\',
  ';a=b',
  '~',
  '*',
];
const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['content-type', ['', 'text/plain', 'application/JSON; charset=utf-16', 'application/x-www-form-urlencoded', '/;;=']],
  ['content-encoding', ['gzip', 'identity', 'br, gzip']],
  ['accept', ['', '*/*', 'text/html', 'application/json;q=0', ';;;,,,', 'text/html;q=NaN, application/json;q=1e9']],
  ['accept-language', ['', 'pt-BR', 'xx', '*;q=0', 'a'.repeat(2_000), 'en;q=,es;q=1']],
  ['accept-encoding', ['gzip', '*;q=0']],
  ['x-request-id', ['', 'a b', 'x'.repeat(300), '\u00ff', 'id-1']],
  ['idempotency-key', ['', ' ', 'k'.repeat(256), 'key', '\u00e9']],
  ['if-none-match', ['*', '"', 'W/"0"', ','.repeat(500)]],
  ['x-perpetua-seq', ['-1', '0', '1e9', '999999999999999', '9'.repeat(40), '1, 2']],
  [
    'x-forwarded-for',
    ['', 'unknown', '::1', '1.2.3.4, 5.6.7.8', '999.1.1.1', ','.repeat(200), 'fe80::1%eth0', '[::1]:80'],
  ],
  ['x-institute-key', ['', 'x', 'A'.repeat(43), '\u00e9']],
  ['x-nonce', ['', 'n'.repeat(300)]],
  ['x-timestamp', ['', 'now', '9999-12-31T23:59:59Z']],
  ['x-signature', ['', 'AAAA', '='.repeat(90)]],
  ['x-consent-token', ['', '\u00ff'.repeat(10)]],
  ['host', ['', 'a b', '[::1', 'evil.example:99999', 'localhost']],
  ['origin', ['null', 'https://evil.example']],
  ['expect', ['100-continue', 'x']],
  ['upgrade', ['websocket', 'h2c']],
  ['connection', ['upgrade', 'close', 'keep-alive, x', 'content-length']],
  ['range', ['bytes=0-1', 'bytes=-1', 'bytes=9-0,']],
  ['cookie', ['a=b', '='.repeat(3_000)]],
  ['authorization', ['Bearer x', 'Basic AAAA']],
  ['mcp-protocol-version', ['', '1900-01-01', '2025-06-18']],
  ['x-perpetua-client-address', ['10.0.0.1']],
  ['x-http-method-override', ['DELETE']],
  ['next-action', ['x']],
  ['rsc', ['1']],
  ['x-middleware-subrequest', ['proxy:proxy:proxy:proxy:proxy']],
];

/** A request made of a template. About a third are sent as they are. */
export function requestOf(template: Template, random: Random): FuzzRequest {
  const how = random.whole(0, 99);
  if (how < 33) return plain(template);
  if (how < 55)
    return plain({ ...template, json: template.json === undefined ? undefined : mutated(template.json, random) });
  if (how < 65) return plain({ ...template, query: changedQuery(template.query, random) });
  if (how < 72) return plain({ ...template, path: changedPath(template.path, random) });
  if (how < 75) return plain({ ...template, method: random.pick(METHODS) });
  if (how < 88) return changedHeaders(plain(template), random);
  return { ...plain(template), body: mutatedText(template.json ?? {}, random) };
}

function plain({ route, method, path, query, headers, json }: Template): FuzzRequest {
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  return {
    route,
    method,
    target: search === '' ? path : `${path}?${search}`,
    headers: headers.map(([name, value]): Header => [name, sendable(value)]),
    body: json === undefined ? null : Buffer.from(JSON.stringify(json) ?? ''),
    isWellFormed: true,
  };
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
/** Without the characters that would end the header, or that Node's parser refuses. */
const sendable = (value: string): string => value.replace(/[^\t -~\u0080-\u00ff]/g, '?');

function changedQuery(query: readonly Header[], random: Random): readonly Header[] {
  if (query.length === 0 || random.chance(0.3)) {
    const name = random.pick(['limit', 'cursor', 'after', 'x', '', '__proto__', 'signature', 'batch', 'input']);
    const times = random.pick([1, 1, 1, 2, 1_000]);
    return [...query, ...Array.from({ length: times }, (): Header => [name, random.pick(ODD_TEXTS).slice(0, 500)])];
  }
  const at = random.whole(0, query.length - 1);
  const [name, value] = query[at] as Header;
  const how = random.whole(0, 3);
  if (how === 0) return query.toSpliced(at, 1);
  if (how === 1) return [...query, [name, value]];
  return query.with(at, [name, changedText(value, random).slice(0, 2_000)]);
}

function changedPath(path: string, random: Random): string {
  const segments = path.split('/');
  const at = random.whole(1, segments.length - 1);
  const segment = segments[at] ?? '';
  switch (random.whole(0, 7)) {
    case 0:
      return segments.with(at, random.pick(SEGMENTS)).join('/');
    case 1:
      return segments.toSpliced(at, 0, random.pick(SEGMENTS)).join('/');
    case 2:
      return segments.toSpliced(at, 1).join('/') || '/';
    case 3:
      return `${path}/`;
    case 4:
      return segments.with(at, encodeURIComponent(changedText(segment, random).toWellFormed())).join('/');
    case 5:
      return segments.with(at, 'x'.repeat(random.pick([300, 8_000]))).join('/');
    case 6:
      return random.pick([`http://evil.example${path}`, `//evil.example${path}`, path.toUpperCase(), `${path}#x`]);
    default:
      return segments.with(at, random.pick(ODD_TEXTS).replace(/[^!-~]/g, '')).join('/');
  }
}

function changedHeaders(request: FuzzRequest, random: Random): FuzzRequest {
  const changed = { ...request, isWellFormed: false };
  const how = random.whole(0, 9);
  if (how === 0)
    return { ...changed, headers: [...request.headers, ['x-long', 'x'.repeat(random.pick([1_000, 17_000]))]] };
  if (how === 1) {
    const many = Array.from({ length: random.pick([90, 101, 300]) }, (_, index): Header => [`x-${index}`, '1']);
    return { ...changed, headers: [...request.headers, ...many] };
  }
  if (how === 2 && request.headers.length > 0) {
    return { ...changed, headers: [...request.headers, random.pick(request.headers)] };
  }
  if (how === 3) {
    const at = random.whole(0, request.headers.length - 1);
    return { ...changed, headers: request.headers.toSpliced(at, 1) };
  }
  const [name, values] = random.pick(HEADERS);
  const others = request.headers.filter(([other]) => other !== name || random.chance(0.2));
  return { ...changed, headers: [...others, [name, random.pick(values)]] };
}
