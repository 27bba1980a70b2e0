import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { creation } from '../testing/test-load.ts';
import { type Instance, newInstance } from '../testing/test-product.ts';
import { EXPIRED, TRUST, testTls } from '../testing/test-tls.ts';
import { halfSent, requestOnce, statusOf } from './test-http-requests.ts';

const tls = testTls();
let instance: Instance;
beforeAll(async () => {
  instance = await newInstance({ ...tls.env, PROCESSES: '2', LOG_LEVEL: 'info' });
});
afterAll(async () => {
  await instance.remove();
  tls.remove();
});

test('two processes serve API and pages by HTTPS, and complete their requests on SIGTERM', async () => {
  const product = await instance.start();
  while (!product.output().includes('serves on')) await sleep(20);
  const { port } = new URL(product.url);
  expect(product.output()).toContain(`Perpetua serves on https://localhost:${port} with 2 processes`);
  const body = JSON.stringify(creation());
  const created = await requestOnce(`${product.url}/api/relayer/beo`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
    ...TRUST,
  });
  expect(created.status).toBe(201);
  // proxy.ts shows a page for a link of the API, which Next does by a request of its own.
  const browser = { headers: { accept: 'text/html' }, ...TRUST };
  const link = await requestOnce(`${product.url}/api/guardian/accept/${'a'.repeat(43)}`, browser);
  expect([link.status, link.body.slice(0, 15)]).toEqual([404, '<!DOCTYPE html>']);
  const page = await requestOnce(`${product.url}/`, browser);
  expect(page.status).toBe(200);
  // For localhost it would require HTTPS of every other service on this machine.
  expect(page.headers['strict-transport-security']).toBeUndefined();

  const late = connect({ port: Number(port), host: '127.0.0.1', ...TRUST });
  const finish = await halfSent(late, product.url, creation(), TRUST);
  const ended = product.end('SIGTERM');
  await expect.poll(() => statusOf(`${product.url}/health`, TRUST)).toBe(0);
  expect(await finish()).toMatch(/^HTTP\/1\.1 201 /);
  expect(await ended).toBe(0);
});

test('a key of another certificate prevents the start and is reported once', async () => {
  tls.write({ key: EXPIRED.key });
  const { code, output } = await instance.failToStart({ LOG_LEVEL: 'error' });
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key } = tls.env;
  expect([code, output]).toEqual([
    1,
    `Perpetua cannot start: TLS_KEY_FILE is wrong: ${key} is not the key of the first certificate in ${cert}.\n`,
  ]);
  expect(instance.postmaster()).toBe(null);
});
