import { readOptions } from '../operator/options.ts';
import { runCommand } from './command.ts';
import { rotateVaultKey } from './vault-key/rotate.ts';

const usage = `npm run rotate-vault-key

Wraps the data key of every identity and institution with a new vault key; the encrypted data do not change. Stop every process
of the service first. The command may be interrupted at any time and run again. A completed rotation is not repeated.

The old key is VAULT_KEY, or vault.key in DATA_DIR, as for the service. If VAULT_KEY is set, the new key must be in NEW_VAULT_KEY (64
hex characters: openssl rand -hex 32). Set VAULT_KEY to it before the service starts again. Otherwise the new key may be in NEW_VAULT_KEY,
or is generated once, and is stored in DATA_DIR/vault.key.next. At the end vault.key is replaced; the old key remains in vault.key.old
for backups made until now. Remove it when these are deleted. The steps are in docs/operations.md.

Exit status: 0 every data key is wrapped with the new vault key, 2 the rotation failed.
`;

await runCommand({ usage, progress: 'Wrapping', noun: 'data keys' }, async (args, parts) => {
  readOptions(args, {});
  await rotateVaultKey(parts);
  return 'clean';
});
