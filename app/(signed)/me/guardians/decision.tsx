'use client';

import type { ReactNode } from 'react';
import { Button } from '../../../_ui/button.tsx';
import { Actions, Question } from '../../../_ui/question.tsx';
import { StepLink } from '../../../_wizard/wizard.tsx';
import { GuardianRefused } from './guardian-refused.tsx';
import type { Flow } from './guardian-screen-props.ts';

type DecisionProps = Pick<Flow, 'focus' | 'sending'> & {
  title: string;
  yes: string;
  /** Replaces `yes` while the request is sent. */
  busy: string;
  no: string;
  onYes: () => void;
  children: ReactNode;
};

/** A question whose yes signs and sends a request; no leads back to the list. */
export function Decision({ focus, sending, title, yes, busy, no, onYes, children }: DecisionProps) {
  return (
    <Question title={title} focus={focus}>
      {children}
      <GuardianRefused failure={sending.failure} />
      <Actions>
        <Button size="large" onClick={onYes} busy={sending.sending}>
          {sending.sending ? busy : yes}
        </Button>
        <StepLink to="list" look="secondary" disabled={sending.sending}>
          {no}
        </StepLink>
      </Actions>
    </Question>
  );
}
