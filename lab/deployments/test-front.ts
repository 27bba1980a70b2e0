import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requirePackages } from '../../server/launch/debian.mjs';
import { freePort } from '../../server/platform/listening/free-port.ts';
import { newAuthority } from './test-authority.ts';

export type Kind = 'nginx' | 'caddy';

/** A proxy of Debian's package, with the file of deploy/ in front of a port. */
export interface Front {
  /** https://localhost:PORT, the PUBLIC_URL of the service, and the port of http://. */
  readonly url: string;
  readonly httpPort: number;
  /** The file of the authority of its certificate. */
  readonly authority: string;
  stop(): Promise<void>;
}

interface FrontOptions {
  readonly servicePort: number;
  /** A mistake in the file. */
  readonly change?: (file: string) => string;
}

export async function startFront(kind: Kind, options: FrontOptions): Promise<Front> {
  const folder = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-${kind}-`));
  chmodSync(folder, 0o755);
  const [https, http] = [await freePort(), await freePort()];
  const { args, program, authority } = (kind === 'nginx' ? prepareNginx : prepareCaddy)(folder, options, {
    https,
    http,
  });
  const env = {
    NODE_ENV: 'production' as const,
    PATH: process.env.PATH,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'exit');
  while (!(existsSync(authority) && (await accepts(https)))) {
    if (hasEnded(child)) throw new Error(`${kind} ended:\n${output}`);
    await sleep(50);
  }
  return {
    url: `https://localhost:${https}`,
    httpPort: http,
    authority,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

interface Ports {
  readonly https: number;
  readonly http: number;
}

/** Replaces a text that must be there, everywhere. */
const replaced = (text: string, from: string, to: string): string => {
  if (!text.includes(from)) throw new Error(`There is no ${from} in the file.`);
  return text.replaceAll(from, to);
};

function prepareNginx(folder: string, { servicePort, change = (file) => file }: FrontOptions, ports: Ports) {
  requirePackages('nginx-light', 'openssl');
  const program = '/usr/sbin/nginx';
  const authority = newAuthority(folder);
  const { cert, key } = authority.issue('proxy', ['localhost']);
  const changes: [string, string][] = [
    ['server 127.0.0.1:3000;', `server 127.0.0.1:${servicePort};`],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['listen 443 ', `listen 127.0.0.1:${ports.https} `],
    ['/etc/letsencrypt/live/perpetua.example/fullchain.pem', cert],
    ['/etc/letsencrypt/live/perpetua.example/privkey.pem', key],
    ['/var/log/nginx/', `${folder}/`],
    ['perpetua.example', 'localhost'],
  ];
  const file = changes.reduce((text, [from, to]) => replaced(text, from, to), textOf('deploy/nginx/perpetua.conf'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const main = `daemon off; pid ${folder}/nginx.pid; error_log stderr; worker_processes 1; events { worker_connections 1024; }
    http { ${temporary.join(' ')} include ${folder}/perpetua.conf;}`;
  writeFileSync(join(folder, 'perpetua.conf'), change(file));
  writeFileSync(join(folder, 'nginx.conf'), main);
  return { program, args: ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], authority: authority.file };
}

/** For localhost, Caddy issues a certificate of its own authority. */
function prepareCaddy(folder: string, { servicePort, change = (file) => file }: FrontOptions, ports: Ports) {
  requirePackages('caddy');
  const program = '/usr/bin/caddy';
  const changes: [string, string][] = [
    ['127.0.0.1:3000', `127.0.0.1:${servicePort}`],
    ['perpetua.example {', `localhost:${ports.https} {`],
    [
      '{\n\t# Paths and',
      `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${ports.http}\n\tdefault_bind 127.0.0.1\n\t# Paths and`,
    ],
  ];
  const file = changes.reduce((text, [from, to]) => replaced(text, from, to), textOf('deploy/caddy/Caddyfile'));
  mkdirSync(join(folder, 'caddy'), { recursive: true });
  writeFileSync(join(folder, 'Caddyfile'), change(file));
  return {
    program,
    args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
    authority: join(folder, 'caddy', 'pki', 'authorities', 'local', 'root.crt'),
  };
}

/** With the site's address in one place: a comment has it, too. */
const textOf = (file: string): string =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*#.*perpetua\.example/.test(line))
    .join('\n');
