import { describe, expect, test } from 'vitest';
import { linkPage } from './link-pages.ts';

const ADDRESS = '/api/guardian/accept/0123abc';
const PAGE = '/guardian/accept/0123abc';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('the response at a guardian link', () => {
  test.each([
    undefined,
    '',
    '*/*',
    BROWSER,
    'text/html',
    'text/html, application/json;q=0.9',
    '*/*, application/json;q=0.5',
    'application/json;q=0, */*',
    'application/ld+json',
  ])('is a page for Accept: %j', (accept) => {
    expect(linkPage('GET', ADDRESS, accept)).toBe(PAGE);
    expect(linkPage('HEAD', ADDRESS, accept)).toBe(PAGE);
  });

  test.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/json, text/plain, */*',
    'application/json, text/html',
    'application/json;q=0.4, text/html;q=0.3',
    'text/*;q=0.5, application/json;q=0.5',
  ])('is JSON for Accept: %j', (accept) => {
    expect(linkPage('GET', ADDRESS, accept)).toBeNull();
  });

  test('is the API for every other method and path', () => {
    for (const method of ['POST', 'OPTIONS', 'DELETE', 'PUT']) expect(linkPage(method, ADDRESS, BROWSER)).toBeNull();
    for (const path of ['/api/guardian/accept', '/api/guardian/invite/x', `${ADDRESS}/x`])
      expect(linkPage('GET', path, BROWSER)).toBeNull();
  });

  test('is a page for a link with extra characters, and for a truncated link', () => {
    expect(linkPage('GET', `${ADDRESS}/`, BROWSER)).toBe(PAGE);
    expect(linkPage('GET', `${ADDRESS}%20`, BROWSER)).toBe(`${PAGE}%20`);
    expect(linkPage('GET', `${ADDRESS}%E0%A4%A`, BROWSER)).toBe(`${PAGE}%E0%A4%A`);
  });

  test('is a page at the page’s own path, whatever the Accept header', () => {
    expect(linkPage('GET', '/guardian/confirm-recovery/t', 'application/json')).toBe('/guardian/confirm-recovery/t');
  });
});
