import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { LiveBody } from './http.ts';
import { send } from './node.ts';

const PIECE = 'x'.repeat(256 * 1024);

/** A server whose body does not end; `pieces` counts what was taken from it, `ended` whether it is no longer read. */
async function endless(afterMs: number, lastLineMs = 0) {
  const counts = { pieces: 0, left: 0, ended: 0 };
  async function* pieces() {
    try {
      while (counts.left === 0) {
        counts.pieces += 1;
        yield PIECE;
      }
    } finally {
      counts.ended += 1;
    }
  }
  const body: LiveBody = {
    [Symbol.asyncIterator]: pieces,
    leave() {
      counts.left += 1;
    },
    slow: { afterMs, lastLine: 'too slow\n', lastLineMs },
  };
  const server = createServer((_, response) => send(response, { status: 200, headers: {}, body }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  return { counts, socket };
}

test('a reader that does not read is disconnected, and holds little memory until then', async () => {
  const { counts, socket } = await endless(100);
  await expect.poll(() => counts.left).toBeGreaterThan(0);
  // What the kernel buffers between two sockets of this machine, and one piece.
  expect(counts.pieces).toBeLessThan(64);
  socket.destroy();
});

test('a slow reader that reads again gets the line that says why the response ends', async () => {
  const { counts, socket } = await endless(100, 600_000);
  await expect.poll(() => counts.ended).toBe(1);
  let end = '';
  socket.on('data', (data) => {
    end = (end + data.toString()).slice(-40);
  });
  await new Promise((resolve) => socket.on('close', resolve).resume());
  expect(end).toContain('too slow\n');
});

test('a reader that disconnects ends the iteration', async () => {
  const { counts, socket } = await endless(600_000);
  await expect.poll(() => counts.pieces).toBeGreaterThan(1);
  socket.destroy();
  await expect.poll(() => counts.left).toBeGreaterThan(0);
});
