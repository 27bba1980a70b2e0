import type { BioRecord } from '../../../../../protocol/records/record.ts';
import { groupBy } from '../../../../_ui/records/group-by.ts';

interface Kind {
  /** Of a biomarker. */
  readonly code: string;
  readonly name: string;
  /** How many of the records are of it. */
  readonly count: number;
}

/** The kinds of records, sorted by their names in a language. */
export function kindsOf(
  records: readonly BioRecord[],
  nameOf: (code: string) => string,
  locale: string,
): readonly Kind[] {
  const { compare } = new Intl.Collator(locale);
  return [...groupBy(records, ({ biomarker }) => biomarker)]
    .map(([code, all]) => ({ code, name: nameOf(code), count: all.length }))
    .sort((one, other) => compare(one.name, other.name));
}
