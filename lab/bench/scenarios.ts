import { audit } from './scenarios/audit.scenario.ts';
import { baseBackup } from './scenarios/base-backup.scenario.ts';
import { COMPARED, compareWith } from './scenarios/compare-loads.ts';
import { consent } from './scenarios/consent.scenario.ts';
import { createBEO } from './scenarios/create-beo.scenario.ts';
import { distantDatabase } from './scenarios/distant-database.scenario.ts';
import { generatedLedger } from './scenarios/generated-ledger.scenario.ts';
import { listInstitutions } from './scenarios/list-institutions.scenario.ts';
import { manyIdentities } from './scenarios/many-identities.scenario.ts';
import { memory } from './scenarios/memory.scenario.ts';
import { mirror } from './scenarios/mirror.scenario.ts';
import { processes } from './scenarios/processes.scenario.ts';
import { readByDomain } from './scenarios/read-by-domain.scenario.ts';
import { records } from './scenarios/records.scenario.ts';
import { regression } from './scenarios/regression.scenario.ts';
import { secondStart } from './scenarios/second-start.scenario.ts';
import { steadyWrites } from './scenarios/steady-writes.scenario.ts';
import { checkpointing, proofs } from './scenarios/transparency.scenario.ts';
import { webhooks } from './scenarios/webhooks.scenario.ts';
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
