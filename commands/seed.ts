import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { readConfig } from '../server/config.ts';
import { CommandError, httpUrl, readOptions } from '../server/platform/command-line/options.ts';
import { INSTITUTE_KEYS } from '../server/platform/data-folder/key-files.ts';
import { readRunningFile } from '../server/platform/data-folder/running-file.ts';
import { runCommand } from './command.ts';
import { type Seeded, seed } from './seed/fill-service.ts';

const usage = `npm run seed [-- --url URL --out FILE]

Fills a running service (default: http://127.0.0.1 and PORT) with people, institutions, consents, guardians and records. Everything
is created through the public API with new keys and within its rate limits, so it takes about a minute. It runs only on the test
network. Every run creates a new set; from the second run on, the names contain its number.

The recovery words of everyone created are written to FILE, by default to a new one in seed/ in DATA_DIR; its path is the last
line of the output. Sign in to the dashboard with them. FILE must not exist yet. Institutions are certified with the institute's keys, which a service on the embedded devnet keeps in DATA_DIR.

Exit status: 0 everything was created; 2 the command failed.
`;

/** Wider than an id, which has 36 characters. */
const COLUMN_WIDTH = 40;

await runCommand({ usage, progress: 'Seeding' }, async (args, { env, note, print }) => {
  const options = readOptions(args, { url: { type: 'string' }, out: { type: 'string' } });
  const out = options.out === undefined ? null : requireNewFile(resolve(options.out));
  const { DATA_DIR, DOMAIN_SUFFIX, PORT } = readConfig(env);
  const url = httpUrl('url', options.url) ?? `http://127.0.0.1:${PORT}`;
  // The institute's keys are sent only to the service that DATA_DIR belongs to.
  const instituteKeyAt = (gatewayUrl: string) =>
    readRunningFile(DATA_DIR)?.gateway_url === gatewayUrl ? instituteKeyIn(join(DATA_DIR, INSTITUTE_KEYS)) : null;
  const seeded = await seed({ url, suffix: DOMAIN_SUFFIX, instituteKeyAt, note });

  const file = out ?? resolve(DATA_DIR, 'seed', `${seeded.ledger_id.slice(0, 8)}-${seeded.number}.json`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(seeded, null, 2)}\n`, { mode: 0o600 });
  for (const line of summary(seeded)) print(line);
  print(`Recovery words to sign in with, and the links of open invitations: ${file}`);
  return 'clean';
});

/** Checked before anything is created, because the words exist nowhere else. @throws {CommandError} */
function requireNewFile(file: string): string {
  if (existsSync(file)) throw new CommandError(`${file} exists already.`);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}.`);
  }
  return file;
}

function instituteKeyIn(file: string): string | null {
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8')))[0] ?? null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new CommandError(`${file} cannot be read as the institute's keys.`);
  }
}

function summary({ people, institutions, consents, guardians }: Seeded): string[] {
  const columns = (...texts: string[]) => `  ${texts.map((text) => text.padEnd(COLUMN_WIDTH)).join('')}`.trimEnd();
  return [
    'People',
    ...people.map(({ domain, id, records }) => columns(domain, id, records ? `${records} records` : '')),
    'Institutions',
    ...institutions.map(({ domain, id, type, certified }) =>
      columns(domain, id, certified ? `${type}, certified` : type),
    ),
    'Consents',
    ...consents.map(({ from, to, days, revoked }) =>
      columns(from, to, revoked ? 'revoked' : days === null ? 'no end' : `${days} ${days === 1 ? 'day' : 'days'}`),
    ),
    'Guardians',
    ...guardians.map(({ of, guardian, role, status }) => columns(of, guardian, `${role}, ${status}`)),
  ];
}
