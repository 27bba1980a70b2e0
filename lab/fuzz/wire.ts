import type { Random } from '../chaos/random.ts';
import { bytesOf, type FuzzRequest, type Header, headOf } from './fuzz-request.ts';

/** How requests are written to a connection. */
export interface Plan {
  readonly requests: readonly FuzzRequest[];
  /** Written one after another. */
  readonly pieces: readonly Buffer[];
  /**
   * `every`: each request gets a response. `any`: the bytes may be no request or one that never ends, so that only what
   * arrives is checked. `none`: the client closes the connection before the request is complete.
   */
  readonly expects: 'every' | 'any' | 'none';
}

const MAX_PIPELINED = 5;

/** Node refuses a head above 16 KiB and closes the connection, which can lose the refusal while the client still sends. */
const MAX_HEAD_BYTES = 15_000;
/** So does the service if it does not read a larger body. */
const MAX_BODY_BYTES = 1024 * 1024;

/** @param draw makes the next request */
export function planOf(draw: () => FuzzRequest, random: Random): Plan {
  const request = draw();
  const head = headOf(request.method, request.target, request.headers);
  const isTooLarge = head.length > MAX_HEAD_BYTES || (request.body?.length ?? 0) > MAX_BODY_BYTES;
  if (isTooLarge) return unsure(request, [bytesOf(request)]);
  const how = random.whole(0, 99);
  if (how < 82) return { requests: [request], pieces: [bytesOf(request)], expects: 'every' };
  if (how < 86) return { requests: [request], pieces: cut(bytesOf(request), random), expects: 'every' };
  if (how < 88) return pipelined([request, ...Array.from({ length: random.whole(1, MAX_PIPELINED - 1) }, draw)]);
  if (how < 92) return chunked(request, random);
  const unusual = random.pick([cutOff, wrongLength, otherBytes, otherBytes, wrongChunks, noRequest]);
  return unusual(request, random);
}

const unsure = (request: FuzzRequest, pieces: readonly Buffer[]): Plan => ({
  requests: [{ ...request, isWellFormed: false }],
  pieces: pieces.filter(({ length }) => length > 0),
  expects: 'any',
});

/** A response may close the connection, which loses the requests behind it: only the last may be of that kind. */
function pipelined(requests: readonly FuzzRequest[]): Plan {
  const kept = requests.filter((one) => one.isWellFormed && bytesOf(one).length < 4_096);
  const sent = kept.length > 0 ? kept : requests.slice(0, 1);
  return { requests: sent, pieces: [Buffer.concat(sent.map(bytesOf))], expects: 'every' };
}

function cut(bytes: Buffer, random: Random): readonly Buffer[] {
  const at = Array.from({ length: random.whole(1, 4) }, () => random.whole(1, bytes.length - 1)).toSorted(
    (a, b) => a - b,
  );
  const bounds = [0, ...at, bytes.length];
  return bounds
    .slice(1)
    .map((end, index) => bytes.subarray(bounds[index], end))
    .filter(({ length }) => length > 0);
}

const CHUNKED: Header = ['transfer-encoding', 'chunked'];

function chunksOf(body: Buffer, random: Random): Buffer[] {
  const pieces = body.length > 1 ? cut(body, random) : [body];
  const extension = random.pick(['', '', ';a=b', ';a="b"']);
  return pieces
    .filter(({ length }) => length > 0)
    .map((piece) =>
      Buffer.concat([Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from('\r\n')]),
    );
}

/** A body without an announced length, with or without a trailer. */
function chunked(request: FuzzRequest, random: Random): Plan {
  const { method, target, headers, body } = request;
  if (body === null) return { requests: [request], pieces: [bytesOf(request)], expects: 'every' };
  const end = random.pick(['0\r\n\r\n', '0\r\nx-trailer: 1\r\n\r\n']);
  const pieces = [headOf(method, target, [...headers, CHUNKED]), ...chunksOf(body, random), Buffer.from(end)];
  return { requests: [request], pieces, expects: 'every' };
}

/** The connection ends in the middle of the request, which is therefore never executed. */
function cutOff(request: FuzzRequest, random: Random): Plan {
  const bytes = bytesOf(request);
  return { requests: [request], pieces: [bytes.subarray(0, random.whole(1, bytes.length - 1))], expects: 'none' };
}

function wrongLength(request: FuzzRequest, random: Random): Plan {
  const { method, target, headers, body } = request;
  const length = body?.length ?? 0;
  const announced = random.pick([
    String(Math.max(0, length - random.whole(1, 20))),
    String(length + random.whole(1, 20)),
    '-1',
    '1e3',
    '0x10',
    '99999999999999999999',
    `${length}, ${length}`,
    '',
  ]);
  const both = random.chance(0.2) ? [CHUNKED] : [];
  const head = headOf(method, target, [...headers, ['content-length', announced], ...both]);
  return unsure(request, [head, body ?? Buffer.alloc(0)]);
}

const SPECIAL = [0x00, 0x0a, 0x0d, 0x20, 0x22, 0x25, 0x3a, 0x7f, 0x80, 0xff];

/** Bytes of the head or the body replaced, inserted, removed or doubled. */
function otherBytes(request: FuzzRequest, random: Random): Plan {
  let bytes = bytesOf(request);
  for (let times = random.pick([1, 1, 2, 5]); times > 0 && bytes.length > 1; times--) {
    const at = random.whole(0, bytes.length - 1);
    const byte = random.chance(0.5) ? random.pick(SPECIAL) : random.whole(0, 255);
    const how = random.whole(0, 3);
    const end = Math.min(bytes.length, at + random.whole(1, 30));
    const middle =
      how === 2 ? [] : how === 3 ? [bytes.subarray(at, end), bytes.subarray(at, end)] : [Buffer.from([byte])];
    bytes = Buffer.concat([
      bytes.subarray(0, at),
      ...middle,
      bytes.subarray(how === 0 ? at + 1 : how === 1 ? at : end),
    ]);
  }
  return unsure(request, [bytes]);
}

function wrongChunks(request: FuzzRequest, random: Random): Plan {
  const { method, target, headers, body } = request;
  const head = headOf(method, target, [...headers, CHUNKED]);
  const bad = random.pick([
    'zz\r\n\r\n',
    '-1\r\n',
    'ffffffffffffffff\r\nx',
    '5\r\nab\r\n0\r\n\r\n',
    '1;\r\n',
    '0\r\n',
    '\r\n\r\n',
  ]);
  return unsure(request, [head, ...chunksOf(body ?? Buffer.from('{}'), random), Buffer.from(bad)]);
}

const NO_REQUESTS = [
  '\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET /health HTTP/1.1\r\n\r\n',
  'CONNECT localhost:5432 HTTP/1.1\r\nhost: x\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
  'get / HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET  /  HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET / HTTP/1.1\nhost: x\n\n',
  'GET / HTTP/1.1\r\n host: x\r\n\r\n',
  'GET / HTTP/1.1\r\nhost : x\r\n\r\n',
  'GET / HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n',
  'POST /api/ieo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, identity\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
];

function noRequest(request: FuzzRequest, random: Random): Plan {
  const noise = Buffer.from(Array.from({ length: random.whole(1, 200) }, () => random.whole(0, 255)));
  const bytes = random.chance(0.3) ? noise : Buffer.from(random.pick(NO_REQUESTS), 'latin1');
  return unsure({ ...request, method: 'GET' }, [bytes]);
}
