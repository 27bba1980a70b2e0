import { ConfigError, readConfig } from '../config.ts';
import { failure } from '../doctor/check.ts';
import { describe, examine, hasErrors } from '../doctor/doctor.ts';
import { readOptions } from '../operator/options.ts';
import { runCommand } from './command.ts';

const usage = `npm run doctor -- [--json]

Checks the settings of the service before it serves: key files, database, clocks, gateway, wallet, mail, Redis, port, PUBLIC_URL and
TRUST_PROXY. It changes nothing and creates no keys. Each finding is followed by what to do. While the service is not running, it listens
on the port of the service for a moment, and sends a request to PUBLIC_URL to see what the proxies do to it.

Exit status: 0 no errors, possibly warnings; 1 errors; 2 the command could not run.
`;

await runCommand({ usage, progress: 'Checking' }, async (args, { env, print }) => {
  const { json } = readOptions(args, { json: { type: 'boolean' } });
  const settled = (async () => examine(readConfig(env)))();
  const results = await settled.catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    return [{ name: 'settings', skipped: null, findings: [failure(error.message, 'Correct this variable.')] }];
  });
  for (const line of json ? [JSON.stringify(results)] : describe(results)) print(line);
  return hasErrors(results) ? 'breach' : 'clean';
});
