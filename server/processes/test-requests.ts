import { execFile } from 'node:child_process';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

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
