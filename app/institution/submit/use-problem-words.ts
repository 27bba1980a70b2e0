import { useTranslations } from 'use-intl/react';
import type { RowProblem } from './record-of-cells.ts';

/** What is wrong with a row, as a sentence. What only the server's rules say is said in their words. */
export function useProblemWords(): (problem: RowProblem) => string {
  const t = useTranslations('institution.submit');
  return (problem) =>
    problem.column ? `${t(`field.${problem.column}`)}: ${t(`problem.${problem.problem}`)}` : problem.said;
}
