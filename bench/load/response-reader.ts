export interface Answer {
  readonly status: number;
  /** A view of the bytes received; valid until the next answer. */
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const MAX_HEAD_BYTES = 64 * 1024;

/**
 * Takes the answers of one keep-alive connection out of the bytes it receives (RFC 9112), each ended by its Content-Length.
 * Returns what to feed the received bytes to.
 * @throws {Error} from there, on anything that is not such an answer; chunked bodies are not read.
 */
export function createResponseReader(onAnswer: (answer: Answer) => void): (received: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);

  return (received) => {
    pending = pending.length === 0 ? received : Buffer.concat([pending, received]);
    for (;;) {
      const headEnd = pending.indexOf(HEAD_END);
      if (headEnd < 0) {
        if (pending.length > MAX_HEAD_BYTES) throw new Error('The server sent no end of its headers.');
        return;
      }
      const { status, length } = readHead(pending.toString('latin1', 0, headEnd));
      const bodyAt = headEnd + HEAD_END.length;
      if (pending.length < bodyAt + length) return;
      const body = pending.subarray(bodyAt, bodyAt + length);
      pending = pending.subarray(bodyAt + length);
      onAnswer({ status, body });
    }
  };
}

function readHead(head: string): { status: number; length: number } {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  if (!status) throw new Error(`The server did not answer in HTTP/1.1: ${head.slice(0, 60)}`);
  if (status === 204 || status === 304) return { status, length: 0 };
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer ${status} came without a Content-Length.`);
  return { status, length: Number(length) };
}
