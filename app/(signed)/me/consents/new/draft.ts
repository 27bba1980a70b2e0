import { type Day, daysThrough, isDay, MAX_CONSENT_DAYS, periodOfDays } from '../../../../../protocol/days.ts';
import type { Intent } from '../../../../../protocol/entities/intents.ts';
import type { Flow, Step } from '../../../../_wizard/step-order.ts';
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
  /** A number of days, until a day, or until it is withdrawn. */
  readonly lasting: number | 'day' | 'withdrawn' | null;
  readonly endsOn: Day;
  /** Of a request; empty for all. */
  readonly levels: readonly string[];
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
  levels: [],
};

export type Question = 'who' | 'may' | 'data' | 'when' | 'long';

/** What is missing or wrong in an answer: the key of a sentence in `consents.missing`. */
export type Missing = 'who' | 'may' | 'data' | 'categories' | 'when' | 'dates' | 'order' | 'most' | 'long' | 'end';

/** The highest limit of records in a consent. */
const MAX_RECORDS = 1_000_000_000;

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
      return draft.lasting === 'day' && daysThrough(draft.endsOn, now) === null ? 'end' : null;
  }
}

function missingPeriod({ when, from, to }: Draft): Missing | null {
  if (when === null) return 'when';
  if (when === 'any') return null;
  const days = [from, to].filter((day) => day !== '');
  if (days.length === 0 || !days.every(isDay)) return 'dates';
  return from !== '' && to !== '' && from > to ? 'order' : null;
}

function recordsOf({ most }: Draft): number | null {
  const count = /^\d{1,10}$/.test(most.trim()) ? Number(most) : 0;
  return count >= 1 && count <= MAX_RECORDS ? count : null;
}

interface Granting {
  readonly draft: Draft;
  readonly granted: boolean;
  /** The recipient is the institution that asked. */
  readonly asked?: boolean;
  /** In ms. */
  readonly now: number;
}

const step = (name: Question): Step<Granting, Question> => ({
  name,
  isDone: ({ draft, now }) => missingIn(name, draft, now) === null,
});

export const GRANT: Flow<Granting, Question | 'review', 'done'> = {
  steps: [step('who'), step('may'), step('data'), step('when'), step('long'), { name: 'review' }],
  only: ({ granted, asked }, requested) =>
    granted ? 'done' : asked && (requested === null || requested === 'who') ? 'may' : null,
};

export interface Grant {
  readonly intents: readonly Intent[];
  readonly categories: readonly string[];
  readonly period: { readonly from: string | null; readonly to: string | null } | null;
  readonly levels: readonly string[];
  readonly most: number | null;
  /** A whole number from 1 to 36 500; null for a consent until it is withdrawn. */
  readonly days: number | null;
}

/** The signed fields of a complete draft. */
export function grantOf(draft: Draft, now: number): Grant {
  const { lasting } = draft;
  return {
    intents: draft.intents,
    categories: draft.data === 'all' ? ['*'] : draft.categories,
    period: draft.when === 'some' ? periodOfDays(draft.from, draft.to) : null,
    levels: draft.levels,
    most: recordsOf(draft),
    days:
      typeof lasting === 'number'
        ? Math.min(lasting, MAX_CONSENT_DAYS)
        : lasting === 'day'
          ? daysThrough(draft.endsOn, now)
          : null,
  };
}
