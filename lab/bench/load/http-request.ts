import { nextClientAddress } from './client-address.ts';

const common = (): string =>
  `Host: localhost\r\nAccept: application/json\r\nX-Forwarded-For: ${nextClientAddress()}\r\n`;

/** The bytes of a keep-alive GET. */
export const getRequest = (path: string): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\n${common()}\r\n`);

/** The bytes of a keep-alive POST of JSON. */
export const postRequest = (path: string, body: string): Buffer => requestWith('POST', path, body);

/** The bytes of a keep-alive DELETE that carries JSON. */
export const deleteRequest = (path: string, body: string): Buffer => requestWith('DELETE', path, body);

function requestWith(method: string, path: string, body: string): Buffer {
  const length = Buffer.byteLength(body);
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${common()}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
}
