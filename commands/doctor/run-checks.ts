import type { Config } from '../../server/config.ts';
import { directConnections, port, publicUrl } from './address.ts';
import { backups } from './backups.ts';
import { type Check, type Finding, failure, reasonOf } from './check.ts';
import { database, databaseEncryption, databaseKeys, sharedSettings } from './database.ts';
import { gateway } from './gateway.ts';
import { keyFiles } from './key-files.ts';
import { dataDirectory, user } from './machine.ts';
import { gatewayClock, wallet } from './network.ts';
import { proxy } from './proxy.ts';
import { mail, redis } from './services.ts';
import { settings } from './settings.ts';
import { standbys } from './standbys.ts';

/** In the order of the report. They run one after the other: two of them listen on the port. */
export const CHECKS: readonly Check[] = [
  settings,
  user,
  dataDirectory,
  keyFiles,
  database,
  databaseEncryption,
  databaseKeys,
  sharedSettings,
  standbys,
  backups,
  gateway,
  gatewayClock,
  wallet,
  mail,
  redis,
  port,
  publicUrl,
  directConnections,
  proxy,
];

export interface Result {
  readonly name: string;
  /** Why the check did not run, or null. */
  readonly skipped: string | null;
  readonly findings: readonly Finding[];
}

/** Runs every check. An unexpected failure of a check is a finding of its own. */
export async function examine(config: Config, checks: readonly Check[] = CHECKS): Promise<Result[]> {
  const results: Result[] = [];
  for (const check of checks) {
    const skipped = check.skips?.(config) ?? null;
    const findings = skipped === null ? await check.run(config).catch(unexpected) : [];
    results.push({ name: check.name, skipped, findings });
  }
  return results;
}

const unexpected = (error: unknown): Finding[] => [
  failure(`The check could not be completed (${reasonOf(error)}).`, 'Correct the findings above and run it again.'),
];

export const hasErrors = (results: readonly Result[]): boolean =>
  results.some(({ findings }) => findings.some(({ level }) => level === 'error'));

/** One line per check, and two per finding. */
export function describe(results: readonly Result[]): string[] {
  return results.flatMap(({ name, skipped, findings }) => {
    if (skipped !== null) return [`not checked  ${name}: ${skipped}`];
    if (findings.length === 0) return [`ok           ${name}`];
    return findings.flatMap(({ level, problem, remedy }) => [
      `${level.padEnd(12)} ${name}: ${problem}`,
      `${' '.repeat(13)}${remedy}`,
    ]);
  });
}
