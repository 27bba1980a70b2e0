import type { Scenario } from './scenario.ts';
import { audit } from './scenarios/audit.ts';
import { consent } from './scenarios/consent.ts';
import { createBEO } from './scenarios/create-beo.ts';
import { exchange } from './scenarios/exchange.ts';
import { listInstitutions } from './scenarios/list-institutions.ts';
import { memory } from './scenarios/memory.ts';
import { readByDomain } from './scenarios/read-by-domain.ts';
import { secondStart } from './scenarios/second-start.ts';
import { steadyWrites } from './scenarios/steady-writes.ts';

/** In the order they run, on one server whose ledger grows from one to the next. */
export const SCENARIOS: readonly Scenario[] = [
  readByDomain,
  memory,
  audit,
  createBEO,
  steadyWrites,
  consent,
  listInstitutions,
  exchange,
  secondStart,
];
