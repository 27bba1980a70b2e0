import { createServer } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import next from 'next';
import type { Logger } from 'pino';
import { type ProcessReports, readProcessState } from '../admin/process-state.ts';
import { startAdmin } from '../admin/start-admin.ts';
import type { Config } from '../config.ts';
import { type BackupReport, type Context, setContext } from '../context.ts';
import { isSuperuser } from '../db/pool.ts';
import { followRenewals } from '../http/certificate-renewal.ts';
import { createDrain, type Drain } from '../http/drain.ts';
import { createHttpServer } from '../http/http-server.ts';
import { createRequestListener } from '../http/request-listener.ts';
import { markUsed } from '../launch/builds.mjs';
import { listenAddress, localUrl } from '../listen-address.ts';
import { loadWallet } from '../network/wallet.ts';
import type { ParentProcess } from '../parent-process.ts';
import { startService } from '../service.ts';
import type { Shutdown } from '../shutdown.ts';
import { readTlsFiles } from '../tls-files.ts';
import type { Backends } from './backends.ts';

export interface ServingParts {
  readonly config: Config;
  readonly log: Logger;
  readonly backends: Backends;
  readonly backups: BackupReport | null;
  readonly shutdown: Shutdown;
  /** The parent that this process shares with other serving processes, if there are several. */
  readonly parent?: ParentProcess;
  /** What all of them report of themselves. */
  readonly everyProcess?: () => Promise<ProcessReports>;
}

export interface Serving {
  readonly url: string;
  readonly context: Context;
  readonly retire: Drain['retire'];
}

/** Runs the service in this process: the API directly, everything else through Next. */
export async function serve(parts: ServingParts): Promise<Serving> {
  const { config, log, backends, backups, shutdown, parent } = parts;
  const address = { url: config.PUBLIC_URL ?? localUrl(config, config.PORT) };
  const { databaseUrl, gateway } = backends;
  const service = await startService({
    config,
    log,
    databaseUrl,
    gateway: { ...gateway, wallet: loadWallet(gateway.wallet) },
    publicUrl: () => address.url,
    backups,
    // A thread of its own needs a core that no process uses.
    signatureThread: availableParallelism() > config.PROCESSES,
    ...(parent ? { parent } : {}),
  });
  shutdown.addStep('the service', service.stop);
  setContext(service.context);
  if (config.DATABASE_URL && (await isSuperuser(service.context.pool))) {
    log.warn('the role of DATABASE_URL is a superuser: give the service an ordinary role that owns its database');
  }

  const development = process.env.NODE_ENV === 'development';
  const tls = readTlsFiles(config);
  const server = createHttpServer(config, service.context.securityEvents, { counts: parent?.connections, tls });
  if (tls && server instanceof TlsServer) followRenewals(server, { config, tls, log });
  const drain = createDrain(server);
  // Next adds an upgrade listener to the server it is given, and Node then rejects ordinary requests with an Upgrade
  // header. So Next gets a server that never listens, except in development, where hot reload needs the socket.
  const httpServer = development ? server : createServer();
  if (!development) keepBuild();
  const app = next({ dev: development, dir: process.cwd(), port: config.PORT, httpServer });
  await app.prepare();
  server.on('request', createRequestListener(service.context, app.getRequestHandler()));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.PORT, listenAddress(config).host, resolve);
  });
  shutdown.addStep('the HTTP server', drain.end);
  // After the port of the service: the parent waits for that one.
  if (config.ADMIN_PORT) {
    const thisProcess = async () => ({ answered: [await readProcessState(service.context)], silent: [], parent: null });
    const admin = await startAdmin(service.context, config.ADMIN_PORT, parts.everyProcess ?? thisProcess);
    shutdown.addStep('the admin page', admin.stop);
  }
  const { port } = server.address() as AddressInfo;
  if (!config.PUBLIC_URL) address.url = localUrl(config, port);
  return { url: address.url, context: service.context, retire: drain.retire };
}

/** Keeps the build that this process runs, and names its pages to next.config.js, whatever is built later. */
function keepBuild(): void {
  const folder = dirname(fileURLToPath(import.meta.url));
  markUsed(folder);
  process.env.PERPETUA_PAGES = join('.build', basename(folder).replace('server-', 'pages-'));
}
