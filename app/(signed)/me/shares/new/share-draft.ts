import { DAY_MS, type Day, startOfDay } from '../../../../../protocol/days.ts';
import { MAX_OPENINGS } from '../../../../../protocol/share-files.ts';
import type { Flow } from '../../../../_wizard/step-order.ts';
import { EVERY_RECORD, type RecordFilter } from '../../records/every-record.ts';

export type Choice = 'summary' | 'shown' | 'since' | 'visits' | 'kinds';

/** The answers so far, without the passcode, which is not stored. */
export interface ShareDraft {
  readonly what: Choice | null;
  /** Of the records page, when what it shows was chosen. */
  readonly filter: RecordFilter;
  readonly since: Day;
  /** The keys of visits. */
  readonly visits: readonly string[];
  /** The codes of biomarkers. */
  readonly kinds: readonly string[];
  readonly note: string;
  /** In seconds. */
  readonly lasting: number;
  /** As typed. */
  readonly openings: string;
  readonly hasPasscode: boolean;
}

const MINUTE = 60;
const DAY = DAY_MS / 1_000;
/** In seconds: 15 minutes, an hour, a day, a week, 30 days. */
export const DURATIONS = [15 * MINUTE, 60 * MINUTE, DAY, 7 * DAY, 30 * DAY] as const;

export const NEW_SHARE: ShareDraft = {
  what: null,
  filter: EVERY_RECORD,
  since: '',
  visits: [],
  kinds: [],
  note: '',
  lasting: DAY,
  openings: '10',
  hasPasscode: false,
};

/** In characters. */
export const MIN_PASSCODE = 4;
export const MAX_PASSCODE = 100;

export type ShareStep = 'what' | 'who' | 'how' | 'review';

/** What is missing or wrong in an answer: the key of a sentence in `shares.missing`. */
export type Missing = 'what' | 'since' | 'visits' | 'kinds' | 'note' | 'openings' | 'passcode';

/** Null where a question is answered. */
export function missingIn(step: ShareStep, draft: ShareDraft, passcode: string): Missing | null {
  switch (step) {
    case 'what':
      return missingChoice(draft);
    case 'who':
      return draft.note.trim() === '' ? 'note' : null;
    case 'how':
      if (openingsOf(draft) === null) return 'openings';
      return draft.hasPasscode && passcode.trim().length < MIN_PASSCODE ? 'passcode' : null;
    case 'review':
      return null;
  }
}

function missingChoice({ what, ...draft }: ShareDraft): Missing | null {
  if (what === null) return 'what';
  if (what === 'since') return startOfDay(draft.since) === null ? 'since' : null;
  return (what === 'visits' || what === 'kinds') && draft[what].length === 0 ? what : null;
}

/** How often the link can be opened; null for what is no such number. */
export function openingsOf({ openings }: Pick<ShareDraft, 'openings'>): number | null {
  const count = /^\d{1,3}$/.test(openings.trim()) ? Number(openings) : 0;
  return count >= 1 && count <= MAX_OPENINGS ? count : null;
}

export interface Sharing {
  readonly draft: ShareDraft;
  readonly passcode: string;
}

const step = (name: ShareStep) => ({
  name,
  isDone: ({ draft, passcode }: Sharing) => missingIn(name, draft, passcode) === null,
});

export const SHARE: Flow<Sharing, ShareStep> = {
  steps: [step('what'), step('who'), step('how'), { name: 'review' }],
};
