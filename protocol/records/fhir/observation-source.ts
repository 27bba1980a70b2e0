import type { JsonObject } from '../../signing/message.ts';
import { digitsOf } from './fhir-json.ts';
import { listOf, objectOf, textOf, textOfConcept } from './fhir-members.ts';
import type { Found } from './observation-notes.ts';
import { CONFIDENCE_EXTENSION, REPLACES_EXTENSION, UNIT_EXTENSION } from './systems.ts';

const READ_STATUS = ['final', 'amended', 'corrected'];

export type SharedColumn =
  | 'collected_at'
  | 'confidence'
  | 'method'
  | 'equipment'
  | 'firmware'
  | 'operator'
  | 'supersedes';

/** What is the same for an Observation and its components. */
export function sharedCells(observation: JsonObject, found: Found, read: string[]) {
  const status = textOf(observation.status) ?? '';
  if (!READ_STATUS.includes(status)) found.problem('.status', 'status', status);
  const { method, equipment, firmware, operator } = sourceOf(observation, read);
  const { confidence, supersedes } = extensionsOf(observation, found, read);
  const cells: [SharedColumn, string | null][] = [
    ['collected_at', effectiveOf(observation, found, read)],
    ['method', method],
    ['equipment', equipment],
    ['firmware', firmware],
    ['operator', operator],
    ['confidence', confidence],
    ['supersedes', supersedes],
  ];
  return Object.fromEntries(cells.filter(([, text]) => text !== null)) as Partial<Record<SharedColumn, string>>;
}

function effectiveOf(observation: JsonObject, found: Found, read: string[]): string | null {
  const path = '.effectivePeriod';
  const period = objectOf(observation.effectivePeriod);
  const given = ['effectiveDateTime', 'effectiveInstant', 'effectivePeriod'].filter(
    (name) => observation[name] !== undefined,
  );
  read.push(...given);
  if (given.length > 1) found.problem(`.${given.join(', .')}`, 'form');
  if (observation.effectiveTiming !== undefined) found.problem('.effectiveTiming', 'form');
  if (!period) return textOf(observation.effectiveDateTime) ?? textOf(observation.effectiveInstant);
  found.rest(path, period, ['start', 'end']);
  const [start, end] = [textOf(period.start), textOf(period.end)];
  if (start !== end) found.warning(path, 'period', `${start ?? '…'} – ${end ?? '…'}`);
  return start ?? end;
}

function sourceOf(observation: JsonObject, read: string[]) {
  const method = textOfConcept(observation.method);
  if (method !== null) read.push('method');
  const device = objectOf(observation.device);
  const contained = listOf(observation.contained).find(({ id }) => device?.reference === `#${id}`);
  const named = listOf(contained?.deviceName)[0];
  const equipment = textOf(named?.name) ?? textOf(device?.display);
  const firmware = textOf(listOf(contained?.version)[0]?.value);
  if (equipment !== null || firmware !== null) read.push('device');
  const performers = listOf(observation.performer);
  const operator = performers.find(({ reference, display }) => reference === undefined && textOf(display) !== null);
  if (operator) read.push('performer');
  return { method, equipment, firmware, operator: textOf(operator?.display) };
}

const extensionOf = ({ extension }: JsonObject, url: string) => listOf(extension).find((one) => one.url === url);

export const unitExtension = (observation: JsonObject): string | null =>
  textOf(extensionOf(observation, UNIT_EXTENSION)?.valueString);

function extensionsOf(observation: JsonObject, found: Found, read: string[]) {
  read.push('extension');
  const known = [CONFIDENCE_EXTENSION, REPLACES_EXTENSION, UNIT_EXTENSION];
  const others = listOf(observation.extension).filter(({ url }) => !known.includes(String(url)));
  if (others.length > 0) found.unread('.extension', others);
  const replaced = objectOf(extensionOf(observation, REPLACES_EXTENSION)?.valueReference);
  const id = textOf(objectOf(replaced?.identifier)?.value) ?? textOf(replaced?.reference);
  return {
    confidence: digitsOf(extensionOf(observation, CONFIDENCE_EXTENSION)?.valueDecimal),
    supersedes: id?.replace(/^urn:uuid:/, '') ?? null,
  };
}
