import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError, readConfig } from '../../config.ts';
import { listen, listenAddress } from './listen-address.ts';

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

test('an address or a port that cannot be used is reported in one sentence', async () => {
  const taken = createServer();
  onTestFinished(() => void taken.close());
  await listen(taken, 0, '127.0.0.1');
  const { port } = taken.address() as AddressInfo;
  const problem = async (host: string) => {
    const error = await listen(createServer(), port, host).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  };
  expect(await problem('127.0.0.1')).toBe(`Port ${port} is taken; set PORT to another one.`);
  // An address for documentation (RFC 5737).
  expect(await problem('192.0.2.1')).toMatch(
    /^The service cannot listen on port \d+ of 192\.0\.2\.1 \(E[A-Z_]+\); set HOST to an address of this machine\.$/,
  );
});
