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

async function listen(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const never = new AbortController().signal;

describe('a download', () => {
  it('counts every byte of a streamed answer, and tells how it began, how it ended and when it came', async () => {
    const url = await listen(async (request, response) => {
      let asked = '';
      for await (const chunk of request) asked += chunk;
      response.writeHead(200).write(`{"asked":${asked},"data":"`);
      await sleep(100);
      response.write('x'.repeat(1_000_000));
      response.end('the end"}');
    });
    const { firstByteMs, seconds, bytes, beginning, end } = await download(url, '{"a":1}', never);
    expect(bytes).toBe(1_000_000 + '{"asked":{"a":1},"data":"'.length + 'the end"}'.length);
    expect(beginning).toMatch(/^{"asked":{"a":1},"data":"x*$/);
    expect(end).toMatch(/^x+the end"}$/);
    expect(end).toHaveLength(200);
    expect(firstByteMs).toBeLessThan(seconds * 1000);
  });

  it('fails at an answer that is no success, and says what it was', async () => {
    const url = await listen((_, response) => response.writeHead(403).end('{"code":"TOKEN_REVOKED"}'));
    await expect(download(url, '{}', never)).rejects.toThrow('403: {"code":"TOKEN_REVOKED"}');
  });

  it('fails at an answer that is cut off, rather than take it for the whole', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200).write('{"data":"', () => response.destroy());
    });
    await expect(download(url, '{}', never)).rejects.toThrow();
  });

  it('fails when it is stopped', async () => {
    const url = await listen((_, response) => void response.writeHead(200).write('{'));
    await expect(download(url, '{}', AbortSignal.timeout(100))).rejects.toThrow();
  });
});
