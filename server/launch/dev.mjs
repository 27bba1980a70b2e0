import './node-version.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { prepare, ROOT, serverBundle, VIEWER } from './build.mjs';

// `npm run dev`: Next reloads changed pages; after a change of server code this rebuilds and restarts the server. It has
// its own build folder, so that it does not replace the build that `npm start` runs.
const OUTPUT = join(ROOT, '.build', 'dev');

/** @type {{ process: import('node:child_process').ChildProcess, exited: Promise<unknown>, isEnding: boolean } | null} */
let server = null;
/** Resolves after the last restart. Restarts run one after another. */
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
  startViewer();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(watcher));
} else {
  process.exitCode = 1;
}

async function restart() {
  if (server) console.log('The server code changed. Restarting …');
  await endServer();
  if (!stopping) server = startServer();
}

/** Builds /view, and builds it again after a change. It ends with this process: the channel closes. */
function startViewer() {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
  spawn(process.execPath, [VIEWER, join(OUTPUT, 'viewer'), '--watch'], { cwd: ROOT, stdio });
}

function startServer() {
  const env = { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' };
  const child = spawn(process.execPath, ['--enable-source-maps', join(OUTPUT, 'main.js')], {
    cwd: ROOT,
    env,
    // If this process is killed, the channel closes and the server stops.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const started = { process: child, exited: once(child, 'exit'), isEnding: false };
  child.once('exit', () => {
    if (!started.isEnding) console.error('The server has ended. It will restart when its code changes.');
  });
  return started;
}

/** The server finishes requests in flight and stops its own processes. */
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
