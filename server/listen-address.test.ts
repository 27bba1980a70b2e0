import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { listenAddress } from './listen-address.ts';

test.each<[Record<string, string>, string | undefined, string]>([
  [{}, '127.0.0.1', '127.0.0.1 only'],
  [{ PUBLIC_URL: 'http://localhost:8080' }, '127.0.0.1', '127.0.0.1 only'],
  [{ PUBLIC_URL: 'http://127.0.0.1:8080/' }, '127.0.0.1', '127.0.0.1 only'],
  [{ PUBLIC_URL: 'http://[::1]:8080' }, '127.0.0.1', '127.0.0.1 only'],
  [{ PUBLIC_URL: 'https://perpetua.example' }, undefined, 'every interface'],
  [{ PUBLIC_URL: 'https://localhost.example' }, undefined, 'every interface'],
  [{ PUBLIC_URL: 'http://10.0.0.7' }, undefined, 'every interface'],
  [{ PUBLIC_URL: 'https://perpetua.example', HOST: '127.0.0.1' }, '127.0.0.1', 'as set by HOST'],
  [{ HOST: '0.0.0.0' }, '0.0.0.0', 'as set by HOST'],
  [{ HOST: '' }, '127.0.0.1', '127.0.0.1 only'],
])('with %j the service listens on %s, and reports it', (env, host, words) => {
  const listening = listenAddress(readConfig(env));
  expect(listening.host).toBe(host);
  expect(listening.sentence).toContain(words);
});
