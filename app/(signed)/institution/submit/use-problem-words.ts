import { useTranslations } from 'use-intl/react';
import type { RowProblem } from './row-problem.ts';

/** The message for a problem of a row. */
export function useProblemWords(): (problem: RowProblem) => string {
  const t = useTranslations('institution.submit');
  return (problem) => {
    if (problem.kind === 'message') return problem.message;
    if (problem.kind === 'cell') return `${t(`field.${problem.column}`)}: ${t(`problem.${problem.problem}`)}`;
    const { column, path } = problem;
    const subject = column ? t(`field.${column}`) : path;
    const text = t(`problem.${problem.problem}`, problem.parts);
    return subject ? `${subject}: ${text}` : text;
  };
}
