import { INSTANT_PROBLEMS } from '../time.ts';

/**
 * All problems of a record in a batch (RECORD_INVALID, protocol §5), by a stable key. Each is a phrase that follows the path in the
 * API's response; the names in braces are placeholders.
 */
export const RECORD_PROBLEMS = {
  object: 'must be an object',
  missing: 'is required',
  empty: 'must not be empty',
  text: 'must be a string',
  atMost: 'must have at most {most} characters',
  direction: 'must not contain invisible characters that change the order of text',
  number: 'must be a number',
  inexact: 'is a number that would be rounded: send it as text',
  biomarker: 'must be the code of a biomarker',
  code: 'is not a code of the taxonomy, nor a well-formed one of its categories',
  value: 'must be a number, a text or an object',
  ...INSTANT_PROBLEMS,
  collected: 'must be a day, or an ISO 8601 date and time with a zone, from the year 1000 on',
  future: 'must not be in the future',
  ranges: 'must be an object of ranges',
  rangeMember: 'is not a member of ref_range',
  confidence: 'must be a number from 0 to 1',
  id: 'must be the id of a record',
  belongs: 'must be {right} for {biomarker}',
  tooLarge: 'is larger than 64 KiB',
  notOfConsent: 'must match the consent',
  notTheirs: 'is not a record of this person and institution',
  ofAnother: 'is a record of another biomarker, {biomarker}',
  twice: 'is corrected twice in this batch',
  corrected: 'has already been corrected',
} as const;

export type RecordProblem = keyof typeof RECORD_PROBLEMS;

export type ProblemParts = Readonly<Record<string, string>>;

/** The phrase of a problem, with its placeholders filled in. */
export const recordProblem = (problem: RecordProblem, parts: ProblemParts = {}): string =>
  RECORD_PROBLEMS[problem].replace(PART, (braces, name: string) => parts[name] ?? braces);

/** The problem of a phrase, so that a page can translate it; null if the phrase is not in the table. */
export function parseRecordProblem(
  phrase: string,
): { readonly problem: RecordProblem; readonly parts: ProblemParts } | null {
  for (const { problem, form } of FORMS) {
    const found = form.exec(phrase);
    if (found) return { problem, parts: { ...found.groups } };
  }
  return null;
}

const PART = /\{(\w+)\}/g;

const isRecordProblem = (name: string): name is RecordProblem => Object.hasOwn(RECORD_PROBLEMS, name);

const FORMS = Object.keys(RECORD_PROBLEMS)
  .filter(isRecordProblem)
  .map((problem) => ({ problem, form: new RegExp(`^${RECORD_PROBLEMS[problem].replace(PART, '(?<$1>.+)')}$`) }));
