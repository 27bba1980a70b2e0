export interface Response {
  readonly status: number;
  /** A view of the bytes received; valid until the next response. */
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const MAX_HEAD_BYTES = 64 * 1024;

/**
 * Parses the responses of one keep-alive connection (RFC 9112). Every response needs a Content-Length: chunked bodies are refused.
 * @returns a function that takes the received bytes, and throws an Error at bytes that are no such response.
 */
export function createResponseReader(onResponse: (response: Response) => void): (received: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);

  return (received) => {
    pending = pending.length === 0 ? received : Buffer.concat([pending, received]);
    for (;;) {
      const headEnd = pending.indexOf(HEAD_END);
      if (headEnd < 0) {
        if (pending.length > MAX_HEAD_BYTES) throw new Error('The server did not end its headers.');
        return;
      }
      const { status, length } = readHead(pending.toString('latin1', 0, headEnd));
      const bodyAt = headEnd + HEAD_END.length;
      if (pending.length < bodyAt + length) return;
      const body = pending.subarray(bodyAt, bodyAt + length);
      pending = pending.subarray(bodyAt + length);
      onResponse({ status, body });
    }
  };
}

function readHead(head: string): { status: number; length: number } {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  if (!status) throw new Error(`The server did not send an HTTP/1.1 response: ${head.slice(0, 60)}`);
  if (status === 204 || status === 304) return { status, length: 0 };
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`A response with status ${status} had no Content-Length.`);
  return { status, length: Number(length) };
}
