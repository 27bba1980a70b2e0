import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/test-service.ts';
import type { PageHandler } from './pages.ts';
import { createRequestListener } from './request-listener.ts';
import { ROUTES } from './rest/routes.ts';
import { rawRequest } from './rest/test-requests.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const HTML = `<!DOCTYPE html>${'<p>Page not found</p>'.repeat(1_000)}`;

/** Responds in the ways that Next has: the path says which, and /known is a page. */
const page: PageHandler = async (request, response) => {
  await new Promise<void>((next) => compress(request, response, next));
  response.setHeader('content-type', 'text/html; charset=utf-8').setHeader('cache-control', 's-maxage=31536000');
  response.statusCode = request.url === '/known' ? 200 : 404;
  if (request.url === '/whole') return void response.writeHead(404, { 'content-length': HTML.length }).end(HTML);
  response.flushHeaders();
  response.write(HTML.slice(0, 9_000));
  response.write(HTML.slice(9_000));
  response.end();
};
/** What Next compresses with. */
const compress: (...given: [...Parameters<PageHandler>, () => void]) => void = createRequire(import.meta.url)(
  'next/dist/compiled/compression',
)();

let service: TestService;
let server: Server;
let url: string;
beforeAll(async () => {
  service = await startTestService();
  // Without a time after which a connection that a slow test uses again would be closed.
  server = createServer({ keepAliveTimeout: 0 }, createRequestListener(service.service.context, page));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await service.stop();
});

const PATHS = ['/unknown', '/whole', '/v1/nothing', '/explore/%'];
const read = (path: string, accept: string | undefined, more: Record<string, string> = {}, method = 'GET') =>
  rawRequest(url, { method, path, headers: { ...(accept === undefined ? {} : { accept }), ...more } });

test.each([undefined, '*/*', 'application/json', 'image/webp,*/*'])(
  'an unknown path is JSON for a client that accepts %s',
  async (accept) => {
    for (const path of PATHS) {
      for (const coding of ['identity', 'gzip']) {
        const { status, headers, body } = await read(path, accept, { 'accept-encoding': coding });
        expect([path, status, body?.code, body?.request_id]).toEqual([path, 404, 'NOT_FOUND', headers['x-request-id']]);
        expect(headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
        expect(headers).not.toHaveProperty('content-encoding');
      }
      const { status, text, headers } = await read(path, accept, {}, 'HEAD');
      expect([path, status, text, headers['content-type']]).toEqual([path, 404, '', 'application/json; charset=utf-8']);
    }
  },
);

test.each([BROWSER, 'text/html', 'application/json;q=0.5, text/html'])(
  'an unknown path is a page for a client that accepts %s',
  async (accept) => {
    for (const path of PATHS) {
      const { status, text } = await read(path, accept);
      expect([path, status, text === HTML]).toEqual([path, 404, true]);
    }
  },
);

test('a page is a page for a client that names no type, and so is a navigation within the pages', async () => {
  expect([(await read('/known', '*/*')).text === HTML, (await read('/known', undefined)).status]).toEqual([true, 200]);
  expect((await read('/unknown', '*/*', { rsc: '1' })).text).toBe(HTML);
});

test('a path parameter that cannot be read is refused by the API beside pages too, at whatever address', async () => {
  for (const { method, path } of ROUTES.filter((route) => /\/[:*]/.test(route.path))) {
    for (const value of ['%2F', '%2e', '%FF', '%C0%AF', '%ZZ', '%']) {
      const { status, body } = await read(path.replace(/[:*]\w+/g, value), 'application/json', {}, method);
      expect([path, value, status, body?.code]).toEqual([path, value, 400, 'VALIDATION_FAILED']);
    }
  }
});

test('slashes too many are redirected for a browser only, so that an unknown path is JSON with them too', async () => {
  for (const path of ['/v1/', '//unknown', '/v1//nothing/?x=1']) {
    expect((await read(path, '*/*')).body).toMatchObject({ code: 'NOT_FOUND' });
    expect((await read(path, BROWSER)).status).toBe(308);
  }
  const { status, text } = await read('/known/', undefined);
  expect([status, text === HTML]).toEqual([200, true]);
});

test('the page of an unknown guardian link is a page for a client that names no type', async () => {
  const { status, text } = await read(`/api/guardian/accept/${'x'.repeat(43)}`, '*/*');
  expect([status, text === HTML]).toEqual([404, true]);
});
