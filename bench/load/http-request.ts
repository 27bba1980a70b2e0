const COMMON = 'Host: localhost\r\nAccept: application/json\r\n';

/** The bytes of a keep-alive GET. */
export const getRequest = (path: string): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\n${COMMON}\r\n`);

/** The bytes of a keep-alive POST of JSON. */
export function postRequest(path: string, body: string): Buffer {
  const length = Buffer.byteLength(body);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${COMMON}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
}
