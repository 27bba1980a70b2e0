import { readOptions } from '../server/platform/command-line/options.ts';
import { runCommand } from './command.ts';
import { rotateVaultKey } from './vault-key/rotate.ts';

const usage = `npm run rotate-vault-key

Wraps the data key of every identity and institution with a new vault key; the encrypted data do not change. Stop every process
of the service first. The command may be interrupted at any time and run again. A completed rotation is not repeated.

The old key is VAULT_KEY, or vault.key in DATA_DIR, as for the service.

If VAULT_KEY is set, give the new key in NEW_VAULT_KEY (64 hex characters: openssl rand -hex 32). After the rotation, set VAULT_KEY to it
before you start the service. If VAULT_KEY is not set, the command takes NEW_VAULT_KEY or generates a key once, and stores it in
DATA_DIR/vault.key.next. At the end it replaces vault.key, and keeps the old key in vault.key.old for backups made until now. Remove it
when these are deleted. The steps are in docs/operations.md.

Exit status: 0 every data key is wrapped with the new vault key, 2 the rotation failed.
`;

await runCommand({ usage, progress: 'Wrapping', noun: 'data keys' }, async (args, parts) => {
  readOptions(args, {});
  await rotateVaultKey(parts);
  return 'clean';
});
