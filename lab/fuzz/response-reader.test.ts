import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createResponseReader, type WireResponse } from './response-reader.ts';

const RESPONSES = [
  ['GET', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc', 200, 'abc'],
  ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n', 200, ''],
  ['GET', 'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n', 304, ''],
  ['POST', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}', 201, '{}'],
  [
    'GET',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n',
    200,
    'abc0123456789',
  ],
  ['GET', 'HTTP/1.1 500 Oh\r\nContent-Length: 0\r\nConnection: close\r\n\r\n', 500, ''],
] as const;

test('reads the responses of a connection, however their bytes arrive', () => {
  const bytes = Buffer.from(RESPONSES.map(([, text]) => text).join(''));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 }), (sizes) => {
      const read: WireResponse[] = [];
      const reader = createResponseReader((response) => read.push(response));
      for (const [method] of RESPONSES) reader.expect(method);
      let at = 0;
      for (const size of [...sizes, bytes.length]) {
        reader.take(bytes.subarray(at, at + size));
        at += size;
      }
      reader.end();
      expect(read.map(({ status, body }) => [status, body.toString()])).toEqual(
        RESPONSES.map(([, , status, body]) => [status, body]),
      );
      expect(read.map(({ closes }) => closes)).toEqual([false, false, false, false, false, true]);
    }),
  );
});

describe('refuses', () => {
  test.each([
    ['what is no response', 'hello\r\n\r\n'],
    ['another version', 'HTTP/1.0 200 OK\r\n\r\n'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
  ])('%s', (_, text) => {
    expect(() => createResponseReader(() => undefined).take(Buffer.from(text))).toThrow();
  });

  test('a connection that ends within a response', () => {
    const reader = createResponseReader(() => undefined);
    reader.take(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab'));
    expect(() => reader.end()).toThrow();
  });
});
