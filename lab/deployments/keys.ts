import { commandsIn } from './documented.ts';

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
