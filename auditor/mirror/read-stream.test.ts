import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readStream, type StreamLine } from './read-stream.ts';

async function linesOf(write: (response: ServerResponse) => void): Promise<StreamLine[]> {
  const server = createServer((_, response) => write(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines: StreamLine[] = [];
  for await (const group of readStream(url, 0, new AbortController().signal)) lines.push(...group);
  return lines;
}

const closing = (message: string) => `${JSON.stringify({ closed: 'stopping', message })}\n`;

test('lines are read however they are cut into pieces', async () => {
  const text = `${closing('one ü')}${closing('two')}${closing('three')}`;
  const lines = await linesOf((response) => {
    const bytes = Buffer.from(text);
    let at = 0;
    const next = () => {
      if (at >= bytes.length) return response.end();
      response.write(bytes.subarray(at, at + 7), next);
      at += 7;
    };
    next();
  });
  expect(lines.map((line) => 'message' in line && line.message)).toEqual(['one ü', 'two', 'three']);
});

test('a line that does not end is cut off', async () => {
  const endless = linesOf((response) => {
    const piece = 'x'.repeat(1024 * 1024);
    const more = () => void response.write(piece, (error) => error ?? more());
    more();
  });
  await expect(endless).rejects.toThrow('a line that does not end');
});
