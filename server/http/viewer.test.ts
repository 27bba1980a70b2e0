import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LANGUAGES } from '../../messages/languages.ts';
import type { LedgerId } from '../../protocol/ids.ts';
import { IMMUTABLE } from './etag.ts';
import { viewer } from './viewer.ts';

const SCRIPT = 'export const text = \'data-ledger=""\';';

const pages = mkdtempSync(join(tmpdir(), 'perpetua-viewer-'));

/** Files with the names of a build (app/view/build.mjs). */
beforeAll(() => {
  const folder = join(pages, 'viewer');
  mkdirSync(folder);
  for (const language of LANGUAGES)
    writeFileSync(join(folder, `${language}.html`), `<html lang="${language}" data-ledger=""><script>theme()</script>`);
  writeFileSync(join(folder, 'view-1.js'), SCRIPT);
  writeFileSync(join(folder, 'view-1.css'), 'a{}');
  vi.stubEnv('PERPETUA_PAGES', pages);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(pages, { recursive: true });
});

const FIRST = { ledgerId: 'first' as LedgerId, publicUrl: () => 'https://perpetua.example' };

function get(path: string, headers: IncomingHttpHeaders = {}, { query = '', service = FIRST } = {}) {
  const response = viewer(service, { path, query }, headers);
  return { ...response, text: Buffer.from(response.body as Uint8Array).toString() };
}

test('the document has the language of the visitor, or the one of the address', () => {
  const portuguese = { 'accept-language': 'pt-BR,en;q=0.5' };
  expect(get('/view', portuguese)).toMatchObject({
    status: 200,
    text: expect.stringContaining('<html lang="pt-BR"'),
    headers: { 'content-language': 'pt-BR', 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
  expect(get('/view', portuguese, { query: 'lang=es' }).text).toContain('<html lang="es"');
  expect(get('/view').text).toContain('<html lang="en"');
});

test('each service of a process puts the id of its own ledger into the document, and into no script', () => {
  const second = { ...FIRST, ledgerId: 'second' as LedgerId };
  for (const service of [FIRST, second, FIRST])
    expect(get('/view', {}, { service }).text).toContain(`data-ledger="${service.ledgerId}"`);
  expect(get('/view/files/view-1.js').text).toBe(SCRIPT);
});

test('the document allows its own inline script by its hash', () => {
  const { headers } = get('/view');
  const digest = createHash('sha256').update('theme()').digest('base64');
  expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${digest}'`);
});

test('scripts and the style are kept by browsers for good, and compressed for those that take it', () => {
  expect(get('/view/files/view-1.css').headers).toEqual({
    vary: 'accept-encoding',
    'content-type': 'text/css; charset=utf-8',
    'cache-control': IMMUTABLE,
  });
  const { headers, body } = get('/view/files/view-1.js', { 'accept-encoding': 'br, gzip' });
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(gunzipSync(body as Uint8Array).toString()).toBe(SCRIPT);
});

test('a file is not compressed for those that give gzip the weight 0', () => {
  const encodingFor = (accepted: string) =>
    get('/view/files/view-1.js', { 'accept-encoding': accepted }).headers['content-encoding'] ?? null;
  const compressed = ['gzip', 'GZIP;q=0.5', 'gzip;q=0.01, br;q=0', 'gzip;q=1.0'];
  expect(compressed.map(encodingFor)).toEqual(compressed.map(() => 'gzip'));
  const plain = ['', 'br', 'gzip;q=0', 'gzip ; q=0.000, br', 'gzip;q=0,br'];
  expect(plain.map(encodingFor)).toEqual(plain.map(() => null));
});

test('a file that the build does not have is not found', () => {
  for (const name of ['other.js', '..js', 'en.html.css'])
    expect(() => get(`/view/files/${name}`)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
});
