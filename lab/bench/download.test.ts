import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { download } from './download.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const never = new AbortController().signal;

describe('a download', () => {
  it('counts every byte of a streamed response, and returns its beginning, its end and its times', async () => {
    const url = await listen(async (request, response) => {
      let received = '';
      for await (const chunk of request) received += chunk;
      response.writeHead(200).write(`{"received":${received},"data":"`);
      await sleep(100);
      response.write('x'.repeat(1_000_000));
      response.end('the end"}');
    });
    const { firstByteMs, seconds, bytes, beginning, end } = await download(url, '{"a":1}', never);
    expect(bytes).toBe(1_000_000 + '{"received":{"a":1},"data":"'.length + 'the end"}'.length);
    expect(beginning).toMatch(/^{"received":{"a":1},"data":"x*$/);
    expect(end).toMatch(/^x+the end"}$/);
    expect(end).toHaveLength(200);
    expect(firstByteMs).toBeLessThan(seconds * 1000);
  });

  it('fails at a status other than 200, and reports the response', async () => {
    const url = await listen((_, response) => response.writeHead(403).end('{"code":"TOKEN_REVOKED"}'));
    await expect(download(url, '{}', never)).rejects.toThrow('403: {"code":"TOKEN_REVOKED"}');
  });

  it('fails at an incomplete response', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200).write('{"data":"', () => response.destroy());
    });
    await expect(download(url, '{}', never)).rejects.toThrow();
  });

  it('fails when it is aborted', async () => {
    const url = await listen((_, response) => void response.writeHead(200).write('{'));
    await expect(download(url, '{}', AbortSignal.timeout(100))).rejects.toThrow();
  });
});
