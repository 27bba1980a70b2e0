'use client';

import type { ReactNode } from 'react';
import { Button } from '../_ui/button.tsx';
import { Actions, Question } from '../_ui/question.tsx';

type SendStepProps = {
  title: ReactNode;
  /** What is sent, and what cannot be undone. */
  children: ReactNode;
  /** Why the last request was refused. */
  refused: ReactNode;
  sending: boolean;
  yes: string;
  /** The text of the button while the request is sent. */
  busy: string;
  onSend: () => void;
  /** Other actions. */
  other?: ReactNode;
};

/** The only step of a flow that sends a request. */
export function SendStep({ title, children, refused, sending, yes, busy, onSend, other }: SendStepProps) {
  return (
    <Question title={title}>
      {children}
      {refused}
      <Actions>
        <Button size="large" onClick={onSend} busy={sending}>
          {sending ? busy : yes}
        </Button>
        {other}
      </Actions>
    </Question>
  );
}
