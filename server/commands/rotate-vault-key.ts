import { readOptions } from '../operator/options.ts';
import { runCommand } from './command.ts';
import { rotateVaultKey } from './vault-key/rotate.ts';

const usage = `npm run rotate-vault-key

Wraps the data key of every identity and institution by a new vault key; what they encrypt stays as it is. Stop every process of
the service first. It may be interrupted at any moment and run again, and does nothing where all is done.

The old key is VAULT_KEY, or vault.key in DATA_DIR, as for the service (docs/operations.md). The new one is NEW_VAULT_KEY (64 hex
characters), or is made once and kept in DATA_DIR/vault.key.next. A vault.key is replaced at the end, and kept as vault.key.old for
backups made until now: remove it when these are gone. With VAULT_KEY, set it to the new key before the service starts again.

Exit status: 0 every data key is wrapped by the new vault key, 2 it could not be done.
`;

await runCommand({ usage, progress: 'Wrapping', noun: 'data keys' }, async (args, parts) => {
  readOptions(args, {});
  await rotateVaultKey(parts);
  return 'clean';
});
