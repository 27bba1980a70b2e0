import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, readConfig } from '../server/config.ts';
import { CommandError, readOptions } from '../server/platform/command-line/options.ts';
import { runCommand } from './command.ts';
import { failure } from './doctor/check.ts';
import { describePost, isReadBackEverywhere, postOnce } from './doctor/post.ts';
import { describe, examine, hasErrors } from './doctor/run-checks.ts';

const usage = `npm run doctor -- [--json] [--post]

Checks the settings of the service before it serves: key files, database, clocks, gateway, wallet, mail, Redis, port, PUBLIC_URL and
the proxy. It changes nothing and creates no keys. Each finding is followed by what to do. While the service is not running, it listens
on the port of the service for a moment, and sends requests to PUBLIC_URL to see what the proxies do to them.

--post posts one small transaction from the wallet instead, and follows it on each gateway until its data are read back: for at
most two hours, usually minutes. It refuses a price above MAX_WINSTON_PER_BUNDLE. Ctrl-C ends the command, not the transaction.

Exit status: 0 no errors, possibly warnings; 1 errors, or a gateway did not return the data; 2 the command could not run.
`;

/** Between two questions to the gateways. */
const PAUSE_MS = 5_000;
const LONGEST_MS = 2 * 3_600_000;

await runCommand({ usage, progress: 'Checking' }, async (args, { env, print, note, addStep }) => {
  const { json, post } = readOptions(args, { json: { type: 'boolean' }, post: { type: 'boolean' } });
  if (post) {
    let posting: string | null = null;
    addStep('the post', async () => {
      if (posting !== null) note(`Not followed any further, but not undone: ${posting}`);
    });
    const follow = (line: string) => {
      posting ??= line;
      note(line);
    };
    const result = await postOnce(readConfig(env), {
      ...{ note: follow, now: performance.now.bind(performance), longestMs: LONGEST_MS },
      pause: () => sleep(PAUSE_MS),
    }).finally(() => {
      posting = null;
    });
    if ('refused' in result) throw new CommandError(`Nothing was posted. ${result.refused}`);
    for (const line of json ? [JSON.stringify(result)] : describePost(result)) print(line);
    return isReadBackEverywhere(result) ? 'clean' : 'breach';
  }
  const settled = (async () => examine(readConfig(env)))();
  const results = await settled.catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    return [{ name: 'settings', skipped: null, findings: [failure(error.message, 'Correct this variable.')] }];
  });
  for (const line of json ? [JSON.stringify(results)] : describe(results)) print(line);
  return hasErrors(results) ? 'breach' : 'clean';
});
