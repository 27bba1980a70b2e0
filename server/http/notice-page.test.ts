import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { refusal } from '../../protocol/errors.ts';
import { noticePage } from './notice-page.ts';

const BUSY = refusal('RATE_LIMITED', 'Too many.', { retry_after_seconds: 40 });
const request = { requestId: 'order-1234', query: '', acceptLanguage: '' };
const page = (more: Partial<typeof request> = {}, refused = BUSY) => {
  const { status, headers, body } = noticePage(refused, { ...request, ...more });
  return { status, headers, html: String(body) };
};
const contentOf = (html: string, tag: string) => new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(html)?.[1] ?? '';

describe('the page of a refusal', () => {
  test('shows when to retry and the request id', () => {
    const { status, headers, html } = page();
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      429,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(contentOf(html, 'h1')).toBe('Wait a moment');
    expect(html).toContain('You can continue in 40 seconds.');
    expect(contentOf(html, 'code')).toBe('order-1234');
  });

  test.each([
    ['en', '', 'fr', 'Wait a moment'],
    ['pt-BR', '', 'pt-PT,en;q=0.5', 'Aguarde um momento'],
    ['es', '', 'es-MX', 'Espere un momento'],
    ['es', 'a=b&lang=es', 'pt', 'Espere un momento'],
    ['pt-BR', 'lang=xx', 'pt', 'Aguarde um momento'],
  ])('is in the language of the other pages: %s for ?%s and %s', (language, query, acceptLanguage, title) => {
    const { html, headers } = page({ query, acceptLanguage });
    expect([/<html lang="([^"]+)"/.exec(html)?.[1], headers['content-language'], contentOf(html, 'h1')]).toEqual([
      language,
      language,
      title,
    ]);
  });

  test('differs for an unavailable service and an internal error, without a time', () => {
    const titles = [refusal('UNAVAILABLE'), refusal('INTERNAL')].map((refused) => page({}, refused));
    expect(titles.map(({ status, html }) => [status, contentOf(html, 'h1')])).toEqual([
      [503, 'Try again shortly'],
      [500, 'We can’t show this page'],
    ]);
    for (const { html } of titles) expect(html).not.toContain('class="wait"');
  });

  test('allows only its own style and script, by their digests', () => {
    const { html, headers } = page();
    const digest = (tag: string) => `sha256-${createHash('sha256').update(contentOf(html, tag)).digest('base64')}`;
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src '${digest('style')}'; script-src '${digest('script')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(html).not.toMatch(/\s(style|on\w+)=|<(link|img|iframe)/);
  });

  test('has the colours of the other pages', () => {
    const tokens = readFileSync(new URL('../../app/_ui/styles/tokens.css', import.meta.url), 'utf8');
    const colours = [...page().html.matchAll(/(--[\w-]+):(light-dark\([^)]+\))/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(colours.length).toBeGreaterThan(5);
    for (const [name, value] of colours) expect(tokens).toContain(`${name}: ${value?.replace(',', ', ')};`);
  });
});
