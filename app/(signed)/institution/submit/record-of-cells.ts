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
} from './record-columns.ts';
import type { CellProblem, RowProblem } from './row-problem.ts';

/** The limits of a consent for a record. */
export interface Cover {
  readonly covers: (category: string) => boolean;
  /** Empty where every level is meant. */
  readonly levels: readonly string[];
  readonly period: { readonly from: string | null; readonly to: string | null } | null;
}

export interface ReadRecord {
  /** As it is sent. */
  readonly record: { readonly [member: string]: Json };
  readonly problems: readonly RowProblem[];
}

type Reading = {
  /** Whether 5,3 means 5.3. */
  readonly decimalComma: boolean;
  readonly cover: Cover;
  /** ms */
  readonly now: number;
};

const AHEAD_MS = 60_000;
const MAX_VALUE = 10_000;
const MAX_UNIT = 60;
const MAX_TEXT = 500;
const COMMA_NUMBER = /^[-+]?\d+,\d+$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A value as it is sent: a number only where its text is the very one that the number has in canonical JSON, so that nothing is
 * re-rounded and no trailing zero is lost; else the text.
 */
export function sentValue(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}

export const hasCommaNumber = (text: string): boolean => COMMA_NUMBER.test(text.trim());

/** The record of a row and its problems. Empty cells are left out. */
export function recordOfCells(cells: Cells, { decimalComma, cover, now }: Reading): ReadRecord {
  const problems: RowProblem[] = [];
  const complain = (column: Column, problem: CellProblem) => {
    problems.push({ kind: 'cell', column, problem });
  };
  const text = (column: Column): string => cells[column]?.trim() ?? '';
  const pointed = (column: Column): string => {
    const given = text(column);
    if (!COMMA_NUMBER.test(given)) return given;
    if (!decimalComma) complain(column, 'comma');
    return given.replace(',', '.');
  };
  const bounded = (column: Column, most: number): string => {
    if (text(column).length > most) complain(column, 'tooLong');
    return text(column);
  };
  const number = (column: Column): number | null => {
    const given = pointed(column);
    if (given === '') return null;
    const read = Number(given);
    if (DECIMAL.test(given) && isExact(given, read)) return read;
    complain(column, 'number');
    return null;
  };

  for (const column of REQUIRED_COLUMNS) if (text(column) === '') complain(column, 'missing');

  const biomarker = text('biomarker').toUpperCase();
  const category = categoryOf(biomarker);
  if (biomarker !== '' && category === null) complain('biomarker', 'code');
  if (category !== null && !reaches(cover, category)) complain('biomarker', 'notCovered');

  const value = pointed('value');
  if (value.length > MAX_VALUE) complain('value', 'tooLong');

  const collectedAt = text('collected_at');
  const collected = parseTimestamp(collectedAt);
  if (collectedAt !== '' && (collected === null || !/^[1-9]/.test(collectedAt))) complain('collected_at', 'time');
  if (collected !== null && collected > now + AHEAD_MS) complain('collected_at', 'future');
  if (collected !== null && !isWithin(cover, collected)) complain('collected_at', 'outsidePeriod');

  const confidence = number('confidence');
  if (confidence !== null && (confidence < 0 || confidence > 1)) complain('confidence', 'confidence');

  const supersedes = text('supersedes');
  if (supersedes !== '' && !UUID.test(supersedes)) complain('supersedes', 'id');

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

const reaches = ({ covers, levels }: Cover, category: string): boolean =>
  covers(category) && (levels.length === 0 || levels.includes(levelOf(category) ?? ''));

const isWithin = ({ period }: Cover, time: number): boolean =>
  (!period?.from || time >= Date.parse(period.from)) && (!period?.to || time <= Date.parse(period.to));

/** Whether a number is what its text says, digit for digit. */
const isExact = (text: string, read: number): boolean =>
  read.toFixed(Math.min(text.split('.')[1]?.length ?? 0, 100)) === text;

const present = (members: readonly (readonly [string, Json])[]): Record<string, Json> =>
  Object.fromEntries(members.filter(([, value]) => value !== null));
