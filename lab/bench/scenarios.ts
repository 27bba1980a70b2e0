import { LOADS } from './loads.ts';
import { audit } from './scenarios/audit.scenario.ts';
import { bareLoops } from './scenarios/bare-loops.scenario.ts';
import { idle } from './scenarios/idle.scenario.ts';
import { manyIdentities } from './scenarios/many-identities.scenario.ts';
import { regression, VERIFY } from './scenarios/regression.scenario.ts';
import { start } from './scenarios/start.scenario.ts';
import { storage } from './scenarios/storage.scenario.ts';
import type { Scenario } from './session.ts';
import type { Settings } from './settings.ts';

/** In the order they run: what needs a quiet machine comes first. */
const SCENARIOS = [start, idle, bareLoops, audit, manyIdentities] as const;
/** Sizes, which no change of speed affects: only when it is named. */
const ON_REQUEST = [storage] as const;

/** @throws {Error} with the names there are, if none contains `only`. */
export function scenariosFor({ isComparison, only }: Settings): readonly Scenario[] {
  const has = (name: string) => name.includes(only);
  if (isComparison) {
    const names = [...LOADS, VERIFY];
    return only === regression.name || names.some(has) ? [regression] : refuse(only, names);
  }
  const requested = ON_REQUEST.filter(({ name }) => name === only);
  const selected = requested.length > 0 ? requested : SCENARIOS.filter(({ name }) => has(name));
  if (selected.length > 0) return selected;
  if (LOADS.some(has)) return [bareLoops];
  return refuse(only, [...[...SCENARIOS, ...ON_REQUEST].map(({ name }) => name), ...LOADS, regression.name]);
}

function refuse(only: string, names: readonly string[]): never {
  throw new Error(`No name contains "${only}". The names are: ${names.join('; ')}.`);
}
