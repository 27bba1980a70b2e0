import { latestDay, parseCollected } from '../../../../protocol/clinical/collected.ts';
import { isImpossible, isNotNumeric, unusualBounds } from '../../../../protocol/clinical/plausibility.ts';
import { parseRangeText, type RangeText } from '../../../../protocol/clinical/range-text.ts';
import { RANGE_NAMES } from '../../../../protocol/clinical/ranges.ts';
import { convert, isSameUnit } from '../../../../protocol/clinical/units.ts';
import type { DecimalMark } from '../../../../protocol/clinical/value.ts';
import { categoryOf, levelOf } from '../../../../protocol/records/taxonomy.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import type { JsonObject } from '../../../../protocol/signing/message.ts';
import {
  type Cells,
  type Column,
  RANGE_MEMBERS,
  type RangeColumn,
  REQUIRED_COLUMNS,
  SOURCE_COLUMNS,
} from './file-columns.ts';
import { type DateOrder, needsOrder } from './local-times.ts';
import { hasInvisible, isNoResult, isNoValue, objectIn, type ReadValue, readBound, readValue } from './read-cell.ts';
import type { CellProblem, RowProblem, RowWarning } from './row-problem.ts';

/** The limits of a consent for a record. */
export interface Cover {
  readonly covers: (category: string) => boolean;
  /** Empty for every level. */
  readonly levels: readonly string[];
  readonly period: { readonly from: string | null; readonly to: string | null } | null;
}

export interface ReadRecord {
  /** As it is sent. */
  readonly record: { readonly [member: string]: Json };
  readonly problems: readonly RowProblem[];
  /** What is unusual about the value. */
  readonly warnings: readonly RowWarning[];
}

export type RecordOptions = {
  /** The decimal mark of a value that can be read in two ways; null where it is unknown. */
  readonly mark: DecimalMark | null;
  /** That of bounds of ranges. */
  readonly rangeMark: DecimalMark | null;
  /** How days in numbers are written; they were read in this order before. */
  readonly dateOrder: DateOrder;
  readonly cover: Cover;
  /** ms */
  readonly now: number;
};

const CLOCK_TOLERANCE_MS = 60_000;
const MAX_VALUE = 10_000;
const MAX_UNIT = 60;
const MAX_TEXT = 500;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What laboratories print where there is no range. */
const NO_RANGE = /^[-–—]*$/;

/** Spreadsheets write a day of 1900 for an empty cell or a time alone, and other systems the first of 1970. */
const FIRST_DAY = Date.UTC(1901, 0);
const isPlaceholder = (time: number): boolean => time < FIRST_DAY || Math.abs(time) <= 14 * 3_600_000;
const SEEN_COLUMNS = ['biomarker', 'value', 'unit', 'collected_at', 'supersedes'] as const;

/** The record of a row and its problems. Empty cells are left out. */
export function recordOfCells(cells: Cells, { mark, rangeMark, dateOrder, cover, now }: RecordOptions): ReadRecord {
  const problems: RowProblem[] = [];
  const report = (column: Column, problem: CellProblem) => {
    problems.push({ kind: 'cell', column, problem });
  };
  const text = (column: Column): string => cells[column]?.trim() ?? '';
  const bounded = (column: Column, max: number): string => {
    if (text(column).length > max) report(column, 'tooLong');
    return text(column);
  };
  const number = (column: 'confidence' | RangeColumn): number | null => {
    const written = text(column);
    if (NO_RANGE.test(written)) return null;
    // Confidence is at most 1, so a mark in it is no separator of thousands.
    const read = readBound(written, column !== 'confidence' ? rangeMark : written.includes(',') ? ',' : '.');
    if (typeof read === 'number') return read;
    report(column, read === 'uncertain' ? 'mark' : 'number');
    return null;
  };

  /** Bounds in columns of their own are in the unit of the value. What is stated beside them must say the same. */
  const rangeOfColumns = (): JsonObject => {
    const stated = statedRange();
    const bounds = present(
      (Object.keys(RANGE_MEMBERS) as RangeColumn[]).map((one) => [RANGE_MEMBERS[one], number(one)]),
    );
    if (Object.keys(bounds).length === 0) return stated;
    const { unit: ofStated = unit, ...members } = stated;
    const from = typeof ofStated === 'string' ? ofStated : unit;
    const agrees = Object.entries(members).every(([member, one]) => {
      const bound = bounds[member];
      if (bound === undefined) return typeof one !== 'number' || isSameUnit(from, unit);
      return typeof one === 'number' && convert(one, from, unit, biomarker) === bound;
    });
    if (!agrees) report('ref_range', 'rangesDiffer');
    return { ...(isSameUnit(from, unit) ? stated : members), ...bounds };
  };

  /** The ranges that a file of this service has as JSON, or the one that a laboratory prints. */
  const statedRange = (): JsonObject => {
    const stated = text('ref_range');
    if (NO_RANGE.test(stated)) return {};
    if (!stated.startsWith('{') && !isNoValue(stated)) return printedRange(stated);
    const ranges = objectIn(stated);
    if (ranges === null) report('ref_range', 'ranges');
    return ranges ?? {};
  };

  let isRangeText = false;
  /** A text that is not certainly a range of numbers stays a text, from which no flag follows. */
  const printedRange = (printed: string): JsonObject => {
    if (hasInvisible(printed)) report('ref_range', 'invisible');
    const range = parseRangeText(printed, rangeMark, unit);
    if (range !== null && 'kind' in range) {
      report('ref_range', 'mark');
      return {};
    }
    if (range === null || isOnBound(range)) {
      isRangeText = true;
      return { functional: bounded('ref_range', MAX_TEXT) };
    }
    return present([
      ['functional_low', range.low],
      ['functional_high', range.high],
      ['unit', range.unit === null || isSameUnit(range.unit, unit) ? null : range.unit],
    ]);
  };

  /** Whether the value is the bound of `< 200`, which a record can only state as the last value inside. */
  const isOnBound = ({ low, high, isBeyond, unit: ofRange }: RangeText): boolean =>
    isBeyond &&
    value.meaning.kind === 'number' &&
    convert(value.meaning.number, unit, ofRange ?? unit, biomarker) === (low ?? high);

  for (const column of REQUIRED_COLUMNS) if (text(column) === '') report(column, 'missing');

  const biomarker = text('biomarker').toUpperCase();
  const category = categoryOf(biomarker);
  if (biomarker !== '' && category === null) report('biomarker', 'code');
  if (category !== null && !isCovered(cover, category)) report('biomarker', 'notCovered');

  for (const column of SEEN_COLUMNS) if (hasInvisible(text(column))) report(column, 'invisible');

  const unit = bounded('unit', MAX_UNIT);
  const value = readValue(text('value'), mark);
  if (text('value').length > MAX_VALUE) report('value', 'tooLong');
  const valueProblem = text('value') === '' || hasInvisible(text('value')) ? null : problemOf(value, biomarker, unit);
  if (valueProblem) report('value', valueProblem);

  const collectedAt = text('collected_at');
  const collected = parseCollected(collectedAt);
  if (collected === null) {
    if (collectedAt !== '' && !hasInvisible(collectedAt))
      report('collected_at', dateOrder === 'iso' && needsOrder(collectedAt) ? 'order' : 'time');
  } else {
    const isAhead = collected.day === null ? collected.at > now + CLOCK_TOLERANCE_MS : collected.day > latestDay(now);
    if (isAhead) report('collected_at', 'future');
    if (isPlaceholder(collected.at)) report('collected_at', 'ancient');
    if (!isWithin(cover, collected.at)) report('collected_at', 'outsidePeriod');
  }

  const confidence = number('confidence');
  if (confidence !== null && (confidence < 0 || confidence > 1)) report('confidence', 'confidence');

  const supersedes = text('supersedes');
  if (supersedes !== '' && !UUID.test(supersedes)) report('supersedes', 'id');

  const population = bounded('population', MAX_TEXT);
  const { population: stated = population, ...bounds } = rangeOfColumns();
  if (population !== '' && stated !== population) report('population', 'populationsDiffer');
  const range = { ...bounds, ...(stated !== '' && { population: stated }) };
  const source = present(SOURCE_COLUMNS.map((column) => [column, bounded(column, MAX_TEXT) || null]));

  return {
    record: {
      biomarker,
      value: value.sent,
      unit,
      collected_at: collectedAt,
      ...present([
        ['confidence', confidence],
        ['ref_range', Object.keys(range).length > 0 ? range : null],
        ['source', Object.keys(source).length > 0 ? source : null],
        ['supersedes', supersedes || null],
        ['flag', value.flag],
      ]),
    },
    problems,
    warnings: [
      ...unusual(value, biomarker, unit),
      ...(isRangeText ? [{ kind: 'rangeText' as const }] : []),
      ...(isReversed(range) ? [{ kind: 'rangeReversed' as const }] : []),
      ...(value.flag === null ? [] : [{ kind: 'flag' as const, value: String(value.sent), flag: value.flag }]),
      ...(value.meaning.kind !== 'text' && isNotNumeric(value.meaning, biomarker)
        ? [{ kind: 'ordinal' as const }]
        : []),
    ],
  };
}

function unusual({ meaning }: ReadValue, biomarker: string, unit: string): RowWarning[] {
  const usual = unusualBounds(biomarker, meaning, unit);
  return usual && !isImpossible(meaning, unit, biomarker)
    ? [{ kind: 'unusual', low: usual.low, high: usual.high, unit: usual.unit }]
    : [];
}

function problemOf({ meaning }: ReadValue, biomarker: string, unit: string): CellProblem | null {
  if (meaning.kind === 'uncertain') return 'mark';
  if (isImpossible(meaning, unit, biomarker)) return 'impossible';
  if (meaning.kind !== 'text') return null;
  return isNoValue(meaning.text) || isNoResult(meaning.text) || isNotNumeric(meaning, biomarker) ? 'notNumber' : null;
}

const isReversed = (range: JsonObject): boolean =>
  RANGE_NAMES.some((name) => {
    const [low, high] = [range[`${name}_low`], range[`${name}_high`]];
    return typeof low === 'number' && typeof high === 'number' && low >= high;
  });

const isCovered = ({ covers, levels }: Cover, category: string): boolean =>
  covers(category) && (levels.length === 0 || levels.includes(levelOf(category) ?? ''));

const isWithin = ({ period }: Cover, time: number): boolean =>
  (!period?.from || time >= Date.parse(period.from)) && (!period?.to || time <= Date.parse(period.to));

const present = (members: readonly (readonly [string, Json])[]): Record<string, Json> =>
  Object.fromEntries(members.filter(([, value]) => value !== null));
