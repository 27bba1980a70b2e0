import { spawn } from 'node:child_process';

/**
 * Runs a command and waits for it. Its output is only used for the error.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @throws {Error} whose message is the command's output
 */
export async function runQuietly(command, args, { cwd, env = process.env }) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else reject(new Error(output.trim() || `${command} ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}
