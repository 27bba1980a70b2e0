export type Header = readonly [name: string, value: string];

/** A request before it is written to a connection. */
export interface FuzzRequest {
  /** The route it was made for, for the report: mutations can change its target. */
  readonly route: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | null;
  /** Whether only its members were changed, so that the response must be exactly as documented. */
  readonly isWellFormed: boolean;
}

/** A request as members that can still be changed. */
export interface Template {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly Header[];
  readonly headers: readonly Header[];
  /** The JSON of the body; undefined if there is none. */
  readonly json: unknown;
}

/** The head of a request and its body in one piece, with its length. */
export function bytesOf({ method, target, headers, body }: FuzzRequest): Buffer {
  const length: readonly Header[] = body === null ? [] : [['content-length', String(body.length)]];
  const head = headOf(method, target, [...headers, ...length]);
  return body === null ? head : Buffer.concat([head, body]);
}

/** The request line and the headers. Characters above U+00FF lose their upper byte. */
export function headOf(method: string, target: string, headers: readonly Header[]): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
}
