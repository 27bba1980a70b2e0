import type { ViewedRecord } from './contents.ts';

/** The name that the catalogue has for a result, else that of the file. */
export function nameIn({ record, name }: ViewedRecord, nameOf: (code: string) => string): string {
  const listed = nameOf(record.biomarker);
  return listed === record.biomarker ? (name ?? listed) : listed;
}
