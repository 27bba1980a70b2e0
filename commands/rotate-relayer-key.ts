import { CommandError, readArguments } from '../server/platform/command-line/options.ts';
import { runCommand } from './command.ts';
import { commitKey, printKeys, rotateKey } from './relayer-key/change.ts';
import { createKeyFile, digestOfFile, readDigest } from './relayer-key/digest.ts';

const usage = `npm run rotate-relayer-key -- new-key FILE       on another machine: creates a key, and prints the digest to commit to
npm run rotate-relayer-key -- digest FILE        prints the digest of a key in a file
npm run rotate-relayer-key -- commit DIGEST      commits the ledger's first key to the key with this digest
npm run rotate-relayer-key -- rotate --key FILE --next-digest DIGEST
                                                 replaces the relayer's key by the one in FILE, and commits that to the next one
npm run rotate-relayer-key -- status             shows the keys of the ledger

The ledger keeps its id; each key must be the one that the key before it was committed to. Keep the file of the next key off the
server until it is needed: a thief of the current key then cannot rotate. A wrong commitment can never be changed, so a digest has
check digits. The service may run: it signs with the new key at once if it reads the same key file. When and how to rotate:
docs/operations.md.

rotate writes the new key to relayer.key.next beside the current key, adds the entry, and renames: the previous key remains in
relayer.key.old. Without --key it takes relayer.key.next. It may be interrupted at any time and run again with the same options.

Exit status: 0 done, 2 it could not be done.
`;

await runCommand({ usage, progress: 'Changing', noun: 'keys' }, async (args, parts) => {
  const { options, positionals } = readArguments(args, { key: { type: 'string' }, 'next-digest': { type: 'string' } });
  const [action = '', argument, ...more] = positionals;
  const one = (name: string): string => {
    if (argument !== undefined && more.length === 0 && Object.keys(options).length === 0) return argument;
    throw new CommandError(`Give ${action} ${name} and no other argument. See --help.`);
  };
  switch (action) {
    case 'new-key':
      parts.print(createKeyFile(one('FILE')));
      break;
    case 'digest':
      parts.print(digestOfFile(one('FILE')));
      break;
    case 'commit':
      await commitKey(readDigest(one('DIGEST')), parts);
      break;
    case 'rotate':
      if (argument !== undefined) throw new CommandError('rotate takes only --key and --next-digest. See --help.');
      await rotateKey({ keyFile: options.key ?? null, nextKeyDigest: readDigest(options['next-digest'] ?? '') }, parts);
      break;
    case 'status':
      if (argument !== undefined) throw new CommandError('status takes no argument.');
      await printKeys(parts);
      break;
    default:
      throw new CommandError('Give new-key, digest, commit, rotate or status. See --help.');
  }
  return 'clean';
});
