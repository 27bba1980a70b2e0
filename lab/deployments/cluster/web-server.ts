import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { Child } from '../../chaos/child.ts';
import type { Send } from '../../chaos/operations.ts';
import { deployFile, install } from './deploy-files.ts';
import { clientAddress, type Host } from './host-network.ts';

const NAME = 'perpetua.example';
const CERTIFICATES = `/etc/letsencrypt/live/${NAME}`;
/** Longer than the service waits for its database. */
const TIMEOUT_MS = 30_000;

/** nginx, with the files of deploy/. */
export interface WebServer {
  readonly program: Child;
  /** Sends each request over a connection of its own, from the next address. */
  readonly send: Send;
  /** Sends a request from the nth address. */
  sendFrom(client: number, path: string, init: RequestInit): Promise<Response>;
}

export function createWebServer(host: Host): WebServer {
  const folder = host.folder(CERTIFICATES);
  mkdirSync(folder, { recursive: true });
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')];
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '2'],
    ...['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`, '-keyout', key, '-out', certificate],
  ]);
  const ca = readFileSync(certificate);
  const upstream = deployFile('cluster/nginx-upstream.conf');
  const site = deployFile('nginx/perpetua.conf').replace(/^upstream perpetua \{[^}]*\}\n/m, upstream);
  if (!site.includes(upstream)) throw new Error('perpetua.conf has no upstream block that can be replaced.');
  install(host, '/etc/nginx/conf.d/perpetua.conf', site);
  const program = host.program({ name: 'nginx', user: 'root', command: ['nginx', '-g', 'daemon off;'] });

  const sendFrom: WebServer['sendFrom'] = (client, path, { method = 'GET', headers, body }) =>
    new Promise((resolve, reject) => {
      const content = typeof body === 'string' ? Buffer.from(body) : null;
      const sent = request(
        {
          ...{ host: host.address, port: 443, servername: NAME, ca, agent: false, path, method },
          localAddress: clientAddress(client),
          // Node sends no length with a DELETE.
          headers: {
            host: NAME,
            ...(content && { 'content-length': content.length }),
            ...(headers as Record<string, string>),
          },
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
        async (response) => {
          try {
            const chunks: Buffer[] = [];
            for await (const chunk of response) chunks.push(chunk);
            const { statusCode: status = 0 } = response;
            const received = new Headers(
              Object.entries(response.headers).flatMap(([name, value]) =>
                typeof value === 'string' ? [[name, value]] : [],
              ),
            );
            resolve(
              new Response(status === 304 || status === 204 ? null : Buffer.concat(chunks), {
                status,
                headers: received,
              }),
            );
          } catch (error) {
            reject(error);
          }
        },
      );
      sent.on('error', reject);
      sent.end(content);
    });

  let client = 0;
  return { program, sendFrom, send: (path, init) => sendFrom(++client, path, init) };
}
