import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { followRenewals } from '../http/certificate-renewal.ts';
import { type BackupReport, type Context, setContext } from '../http/context.ts';
import { createDrain, type Drain } from '../http/drain.ts';
import { createHttpServer } from '../http/http-server.ts';
import type { PageHandler } from '../http/pages.ts';
import { createRequestListener } from '../http/request-listener.ts';
import { loadWallet } from '../network/wallet.ts';
import { isSuperuser } from '../platform/db/pool.ts';
import { listen, listenAddress, localUrl } from '../platform/listening/listen-address.ts';
import { readTlsFiles } from '../platform/listening/tls-files.ts';
import type { ParentProcess } from '../platform/process/parent-process.ts';
import type { Shutdown } from '../platform/process/shutdown.ts';
import type { Backends } from './backends.ts';
import { startService } from './service.ts';

export interface ServingParts {
  readonly config: Config;
  readonly log: Logger;
  readonly backends: Backends;
  readonly backups: BackupReport | null;
  readonly shutdown: Shutdown;
  /** The parent that this process shares with other serving processes, if there are several. */
  readonly parent?: ParentProcess;
  /** Null to serve the API alone. */
  readonly startPages: StartPages | null;
}

/** Prepares the pages, and returns what answers their requests. `server` is the one that listens. */
export type StartPages = (config: Config, server: Server) => Promise<PageHandler>;

export interface Serving {
  readonly url: string;
  readonly context: Context;
  readonly retire: Drain['retire'];
}

/** Runs the service in this process. */
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

  const tls = readTlsFiles(config);
  const server = createHttpServer(config, service.context.securityEvents, { counts: parent?.connections, tls });
  if (tls && server instanceof TlsServer) followRenewals(server, { config, tls, log });
  const drain = createDrain(server);
  const pages = (await parts.startPages?.(config, server)) ?? null;
  server.on('request', createRequestListener(service.context, pages));
  await listen(server, config.PORT, listenAddress(config).host);
  shutdown.addStep('the HTTP server', drain.end);
  shutdown.addStep('the streams of the ledger', async () => service.context.streams.stop());
  const { port } = server.address() as AddressInfo;
  if (!config.PUBLIC_URL) address.url = localUrl(config, port);
  const retire: Drain['retire'] = (maxMs) => {
    service.context.streams.stop();
    return drain.retire(maxMs);
  };
  return { url: address.url, context: service.context, retire };
}
