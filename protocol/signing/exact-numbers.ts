/** The members of a JSON text down to a number. */
export type JsonPath = readonly (string | number)[];

/**
 * Whether a decimal number, as JSON writes it, keeps its value when it is read as a double and written again. 1.50 and 1e2 do;
 * 1e-400, 2^53 + 1 and 0.10000000000000001 do not.
 */
export function isExactNumber(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  if (String(number) === text) return true;
  const exact = decimalOf(text);
  const stored = decimalOf(String(number));
  return exact.digits === stored.digits && exact.power === stored.power;
}

const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:[eE]\+?(-?\d+))?$/;

/** The digits without zeros at either end, and the power of ten of the last one. */
function decimalOf(text: string): { readonly digits: string; readonly power: number } {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  // Not a regular expression: it would begin again at every zero.
  let end = all.length;
  while (all[end - 1] === '0') end--;
  if (end === 0) return { digits: '', power: 0 };
  return { digits: all.slice(0, end), power: Number(exponent) - fraction.length + all.length - end };
}

/** The numbers that may not be exact: with 16 characters or more, or an exponent. Finds some in strings, too. */
const SUSPICIOUS = /(?:^|[:[,])\s*(-?(?:[\d.]{16,}(?:[eE][+-]?\d+)?|[\d.]+[eE][+-]?\d+))/g;
const TOKEN = /"([^"\\]*(?:\\.[^"\\]*)*)"|-?\d[\d.eE+-]*|[{}[\],:]/g;

/**
 * The paths of the numbers in a valid JSON text that are not exact, at most `max`. JSON.parse does not show them: it has rounded them.
 */
export function inexactNumbers(json: string, max: number): JsonPath[] {
  for (const [, number = ''] of json.matchAll(SUSPICIOUS)) if (!isExactNumber(number)) return pathsOfInexact(json, max);
  return [];
}

function pathsOfInexact(json: string, max: number): JsonPath[] {
  const found: JsonPath[] = [];
  /** The name or the index of the current member of each open object or list. */
  const path: (string | number)[] = [];
  let name: string | undefined;
  for (const [token, text] of json.matchAll(TOKEN)) {
    if (text !== undefined) name = token;
    else if (token === '{') path.push('');
    else if (token === '[') path.push(0);
    else if (token === '}' || token === ']') path.pop();
    else if (token === ':') path[path.length - 1] = JSON.parse(name ?? '""') as string;
    else if (token === ',') {
      const last = path.at(-1);
      if (typeof last === 'number') path[path.length - 1] = last + 1;
    } else if (!isExactNumber(token) && found.push([...path]) === max) break;
  }
  return found;
}
