import { COMPARED, compareWith } from './scenarios/against.ts';
import { audit } from './scenarios/audit.ts';
import { baseBackup } from './scenarios/base-backup.ts';
import { consent } from './scenarios/consent.ts';
import { createBEO } from './scenarios/create-beo.ts';
import { distantDatabase } from './scenarios/distant-database.ts';
import { generatedLedger } from './scenarios/generated-ledger.ts';
import { listInstitutions } from './scenarios/list-institutions.ts';
import { manyIdentities } from './scenarios/many-identities.ts';
import { memory } from './scenarios/memory.ts';
import { mirror } from './scenarios/mirror.ts';
import { processes } from './scenarios/processes.ts';
import { readByDomain } from './scenarios/read-by-domain.ts';
import { records } from './scenarios/records.ts';
import { regression } from './scenarios/regression.ts';
import { secondStart } from './scenarios/second-start.ts';
import { steadyWrites } from './scenarios/steady-writes.ts';
import { checkpointing, proofs } from './scenarios/transparency.ts';
import { webhooks } from './scenarios/webhooks.ts';
import type { Scenario } from './session.ts';
import type { Settings } from './settings.ts';

/** In the order they run. They share one server, whose ledger grows from one to the next. */
const SCENARIOS: readonly Scenario[] = [
  readByDomain,
  memory,
  audit,
  createBEO,
  steadyWrites,
  consent,
  listInstitutions,
  records,
  webhooks,
  baseBackup,
  processes,
  distantDatabase,
  checkpointing,
  proofs,
  mirror,
  secondStart,
];

/** @throws {Error} with the names there are, if none contains `only`. */
export function scenariosFor({ against, identities, ledger, only }: Settings): readonly Scenario[] {
  if (ledger !== null) return [generatedLedger(ledger)];
  if (only === regression.name) return [regression];
  if (against !== null) {
    requireMatch(COMPARED, only);
    return [compareWith(against)];
  }
  const scenarios = identities === null ? SCENARIOS : [manyIdentities(identities), proofs];
  const names = scenarios.map(({ name }) => name);
  requireMatch(identities === null ? [...names, regression.name] : names, only);
  return scenarios.filter(({ name }) => name.includes(only));
}

function requireMatch(names: readonly string[], only: string): void {
  if (names.some((name) => name.includes(only))) return;
  throw new Error(`No name contains "${only}". The names are: ${names.join('; ')}.`);
}
