import { type Day, endOfDay, periodOfDays, startOfDay } from '../../../../protocol/days.ts';
import { MAX_PAGE_SIZE } from '../../../../protocol/page.ts';
import { CATEGORIES, categoryOf } from '../../../../protocol/records/taxonomy.ts';

/** The values of the filter fields. */
export interface RecordQuery {
  /** Empty for all categories that the consent covers. */
  readonly categories: readonly string[];
  /** Codes, separated by commas, semicolons or spaces. */
  readonly biomarkers: string;
  readonly from: Day;
  readonly to: Day;
  readonly status: 'ACTIVE' | 'SUPERSEDED';
}

export const ALL_COVERED: RecordQuery = { categories: [], biomarkers: '', from: '', to: '', status: 'ACTIVE' };
export const PAGE = MAX_PAGE_SIZE;

/** The versions of a query as a parameter of an address, and back; the address does not say what of whom was read. */
export const parametersOf = ({ status }: RecordQuery) => ({ versions: status === 'ACTIVE' ? '' : status });

export const queryIn = (parameters: Pick<URLSearchParams, 'get'>): RecordQuery => ({
  ...ALL_COVERED,
  status: parameters.get('versions') === 'SUPERSEDED' ? 'SUPERSEDED' : 'ACTIVE',
});

export const codesIn = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean);

export const badCodes = (text: string): string[] => codesIn(text).filter((code) => categoryOf(code) === null);

export function isBackwards({ from, to }: RecordQuery): boolean {
  const [start, end] = [startOfDay(from), endOfDay(to)];
  return start !== null && end !== null && end < start;
}

/** The filters of a read (protocol §8); days are those of this device. */
export function filtersOf({ categories, biomarkers, from, to, status }: RecordQuery, offset: number) {
  const codes = codesIn(biomarkers);
  return {
    categories: categories.length > 0 ? CATEGORIES.filter((code) => categories.includes(code)) : null,
    biomarkers: codes.length > 0 ? [...new Set(codes)] : null,
    levels: null,
    status,
    ...periodOfDays(from, to),
    limit: PAGE,
    offset,
  };
}
