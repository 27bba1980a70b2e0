import { readArgument } from '../server/platform/command-line/options.ts';
import { runCommand } from './command.ts';
import { forgetKey } from './forget-key/forget.ts';

const usage = `npm run forget-key -- checkpoint    after the checkpoint key was lost or stolen
npm run forget-key -- webhook       after the webhook key was lost
npm run forget-key -- vault         after VAULT_KEY was lost while the vault is empty

Removes the record of a key from the database, so that the next start may use another key. Stop every process of the service first. It
changes no key file. It refuses to forget the key of a vault with data, which only that key opens. docs/operations.md
lists who must switch to the new key.

Exit status: 0 the database has no such key any more, 2 it could not be done.
`;

await runCommand({ usage, progress: 'Changing', noun: 'keys' }, async (args, parts) => {
  await forgetKey(readArgument(args, 'checkpoint, webhook or vault'), parts);
  return 'clean';
});
