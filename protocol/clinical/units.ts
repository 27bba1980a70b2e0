import substances from './substances.json' with { type: 'json' };
import table from './units.json' with { type: 'json' };

interface Unit {
  readonly ucum: string;
  /** Only units of one dimension convert into each other. */
  readonly dimension: string;
  /** base = value · factor · 10^exponent + offset. A power of ten stays one, so that a conversion by it is exact. */
  readonly exponent: number;
  readonly factor?: number;
  readonly offset?: number;
  readonly spellings: readonly string[];
}

const UNITS: readonly Unit[] = table;

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** One spelling for what is written in several ways: µ, μ or mcg, IU or UI, ³ or ^3, l or L, ×10^3 or 10E3. */
const normalized = (unit: string): string =>
  unit
    .trim()
    .replace(/[\u00b5\u03bc]|mc(?=g)/g, 'u')
    .replace(/[⁰¹²³⁴-⁹]+/g, (run) => `^${[...run].map((digit) => SUPERSCRIPTS.indexOf(digit)).join('')}`)
    .replace(/\s*\/\s*/g, '/')
    .replace(/^[x×]\s*(?=10)/i, '')
    .replace(/^10(?:\^|\*\*?|[eE])(?=\d)/, '10*')
    .replace(/\^(?=\d)/g, '')
    .replace(/(^|\/)([cdmunpfk]?)l(?=\/|$)/g, '$1$2L')
    .replace(/(^|[kmu])(?:IU|UI)(?=\/|$)/, '$1[IU]');

const bySpelling = new Map(
  UNITS.flatMap((unit) => [unit.ucum, ...unit.spellings].map((spelling) => [normalized(spelling), unit])),
);

/** UCUM's case-insensitive forms. Only those with DL, ML, MOL or EQ, which are no unit in its case-sensitive form. */
const byCapitals = new Map(
  UNITS.filter(({ ucum }) => /d?L|mL|mol|eq/.test(ucum)).map((unit) => [unit.ucum.toUpperCase(), unit]),
);
const CAPITALS = /^[A-Z]+\/(?:DL|ML)$|^(?:[MUNP]?MOL|MEQ)\/[DM]?L$/;

/** What texts were read as. The same few recur in every file and batch; other texts must not fill the memory. */
const known = new Map<string, Unit | undefined>();
const MAX_KNOWN = 1_000;

function unitOf(text: string): Unit | undefined {
  const before = known.get(text);
  if (before !== undefined || known.has(text)) return before;
  const plain = normalized(text);
  const unit = bySpelling.get(plain) ?? (CAPITALS.test(plain) ? byCapitals.get(plain) : undefined);
  if (known.size < MAX_KNOWN) known.set(text, unit);
  return unit;
}

/** The UCUM code of a unit as submitted; undefined if uncertain. https://ucum.org/ucum */
export const ucumOf = (unit: string): string | undefined => unitOf(unit)?.ucum;

/** What is measured in a unit; null if the unit is not in the table. */
export const dimensionOf = (unit: string): string | null => unitOf(unit)?.dimension ?? null;

/** Whether two texts are the same unit. */
export const isSameUnit = (one: string, other: string): boolean =>
  one === other || (ucumOf(one) !== undefined && ucumOf(one) === ucumOf(other));

const SIGNIFICANT_DIGITS = 12;

/** A number times a power of ten, without the rounding of a multiplication. */
function shifted(number: number, exponent: number): number {
  const [digits = '', power = '0'] = String(number).split('e');
  return Number(`${digits}e${Number(power) + exponent}`);
}

interface Substance {
  readonly biomarkers: readonly string[];
  readonly formula: string;
  /** In g/mol, of the formula. */
  readonly molarMass: number;
  /** The charges of an ion. */
  readonly valence?: number;
  readonly source: string;
}

const substanceOf = new Map(
  (substances as readonly Substance[]).flatMap((substance) => substance.biomarkers.map((code) => [code, substance])),
);

/** How much of a dimension, in its base unit, one mole per litre of a biomarker's substance is; null if it is not known. */
function perMole(dimension: string, biomarker: string): number | null {
  const substance = substanceOf.get(biomarker);
  if (!substance) return null;
  if (dimension === 'substance/volume') return 1;
  if (dimension === 'mass/volume') return substance.molarMass;
  return dimension === 'charge/volume' && substance.valence !== undefined ? 1_000 * substance.valence : null;
}

/**
 * A value in another unit; null if the units do not convert, or if one is not in the table. Mass, substance and charge convert only for
 * a biomarker whose molar mass or valence is in substances.json.
 */
export function convert(value: number, from: string, to: string, biomarker = ''): number | null {
  if (isSameUnit(from, to)) return value;
  const [source, target] = [unitOf(from), unitOf(to)];
  if (!source || !target) return null;
  const exponent = source.exponent - target.exponent;
  if (source.dimension !== target.dimension) {
    const [given, wanted] = [perMole(source.dimension, biomarker), perMole(target.dimension, biomarker)];
    if (given === null || wanted === null) return null;
    return Number(shifted((value / given) * wanted, exponent).toPrecision(SIGNIFICANT_DIGITS));
  }
  const [factor, offset] = [source.factor ?? 1, source.offset ?? 0];
  const [toFactor, toOffset] = [target.factor ?? 1, target.offset ?? 0];
  if (factor === toFactor && offset === toOffset) return shifted(value, exponent);
  const base = shifted(value * factor + offset - toOffset, exponent);
  return Number((base / toFactor).toPrecision(SIGNIFICANT_DIGITS));
}
