import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import next from 'next';
import { markUsed } from '../launch/builds.mjs';
import type { StartPages } from './serve.ts';

/** The pages, which Next serves. */
export const startPages: StartPages = async (config, server) => {
  const development = process.env.NODE_ENV === 'development';
  // Next adds an upgrade listener to the server it is given, and Node then rejects ordinary requests with an Upgrade
  // header. So Next gets a server that never listens, except in development, where hot reload needs the socket.
  const httpServer = development ? server : createServer();
  if (!development) keepBuild();
  const app = next({ dev: development, dir: process.cwd(), port: config.PORT, httpServer });
  await app.prepare();
  return app.getRequestHandler();
};

/** Keeps the build that this process runs, and names its pages to next.config.js, whatever is built later. */
function keepBuild(): void {
  const folder = dirname(fileURLToPath(import.meta.url));
  markUsed(folder);
  process.env.PERPETUA_PAGES = join('.build', basename(folder).replace('server-', 'pages-'));
}
