import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsIn } from './documented.ts';
import type { Gateway } from './gateway.ts';

const DOCUMENT = 'docs/deployment.md';

export interface CreatedKeys {
  readonly vaultKey: string;
  /** The keys of the three people, and their digests. */
  readonly people: readonly string[];
  readonly digests: readonly string[];
}

/**
 * Creates every key with the commands of the document in the current folder of a shell: the key files, and those that are
 * printed.
 * @param run runs commands and returns their output
 */
export async function createKeys(run: (commands: string) => Promise<string>): Promise<CreatedKeys> {
  const [keys = '', wallet = ''] = commandsIn(DOCUMENT, 'Keys');
  const [files = '', vault = '', institute = '', digest = ''] = keys.trimEnd().split('\n');
  await run(`${files}\n${wallet}`);
  const people = (await run(institute)).trim().split('\n');
  const digests = await Promise.all(
    people.map(async (key) => (await run(digest.replace('KEY OF ONE PERSON', key))).split(' ')[0] ?? ''),
  );
  return { vaultKey: (await run(vault)).trim(), people, digests };
}

/** The contents of the key files in a folder, and the keys that were printed: no log and no image may have them. */
export function secretsOf(folder: string, { vaultKey, people }: CreatedKeys): readonly string[] {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
  const wallet = JSON.parse(read('wallet.json'));
  const files = ['relayer.key', 'checkpoint.key', 'webhook.key'].map(read);
  return [...files, wallet.d, wallet.p, wallet.q, vaultKey, ...people];
}

/** The lines of perpetua.env that every deployment has. */
export const settingsWith = ({ vaultKey, digests }: CreatedKeys, gateway: Gateway, url: string) => ({
  VAULT_KEY: vaultKey,
  INSTITUTE_KEY_DIGESTS: digests.join(),
  ARWEAVE_GATEWAY_URL: gateway.url,
  PUBLIC_URL: url,
  RATE_LIMIT: 'off',
  BUNDLE_MAX_AGE_MS: '2000',
});
