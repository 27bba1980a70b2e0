import type { Random } from '../chaos/random.ts';
import { ODD_TEXTS, oddValue } from './odd-values.ts';

/** A copy with one to three members replaced, removed, added, doubled or renamed. */
export function mutated(value: unknown, random: Random): unknown {
  let result = value;
  for (let times = random.pick([1, 1, 1, 2, 3]); times > 0; times--) result = changed(result, random);
  return result;
}

function changed(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.03)) return replacement(value, random);
  return Array.isArray(value) ? changedList(value, random) : changedObject(value as Record<string, unknown>, random);
}

function changedList(list: readonly unknown[], random: Random): unknown {
  if (list.length === 0) return [oddValue(random)];
  const at = random.whole(0, list.length - 1);
  const how = random.whole(0, 5);
  if (how === 0) return list.toSpliced(at, 1);
  if (how === 1) return [...list, list[at]];
  if (how === 2) return Array.from({ length: random.pick([2, 101, 400]) }, () => list[at]);
  return list.with(at, changed(list[at], random));
}

function changedObject(object: Record<string, unknown>, random: Random): unknown {
  const names = Object.keys(object);
  if (names.length === 0) return { [random.pick(ODD_TEXTS)]: oddValue(random) };
  const name = random.pick(names);
  const { [name]: value, ...rest } = object;
  const how = random.whole(0, 9);
  if (how === 0) return rest;
  if (how === 1) return { ...object, [random.pick(ODD_TEXTS)]: oddValue(random) };
  if (how === 2) return { ...rest, [name.toUpperCase()]: value };
  if (how === 3) return { ...object, [name]: object[random.pick(names)] };
  return { ...object, [name]: changed(value, random) };
}

/** Of the same type more often than not, so that a value gets further than the check of its type. */
function replacement(value: unknown, random: Random): unknown {
  if (typeof value === 'string' && random.chance(0.6)) return changedText(value, random);
  if (typeof value === 'number' && random.chance(0.6)) {
    return random.pick([value + 1, value - 1, -value, value * 1e6, value / 3, value + 0.5]);
  }
  return oddValue(random);
}

export function changedText(text: string, random: Random): string {
  const at = random.whole(0, text.length);
  switch (random.whole(0, 5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + random.pick(ODD_TEXTS) + text.slice(at);
    case 2:
      return text + text;
    case 3:
      return text.slice(0, at) + String.fromCharCode(random.whole(0, 0xffff)) + text.slice(at + 1);
    case 4:
      return text.toUpperCase();
    default:
      return random.pick(ODD_TEXTS);
  }
}
