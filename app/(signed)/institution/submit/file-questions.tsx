import { useTranslations } from 'use-intl/react';
import type { DecimalMark } from '../../../../protocol/clinical/value.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import type { TwoDates } from './cell-readings.ts';
import type { DateOrder } from './local-times.ts';
import type { NumberMarks, TwoReadings } from './read-csv.ts';
import { ReadingChoice } from './reading-choice.tsx';

/** What the person has said about the file. */
export interface Answers {
  /** What values with two readings mean; null while it is open. */
  readonly mark: DecimalMark | null;
  /** What bounds of ranges with two readings mean; null while it is open. */
  readonly rangeMark: DecimalMark | null;
  /** `iso` while it is open. */
  readonly dateOrder: DateOrder;
}

type Marks = Pick<NumberMarks, 'open' | 'openRanges'>;

/** How many questions about the file are open. */
export const openQuestions = (
  { open, openRanges }: Marks,
  undecidedDays: readonly TwoDates[],
  answers: Answers,
): number =>
  (open.length > 0 && answers.mark === null ? 1 : 0) +
  (openRanges.length > 0 && answers.rangeMark === null ? 1 : 0) +
  (undecidedDays.length > 0 && answers.dateOrder === 'iso' ? 1 : 0);

type FileQuestionsProps = {
  marks: Marks;
  /** Days whose order nothing in the file decides. */
  undecidedDays: readonly TwoDates[];
  answers: Answers;
  onAnswer: (answer: Partial<Answers>) => void;
};

/** The questions whose answers the file does not have. */
export function FileQuestions({ marks, undecidedDays, answers, onAnswer }: FileQuestionsProps) {
  const t = useTranslations('institution.submit.preview');
  const dates = useDates();
  const shownDate = (read: string | null) => {
    if (read === null) return t('unread');
    return read.includes('T') ? dates.moment(read) : dates.day(read);
  };
  return (
    <>
      <MarkChoice
        question={t('mark.question')}
        numbers={marks.open}
        value={answers.mark}
        onChange={(mark) => onAnswer({ mark })}
      />
      <MarkChoice
        question={t('mark.ranges')}
        numbers={marks.openRanges}
        value={answers.rangeMark}
        onChange={(rangeMark) => onAnswer({ rangeMark })}
      />
      {undecidedDays.length > 0 && (
        <ReadingChoice
          question={t('order.question')}
          choices={(['dayFirst', 'monthFirst'] as const).map((reading) => ({
            reading,
            name: t(`order.${reading}`),
            examples: undecidedDays.map((date) => `${date.written} = ${shownDate(date[reading])}`),
          }))}
          value={answers.dateOrder === 'iso' ? null : answers.dateOrder}
          onChange={(dateOrder) => onAnswer({ dateOrder })}
        />
      )}
    </>
  );
}

const MARK_CHOICES = [
  { reading: ',', name: 'comma', read: ({ withComma }: TwoReadings) => withComma },
  { reading: '.', name: 'point', read: ({ withPoint }: TwoReadings) => withPoint },
] as const;

type MarkChoiceProps = {
  question: string;
  numbers: readonly TwoReadings[];
  value: DecimalMark | null;
  onChange: (mark: DecimalMark) => void;
};

/** Asks for the decimal mark of numbers with two readings, if there are any. */
function MarkChoice({ question, numbers, value, onChange }: MarkChoiceProps) {
  const t = useTranslations('institution.submit.preview.mark');
  const choices = MARK_CHOICES.map(({ reading, name, read }) => ({
    reading,
    name: t(name),
    examples: numbers.map((number) => `${number.text} = ${read(number)}`),
  }));
  return numbers.length > 0 && <ReadingChoice {...{ question, choices, value, onChange }} />;
}
