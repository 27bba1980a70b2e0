const CLIENTS = 65_536;
let requests = 0;

/**
 * The client addresses of 10.0.0.0/16 in turn, for X-Forwarded-For. The strictest limit that a load meets is 10 requests a
 * minute for each address (protocol §6), so no request is refused below 10 900 requests a second.
 */
export function nextClientAddress(): string {
  const client = requests++ % CLIENTS;
  return `10.0.${client >> 8}.${client & 255}`;
}

const common = (): string =>
  `Host: localhost\r\nAccept: application/json\r\nX-Forwarded-For: ${nextClientAddress()}\r\n`;

/** The bytes of a keep-alive GET. */
export const getRequest = (path: string): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\n${common()}\r\n`);

/** The bytes of a keep-alive POST of JSON. */
export function postRequest(path: string, body: string): Buffer {
  const headers = `${common()}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
}
