import './launch/node-version.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { prepare, ROOT, serverBundle } from './build.mjs';

// `npm run dev`: Next reloads changed pages by itself; a change of the server's code builds the server again and restarts it.
// The build is apart from that of `npm start`, so that neither command replaces what the other one runs.
const OUTPUT = join(ROOT, '.build', 'dev');

/** @type {{ process: import('node:child_process').ChildProcess, exited: Promise<unknown>, isEnding: boolean } | null} */
let server = null;
/** Ends when the last restart has; one begins after the other. */
let restarted = Promise.resolve();
let stopping = false;

if (await prepare({ development: true, pages: false })) {
  const { watch } = await import('rolldown');
  const watcher = watch(serverBundle(OUTPUT));
  watcher.on('event', async (event) => {
    if (event.code === 'ERROR') console.error(`The server could not be built:\n${event.error.message}`);
    if (event.code === 'BUNDLE_END' || event.code === 'ERROR') await event.result.close();
    if (event.code === 'BUNDLE_END') restarted = restarted.then(restart);
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(watcher));
} else {
  process.exitCode = 1;
}

async function restart() {
  if (server) console.log('The server code changed. Restarting …');
  await endServer();
  if (!stopping) server = startServer();
}

function startServer() {
  const env = { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' };
  const child = spawn(process.execPath, ['--enable-source-maps', join(OUTPUT, 'main.js')], {
    cwd: ROOT,
    env,
    // The channel tells the server when this process is killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const started = { process: child, exited: once(child, 'exit'), isEnding: false };
  child.once('exit', () => {
    if (!started.isEnding) console.error('The server has ended. It starts again when its code changes.');
  });
  return started;
}

/** Lets the server answer its requests in flight and stop what it started. */
async function endServer() {
  if (!server) return;
  server.isEnding = true;
  server.process.kill('SIGTERM');
  await server.exited;
}

async function stop(watcher) {
  if (stopping) return;
  stopping = true;
  await watcher.close();
  await restarted;
  await endServer();
  process.exit(0);
}
