'use client';

import { useTranslations } from 'use-intl/react';
import { type Flow, screenBefore, screenFor, screensBefore } from './step-order.ts';
import { type Steps, useScreenChange, useSteps } from './use-step.ts';

/** Where a person is in a flow. */
export interface Walk<Screen extends string = string> extends Omit<Steps, 'go' | 'replace'> {
  readonly screen: Screen;
  /** The numbered steps in order. Finished ones can be opened again as far as the links back lead. */
  readonly numbered: readonly { readonly step: Screen; readonly title: string; readonly canReturn: boolean }[];
  /** The place of the screen among them, from 0; -1 for one that is not numbered. */
  readonly at: number;
  readonly back: Screen | null;
  /** False on the screen with which the page was opened: the browser then sets the focus. */
  readonly moved: boolean;
  readonly go: (screen: Screen) => void;
  readonly replace: (screen: Screen) => void;
  /** Goes to the step after this one. */
  readonly next: () => void;
}

type Texts<Numbered> = { title: string; nameOf: (step: Numbered) => string };

/** Walks a flow: the step is in the address, so that reload and the browser's back button work. Sets the title of the document. */
export function useFlow<State, Numbered extends string, Other extends string = never>(
  flow: Flow<State, Numbered, Other>,
  state: State,
  { title, nameOf }: Texts<Numbered>,
): Walk<Numbered | Other> {
  const t = useTranslations('common');
  const steps = useSteps();
  const screen = screenFor(flow, steps.requested, state);
  const at = flow.steps.findIndex(({ name }) => name === screen);
  const name = at < 0 ? title : t('titleOfStep', { title, step: at + 1, steps: flow.steps.length });
  const moved = useScreenChange(screen, `${name} – Perpetua`);
  const after = flow.steps[at + 1];
  const before = screensBefore(flow, screen);
  return {
    ...steps,
    screen,
    numbered: flow.steps.map(({ name: step }) => ({ step, title: nameOf(step), canReturn: before.has(step) })),
    at,
    back: screenBefore(flow, screen),
    moved,
    next: () => after && steps.go(after.name),
  };
}
