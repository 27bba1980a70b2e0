import type { Json } from '../../signing/canonical-json.ts';
import type { JsonObject } from '../../signing/message.ts';
import { digitsOf } from './fhir-json.ts';
import { listOf, objectOf, textOf, textOfConcept } from './fhir-members.ts';
import type { Found } from './observation-notes.ts';
import { unitIn } from './observation-value.ts';
import { hl7, RANGE_SYSTEM } from './systems.ts';

const NORMAL = hl7('referencerange-meaning');

/** The ranges as a record states them; undefined without one. */
export function rangeOf(stated: readonly JsonObject[], path: string, unit: string, found: Found): Json | undefined {
  const range: Record<string, Json> = {};
  const read = stated.map((one, index) => bandIn(one, `${path}.referenceRange[${index}]`, found));
  const isClear =
    new Set(read.map((band) => band?.name)).size === read.length &&
    new Set(read.flatMap((band) => band?.units ?? [])).size <= 1 &&
    new Set(read.map((band) => band?.population)).size <= 1;
  if (stated.length === 0) return undefined;
  if (!isClear || read.includes(null)) {
    found.warning(`${path}.referenceRange`, 'ranges');
    found.unread(`${path}.referenceRange`, stated);
    return undefined;
  }
  for (const band of read) Object.assign(range, band?.members);
  const [ownUnit] = read.flatMap((band) => band?.units ?? []);
  const population = read[0]?.population ?? null;
  return {
    ...range,
    ...(ownUnit !== undefined && ownUnit !== unit && { unit: ownUnit }),
    ...(population !== null && { population }),
  };
}

const BANDS = ['optimal', 'functional', 'deficiency', 'toxicity', 'critical'];

function bandIn(stated: JsonObject, path: string, found: Found) {
  found.rest(path, stated, ['id', 'low', 'high', 'type', 'appliesTo', 'text']);
  const codings = listOf(objectOf(stated.type)?.coding);
  const own = codings.find(({ system }) => system === RANGE_SYSTEM)?.code;
  const isNormal =
    stated.type === undefined || codings.some(({ system, code }) => system === NORMAL && code === 'normal');
  const name = BANDS.find((band) => band === own) ?? (isNormal ? 'functional' : null);
  const bounds = (['low', 'high'] as const).flatMap((side) => {
    const quantity = objectOf(stated[side]);
    // A bound with a comparator is none that a record can state.
    const digits = quantity && quantity.comparator === undefined ? digitsOf(quantity.value) : null;
    return quantity
      ? [{ side, number: digits === null ? Number.NaN : Number(digits), unit: unitIn(quantity, path, found) }]
      : [];
  });
  const text = textOf(stated.text);
  const populations = listOf(stated.appliesTo).map(textOfConcept);
  if (name === null || populations.length > 1 || bounds.some(({ number }) => !Number.isFinite(number))) return null;
  const isStated = text !== null && (bounds.length === 0 || own !== undefined) && name !== 'critical';
  if (text !== null && !isStated) found.unread(`${path}.text`, text);
  return {
    name,
    members: {
      ...Object.fromEntries(bounds.map(({ side, number }) => [`${name}_${side}`, number])),
      ...(isStated && { [name]: text }),
    },
    units: bounds.flatMap(({ unit }) => unit ?? []),
    population: populations[0] ?? null,
  };
}
