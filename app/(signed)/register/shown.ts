import type { Answers } from './answers.ts';

/** What every screen of the registration is given. */
export interface Shown {
  readonly answers: Answers;
  /** Whether its heading takes the focus: not on the screen that the page opens with. */
  readonly focus: boolean;
  /** Writes answers down and goes on. */
  readonly onAnswer: (answered: Partial<Answers>) => void;
}
