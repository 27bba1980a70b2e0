import type { Intent } from '../../../../../protocol/entities/token.ts';
import { type Day, daysUntil, MOST_DAYS, periodOf, startOf } from '../../../../_ui/days.ts';
import type { Recipient } from './restrictions.ts';

/** The answers so far; none has a default. */
export interface Draft {
  readonly recipient: Recipient | null;
  readonly intents: readonly Intent[];
  readonly data: 'all' | 'some' | null;
  readonly categories: readonly string[];
  readonly when: 'any' | 'some' | null;
  readonly from: Day;
  readonly to: Day;
  /** As typed; empty for no limit. */
  readonly most: string;
  /** Days, or until a day, or until it is withdrawn. */
  readonly lasting: number | 'day' | 'withdrawn' | null;
  readonly endsOn: Day;
}

export const EMPTY: Draft = {
  recipient: null,
  intents: [],
  data: null,
  categories: [],
  when: null,
  from: '',
  to: '',
  most: '',
  lasting: null,
  endsOn: '',
};

export const QUESTIONS = ['who', 'may', 'data', 'when', 'long'] as const;
export type Question = (typeof QUESTIONS)[number];
export type Step = Question | 'review' | 'done';

/** What is missing or wrong in an answer: the key of a sentence in `consents.missing`. */
export type Missing = 'who' | 'may' | 'data' | 'categories' | 'when' | 'dates' | 'order' | 'most' | 'long' | 'end';

/** As many records as a consent can be limited to. */
const MOST_RECORDS = 1_000_000_000;

/** Null where a question is answered. `now` in ms. */
export function missingIn(question: Question, draft: Draft, now: number): Missing | null {
  switch (question) {
    case 'who':
      return draft.recipient ? null : 'who';
    case 'may':
      return draft.intents.length > 0 ? null : 'may';
    case 'data':
      if (draft.data === null) return 'data';
      return draft.data === 'some' && draft.categories.length === 0 ? 'categories' : null;
    case 'when':
      return missingPeriod(draft) ?? (draft.most === '' || recordsOf(draft) !== null ? null : 'most');
    case 'long':
      if (draft.lasting === null) return 'long';
      return draft.lasting === 'day' && daysUntil(draft.endsOn, now) === null ? 'end' : null;
  }
}

function missingPeriod({ when, from, to }: Draft): Missing | null {
  if (when === null) return 'when';
  if (when === 'any') return null;
  const [start, end] = [startOf(from), startOf(to)];
  if ((from === '' && to === '') || (from !== '' && start === null) || (to !== '' && end === null)) return 'dates';
  return start !== null && end !== null && start > end ? 'order' : null;
}

function recordsOf({ most }: Draft): number | null {
  const count = /^\d{1,10}$/.test(most.trim()) ? Number(most) : 0;
  return count >= 1 && count <= MOST_RECORDS ? count : null;
}

/** The step that is shown when another is asked for: no further than the first question without an answer. */
export function stepFor(asked: string | null, draft: Draft, given: boolean, now: number): Step {
  if (given) return 'done';
  const open = QUESTIONS.find((question) => missingIn(question, draft, now) !== null) ?? 'review';
  const steps: readonly Step[] = [...QUESTIONS, 'review'];
  const wanted = steps.find((step) => step === asked) ?? 'who';
  return steps.indexOf(wanted) <= steps.indexOf(open) ? wanted : open;
}

export interface Grant {
  readonly intents: readonly Intent[];
  readonly categories: readonly string[];
  readonly period: { readonly from: string | null; readonly to: string | null } | null;
  readonly most: number | null;
  /** Null until it is withdrawn; a whole number from 1 to 36 500. */
  readonly days: number | null;
}

/** The signed fields of a complete draft. */
export function grantOf(draft: Draft, now: number): Grant {
  const { lasting } = draft;
  return {
    intents: draft.intents,
    categories: draft.data === 'all' ? ['*'] : draft.categories,
    period: draft.when === 'some' ? periodOf(draft.from, draft.to) : null,
    most: recordsOf(draft),
    days:
      typeof lasting === 'number'
        ? Math.min(lasting, MOST_DAYS)
        : lasting === 'day'
          ? daysUntil(draft.endsOn, now)
          : null,
  };
}
