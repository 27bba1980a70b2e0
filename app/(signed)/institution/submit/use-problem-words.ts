import { useTranslations } from 'use-intl/react';
import type { RowProblem } from './row-problem.ts';

/** The message for a problem of a row. */
export function useProblemWords(): (problem: RowProblem) => string {
  const t = useTranslations('institution.submit');
  return (problem) => {
    if (problem.kind === 'said') return problem.said;
    if (problem.kind === 'cell') return `${t(`field.${problem.column}`)}: ${t(`problem.${problem.problem}`)}`;
    const { column, path } = problem;
    const what = column ? t(`field.${column}`) : path;
    const wrong = t(`problem.${problem.problem}`, problem.parts);
    return what ? `${what}: ${wrong}` : wrong;
  };
}
