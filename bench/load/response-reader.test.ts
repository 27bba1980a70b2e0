import { describe, expect, it } from 'vitest';
import { createResponseReader } from './response-reader.ts';

const answer = (status: number, body: string) =>
  `HTTP/1.1 ${status} Some Reason\r\nContent-Type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

function readInPieces(bytes: Buffer, size: number): { status: number; body: string }[] {
  const answers: { status: number; body: string }[] = [];
  const read = createResponseReader(({ status, body }) => answers.push({ status, body: body.toString() }));
  for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
  return answers;
}

describe('taking answers out of what a connection receives', () => {
  const bytes = Buffer.from(
    `${answer(201, '{"é":1}')}${answer(404, '')}HTTP/1.1 204 No Content\r\n\r\n${answer(200, 'x\r\n\r\ny')}`,
  );
  const expected = [
    { status: 201, body: '{"é":1}' },
    { status: 404, body: '' },
    { status: 204, body: '' },
    { status: 200, body: 'x\r\n\r\ny' },
  ];

  it('finds the same answers however the bytes are cut', () => {
    for (let size = 1; size <= bytes.length; size++) expect(readInPieces(bytes, size)).toEqual(expected);
  });

  it('does not answer before the whole body is there', () => {
    const cut = Buffer.from(answer(200, 'whole')).subarray(0, -1);
    expect(readInPieces(cut, cut.length)).toEqual([]);
  });

  it.each([
    [
      'a chunked body',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
      'without a Content-Length',
    ],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'did not answer in HTTP/1.1'],
    ['headers without an end', 'x'.repeat(100_000), 'no end of its headers'],
  ])('refuses %s', (_, text, message) => {
    expect(() => readInPieces(Buffer.from(text), 100_000)).toThrow(message);
  });
});
