import { categoryOf, levelOf } from '../../../../protocol/records/taxonomy.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { parseTimestamp } from '../../../../protocol/time.ts';
import {
  type Cells,
  type Column,
  RANGE_MEMBERS,
  type RangeColumn,
  REQUIRED_COLUMNS,
  SOURCE_COLUMNS,
} from './file-columns.ts';
import type { CellProblem, RowProblem } from './row-problem.ts';

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
}

type Options = {
  /** Whether 5,3 means 5.3. */
  readonly decimalComma: boolean;
  readonly cover: Cover;
  /** ms */
  readonly now: number;
};

const CLOCK_TOLERANCE_MS = 60_000;
const MAX_VALUE = 10_000;
const MAX_UNIT = 60;
const MAX_TEXT = 500;
const COMMA_NUMBER = /^[-+]?\d+,\d+$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A value as it is sent: a number if its text is that of the number in canonical JSON, else the text, so that nothing is
 * rounded and no trailing zero is lost.
 */
export function sentValue(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}

export const hasCommaNumber = (text: string): boolean => COMMA_NUMBER.test(text.trim());

/** The record of a row and its problems. Empty cells are left out. */
export function recordOfCells(cells: Cells, { decimalComma, cover, now }: Options): ReadRecord {
  const problems: RowProblem[] = [];
  const report = (column: Column, problem: CellProblem) => {
    problems.push({ kind: 'cell', column, problem });
  };
  const text = (column: Column): string => cells[column]?.trim() ?? '';
  const withPoint = (column: Column): string => {
    const original = text(column);
    if (!COMMA_NUMBER.test(original)) return original;
    if (!decimalComma) report(column, 'comma');
    return original.replace(',', '.');
  };
  const bounded = (column: Column, max: number): string => {
    if (text(column).length > max) report(column, 'tooLong');
    return text(column);
  };
  const number = (column: Column): number | null => {
    const decimal = withPoint(column);
    if (decimal === '') return null;
    const parsed = Number(decimal);
    if (DECIMAL.test(decimal) && isExact(decimal, parsed)) return parsed;
    report(column, 'number');
    return null;
  };

  for (const column of REQUIRED_COLUMNS) if (text(column) === '') report(column, 'missing');

  const biomarker = text('biomarker').toUpperCase();
  const category = categoryOf(biomarker);
  if (biomarker !== '' && category === null) report('biomarker', 'code');
  if (category !== null && !isCovered(cover, category)) report('biomarker', 'notCovered');

  const value = withPoint('value');
  if (value.length > MAX_VALUE) report('value', 'tooLong');

  const collectedAt = text('collected_at');
  const collected = parseTimestamp(collectedAt);
  if (collectedAt !== '' && (collected === null || !/^[1-9]/.test(collectedAt))) report('collected_at', 'time');
  if (collected !== null && collected > now + CLOCK_TOLERANCE_MS) report('collected_at', 'future');
  if (collected !== null && !isWithin(cover, collected)) report('collected_at', 'outsidePeriod');

  const confidence = number('confidence');
  if (confidence !== null && (confidence < 0 || confidence > 1)) report('confidence', 'confidence');

  const supersedes = text('supersedes');
  if (supersedes !== '' && !UUID.test(supersedes)) report('supersedes', 'id');

  const population = bounded('population', MAX_TEXT);
  const range = {
    ...present((Object.keys(RANGE_MEMBERS) as RangeColumn[]).map((column) => [RANGE_MEMBERS[column], number(column)])),
    ...(population !== '' && { population }),
  };
  const source = present(SOURCE_COLUMNS.map((column) => [column, bounded(column, MAX_TEXT) || null]));

  return {
    record: {
      biomarker,
      value: sentValue(value),
      unit: bounded('unit', MAX_UNIT),
      collected_at: collectedAt,
      ...present([
        ['confidence', confidence],
        ['ref_range', Object.keys(range).length > 0 ? range : null],
        ['source', Object.keys(source).length > 0 ? source : null],
        ['supersedes', supersedes || null],
      ]),
    },
    problems,
  };
}

const isCovered = ({ covers, levels }: Cover, category: string): boolean =>
  covers(category) && (levels.length === 0 || levels.includes(levelOf(category) ?? ''));

const isWithin = ({ period }: Cover, time: number): boolean =>
  (!period?.from || time >= Date.parse(period.from)) && (!period?.to || time <= Date.parse(period.to));

/** Whether a number has every digit of its text. */
const isExact = (text: string, parsed: number): boolean =>
  parsed.toFixed(Math.min(text.split('.')[1]?.length ?? 0, 100)) === text;

const present = (members: readonly (readonly [string, Json])[]): Record<string, Json> =>
  Object.fromEntries(members.filter(([, value]) => value !== null));
