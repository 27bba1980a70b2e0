import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { SignedBody } from '../testing/test-service.ts';

const run = promisify(execFile);

/** The serving processes of a parent. */
export async function servingProcesses(parent: number | undefined): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((found) =>
      found && Number(found[2]) === parent && found[3]?.includes('main.js') ? [Number(found[1])] : [],
    );
}

/** Those of the processes that have not ended; the system may keep an ended one in its table for a while. */
export async function running(pids: readonly number[]): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,stat=']);
  const lines = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  return lines.flatMap(([pid, state]) => (pids.includes(Number(pid)) && !state?.startsWith('Z') ? [Number(pid)] : []));
}

/**
 * Sends a creation up to the middle of its body, and waits until a process reads the body: each asks the parent to count
 * requests in their order, so the creation was counted once each process has answered another request.
 * @param url of the service, whose processes take new connections in turn
 * @returns a function that sends the rest and returns the response
 */
export async function halfSent(
  socket: Socket,
  url: string,
  creation: SignedBody,
  options: RequestOptions = {},
): Promise<() => Promise<string>> {
  const body = JSON.stringify(creation);
  const head = [
    'POST /api/relayer/beo HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  socket.pause();
  if (!String(answer).startsWith('HTTP/1.1 100 ')) throw new Error(String(answer));
  socket.write(body.slice(0, 50));
  for (let asked = 0; asked < 4; asked++) await requestOnce(`${url}/api/beos/domain/x.bsp`, options);
  return async () => {
    socket.write(body.slice(50));
    return text(socket);
  };
}

export interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly connection: string | undefined;
  readonly body: string;
}

/** A request on a connection of its own, unless an agent has one. The parent distributes connections. */
export async function requestOnce(url: string, options: RequestOptions & { body?: string } = {}): Promise<Response> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    request(url, { agent: false, ...rest }, (response) => {
      const { statusCode = 0, headers } = response;
      text(response).then(
        (body) => resolve({ status: statusCode, headers, connection: headers.connection, body }),
        reject,
      );
    })
      .once('error', reject)
      .end(body);
  });
}

/**
 * The status of a response; 0 if the connection is refused. -1 if there is none within a second: node:cluster keeps a
 * connection that arrives while the last process closes its port, unanswered, until the parent ends.
 */
export const statusOf = (url: string, options: RequestOptions = {}): Promise<number> =>
  requestOnce(url, { ...options, signal: AbortSignal.timeout(1_000) }).then(
    ({ status }) => status,
    ({ name }: Error) => (name === 'AbortError' ? -1 : 0),
  );
