import { useTranslations } from 'use-intl/react';
import type { RowProblem, RowWarning } from './row-problem.ts';

const noted = ({ path, detail }: { path: string; detail: string }) => ({ path, detail });

/** The message for a problem of a row. */
export function useProblemWords(): (problem: RowProblem) => string {
  const t = useTranslations('institution.submit');
  const fhir = useTranslations('institution.submit.fhir');
  return (problem) => {
    if (problem.kind === 'message') return problem.message;
    if (problem.kind === 'fhir') return fhir(problem.note.kind, noted(problem.note)).trim();
    if (problem.kind === 'structure') return t(`structure.${problem.problem}`);
    if (problem.kind === 'cell') return `${t(`field.${problem.column}`)}: ${t(`problem.${problem.problem}`)}`;
    const { column, path } = problem;
    const subject = column ? t(`field.${column}`) : path;
    const text = t(`problem.${problem.problem}`, problem.parts);
    return subject ? `${subject}: ${text}` : text;
  };
}

/** The message for what is unusual about a row. */
export function useWarningWords(): (warning: RowWarning) => string {
  const t = useTranslations('institution.submit.warning');
  const fhir = useTranslations('institution.submit.fhir');
  return (warning) => {
    switch (warning.kind) {
      case 'unit':
        return t('unit', { usual: warning.usual });
      case 'flag':
        return t('flag', { value: warning.value, flag: warning.flag });
      case 'unusual':
        return t('unusual', { low: String(warning.low), high: String(warning.high), unit: warning.unit });
      case 'aside':
        return t('aside', { column: warning.column, text: warning.text });
      case 'fhir':
        return fhir(warning.note.kind, noted(warning.note));
      case 'ordinal':
      case 'rangeReversed':
      case 'rangeText':
      case 'unlisted':
      case 'sentBefore':
        return t(warning.kind);
      case 'duplicate':
        return t('duplicate', { row: warning.row });
    }
  };
}
