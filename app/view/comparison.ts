import { biomarkerName, biomarkerOf } from '../../protocol/records/taxonomy.ts';
import type { ViewedRecord } from './contents.ts';
import type { Verdict } from './verdict.ts';

export interface Comparison {
  /** What the order, the latest values, the trends and the counts are about. */
  readonly compared: readonly ViewedRecord[];
  readonly apart: readonly ViewedRecord[];
}

/** The best first. While the ledger is asked, what may match counts as if it did. */
const RANKS: readonly (readonly Verdict['state'][])[] = [['proved', 'checking'], ['unchecked']];

/**
 * Sets apart what is not as certain as the rest: an added result without a proof could pass for the latest value and hide a proved one.
 * Where nothing has a proof that may hold, all are alike.
 */
export function setApart(records: readonly ViewedRecord[], verdicts: readonly Verdict[]): Comparison {
  const rank = RANKS.find((states) => verdicts.some(({ state }) => states.includes(state)));
  const isCompared = ({ proof, problems }: ViewedRecord, index: number): boolean => {
    const state = verdicts[index]?.state ?? 'none';
    return (rank?.includes(state) ?? true) && (proof !== null || !problems.some((kind) => UNCERTAIN.includes(kind)));
  };
  return {
    compared: records.filter(isCompared),
    apart: records.filter((viewed, index) => !isCompared(viewed, index)),
  };
}

/** The value may mean something else. */
const UNCERTAIN: readonly ViewedRecord['problems'][number][] = ['modifier', 'form', 'unit'];

/** Results are of one kind if they have the code, the person and, where only a file gives the code a meaning, the name in the file. */
export function kindOf({ record: { biomarker, beo_id }, name, subject, proof, warnings }: ViewedRecord): string {
  const specimen = warnings.find(({ kind }) => kind === 'specimen')?.detail;
  return JSON.stringify([biomarker, biomarkerOf(biomarker) || proof ? null : name, subject ?? beo_id, specimen]);
}

export interface Names {
  readonly name: string;
  /** What the file calls it, where that is something else; nobody checks it. */
  readonly inFile: string | null;
}

/** The catalogue's name; for a code that it does not list the code, if that was signed, else the file's own name. */
export function namesOf(
  { record: { biomarker }, name, proof }: Pick<ViewedRecord, 'name' | 'proof'> & { record: { biomarker: string } },
  nameOf: (code: string) => string,
): Names {
  if (biomarkerOf(biomarker)) {
    const listed = nameOf(biomarker);
    return { name: listed, inFile: proof || name === listed || name === biomarkerName(biomarker) ? null : name };
  }
  if (proof) return { name: biomarker, inFile: name === biomarker ? null : name };
  return { name: name ?? (biomarker || '–'), inFile: null };
}
