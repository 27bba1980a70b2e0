import { describe, expect, test } from 'vitest';
import { linkPage } from './link-pages.ts';

const API_PATH = '/api/guardian/accept/0123abc';
const PAGE_PATH = '/guardian/accept/0123abc';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('the response to a guardian link', () => {
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
    expect(linkPage('GET', API_PATH, accept)).toBe(PAGE_PATH);
    expect(linkPage('HEAD', API_PATH, accept)).toBe(PAGE_PATH);
  });

  test.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/json, text/plain, */*',
    'application/json, text/html',
    'application/json;q=0.4, text/html;q=0.3',
    'text/*;q=0.5, application/json;q=0.5',
  ])('is JSON for Accept: %j', (accept) => {
    expect(linkPage('GET', API_PATH, accept)).toBeNull();
  });

  test('is the API’s for every other method and path', () => {
    for (const method of ['POST', 'OPTIONS', 'DELETE', 'PUT']) expect(linkPage(method, API_PATH, BROWSER)).toBeNull();
    for (const path of ['/api/guardian/accept', '/api/guardian/invite/x', `${API_PATH}/x`])
      expect(linkPage('GET', path, BROWSER)).toBeNull();
  });

  test('is a page for a link with extra or missing characters', () => {
    expect(linkPage('GET', `${API_PATH}/`, BROWSER)).toBe(PAGE_PATH);
    expect(linkPage('GET', `${API_PATH}%20`, BROWSER)).toBe(`${PAGE_PATH}%20`);
    expect(linkPage('GET', `${API_PATH}%E0%A4%A`, BROWSER)).toBe(`${PAGE_PATH}%E0%A4%A`);
  });

  test('is a page at a short address, which the API does not have', () => {
    for (const accept of [BROWSER, 'application/json']) {
      expect(linkPage('GET', '/g/0123abc', accept)).toBe(PAGE_PATH);
      expect(linkPage('HEAD', '/r/0123abc/', accept)).toBe('/guardian/confirm-recovery/0123abc');
    }
    for (const path of ['/g', '/g/', '/g/a/b', '/api/g/0123abc', '/m/0123abc'])
      expect(linkPage('GET', path, BROWSER)).toBeNull();
  });

  test('is a page at the page’s own path for any Accept header', () => {
    expect(linkPage('GET', '/guardian/confirm-recovery/t', 'application/json')).toBe('/guardian/confirm-recovery/t');
  });
});
