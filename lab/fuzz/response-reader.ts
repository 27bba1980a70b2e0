export const CUT_OFF = 'the connection ended within a response';

export interface WireResponse {
  readonly status: number;
  /** The last value of each header, by its name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Whether the server closes the connection after it. */
  readonly closes: boolean;
}

export interface ResponseReader {
  /** Announces that a request with this method was sent: the response to HEAD has no body. */
  expect(method: string): void;
  /** @throws {Error} at bytes that are no response */
  take(received: Buffer): void;
  /** The connection ended: a body without a length is complete. @throws {Error} within a response */
  end(): void;
}

interface Head {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
const MAX_HEAD_BYTES = 64 * 1024;

/** Reads the responses of one connection (RFC 9112): with a length, in chunks, or until the connection ends. */
export function createResponseReader(onResponse: (response: WireResponse) => void): ResponseReader {
  const methods: string[] = [];
  let pending: Buffer = Buffer.alloc(0);
  let head: Head | null = null;
  let chunks: Buffer[] = [];

  function finish(body: Buffer): void {
    const { status, headers } = head as Head;
    head = null;
    chunks = [];
    onResponse({ status, headers, body, closes: headers.get('connection') === 'close' });
  }

  /** Reads what `pending` has of the current response. Returns false if more is needed. */
  function step(): boolean {
    if (head === null) {
      const end = pending.indexOf(HEAD_END);
      if (end < 0) {
        if (pending.length > MAX_HEAD_BYTES) throw new Error('the server did not end its headers');
        return false;
      }
      const read = readHead(pending.toString('latin1', 0, end));
      pending = pending.subarray(end + HEAD_END.length);
      // An interim response, such as 100.
      if (read.status < 200) return true;
      head = read;
      const method = methods.shift();
      if (method === 'HEAD' || read.status === 204 || read.status === 304) finish(Buffer.alloc(0));
      return true;
    }
    if (head.headers.get('transfer-encoding') === 'chunked') return readChunk();
    const length = Number(head.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
    if (pending.length < length) return false;
    const body = pending.subarray(0, length);
    pending = pending.subarray(length);
    finish(body);
    return true;
  }

  function readChunk(): boolean {
    const end = pending.indexOf(LINE_END);
    if (end < 0) return false;
    const size = Number.parseInt(pending.toString('latin1', 0, end), 16);
    if (Number.isNaN(size)) throw new Error('the server sent a chunk without a size');
    const next = end + LINE_END.length + size + LINE_END.length;
    if (pending.length < next) return false;
    chunks.push(pending.subarray(end + LINE_END.length, next - LINE_END.length));
    pending = pending.subarray(next);
    if (size === 0) finish(Buffer.concat(chunks));
    return true;
  }

  return {
    expect: (method) => void methods.push(method),
    take(received) {
      pending = pending.length === 0 ? received : Buffer.concat([pending, received]);
      while ((pending.length > 0 || head !== null) && step());
    },
    end() {
      if (head !== null && !head.headers.has('content-length') && !head.headers.has('transfer-encoding')) {
        finish(pending);
        pending = Buffer.alloc(0);
      }
      if (head !== null || pending.length > 0) throw new Error(CUT_OFF);
    },
  };
}

function readHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})( |$)/.exec(first)?.[1]);
  if (!status) throw new Error(`this is no response: ${first.slice(0, 60)}`);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status, headers: new Map(headers) };
}
