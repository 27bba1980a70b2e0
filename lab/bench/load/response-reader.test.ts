import { describe, expect, it } from 'vitest';
import { createResponseReader } from './response-reader.ts';

const response = (status: number, body: string) =>
  `HTTP/1.1 ${status} Some Reason\r\nContent-Type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

function readInPieces(bytes: Buffer, size: number): { status: number; body: string }[] {
  const responses: { status: number; body: string }[] = [];
  const read = createResponseReader(({ status, body }) => responses.push({ status, body: body.toString() }));
  for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
  return responses;
}

describe('the response reader', () => {
  const bytes = Buffer.from(
    `${response(201, '{"é":1}')}${response(404, '')}HTTP/1.1 204 No Content\r\n\r\n${response(200, 'x\r\n\r\ny')}`,
  );
  const expected = [
    { status: 201, body: '{"é":1}' },
    { status: 404, body: '' },
    { status: 204, body: '' },
    { status: 200, body: 'x\r\n\r\ny' },
  ];

  it('finds the same responses wherever the bytes are split', () => {
    for (let size = 1; size <= bytes.length; size++) expect(readInPieces(bytes, size)).toEqual(expected);
  });

  it('waits for the whole body', () => {
    const cut = Buffer.from(response(200, 'whole')).subarray(0, -1);
    expect(readInPieces(cut, cut.length)).toEqual([]);
  });

  it.each([
    [
      'a chunked body',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
      'had no Content-Length',
    ],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'did not send an HTTP/1.1 response'],
    ['headers without an end', 'x'.repeat(100_000), 'did not end its headers'],
  ])('refuses %s', (_, text, message) => {
    expect(() => readInPieces(Buffer.from(text), 100_000)).toThrow(message);
  });
});
