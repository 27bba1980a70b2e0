import type { Token } from '../../client/types.ts';
import type { Contents, Subject, ViewedRecord } from './contents.ts';
import type { Verdict } from './verdict.ts';

/** A person whom the files name. */
export interface Person {
  readonly subject: Subject;
  /** Whether the register has the domain for the holder of a result, or says that this identity has ended; else only the files state it. */
  readonly known: 'proved' | 'ended' | 'stated';
}

/** Whether the stated person is the holder of a consent. The domain of an ended identity is in no register: only the id is compared. */
export const isHolder = (subject: Subject | null, token: Pick<Token, 'beo_id' | 'beo_domain'>): boolean =>
  subject !== null && subject.id === token.beo_id && (token.beo_domain === null || token.beo_domain === subject.domain);

export function peopleOf({ subjects, records }: Contents, verdicts: readonly Verdict[]): Person[] {
  const domains = new Map<Subject | null, string | null>();
  for (const [index, verdict] of verdicts.entries())
    if (verdict.state === 'proved') domains.set(records[index]?.subject ?? null, verdict.holder);
  return subjects.map((subject) => {
    const domain = domains.get(subject);
    return { subject, known: domain === undefined ? 'stated' : domain === null ? 'ended' : 'proved' };
  });
}

/** Whose a result is, where it is not clear from the page's head: `unknown`, or one of several people. */
export function whoseOf(
  { subject }: Pick<ViewedRecord, 'subject'>,
  people: readonly Person[],
): Person | 'unknown' | null {
  if (people.length === 0) return null;
  const person = people.find((one) => one.subject === subject);
  if (!person) return 'unknown';
  return people.length === 1 ? null : person;
}
