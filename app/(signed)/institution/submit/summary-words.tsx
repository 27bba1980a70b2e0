import { clsx } from 'clsx';
import { useTranslations } from 'use-intl/react';
import { type FileSummary, peopleIn } from './file-summary.ts';

type SummaryWordsProps = {
  summary: FileSummary;
  /** How many questions about the file are open. */
  questions: number;
  isReading: boolean;
};

/** How many rows of the file can be submitted, and how many can’t. */
export function SummaryWords({ summary, questions, isReading }: SummaryWordsProps) {
  const t = useTranslations('institution.submit.preview');
  const { good, unusual, sentBefore, bad, done } = summary;
  return (
    <div role="status" className={clsx('space-y-1 text-lg', isReading && 'hidden')}>
      {questions > 0 ? (
        <p className="font-bold">{t('answerFirst', { count: questions })}</p>
      ) : (
        <p className="font-bold">{t('good', { count: good.length, people: peopleIn(good) })}</p>
      )}
      {done.length > 0 && <p>{t('done', { count: done.length })}</p>}
      {unusual.length > 0 && <p className="text-caution-ink">{t('unusual', { count: unusual.length })}</p>}
      {sentBefore.length > 0 && <p className="text-caution-ink">{t('sentBefore', { count: sentBefore.length })}</p>}
      {questions === 0 && bad.length > 0 && <p className="text-danger-ink">{t('bad', { count: bad.length })}</p>}
    </div>
  );
}
