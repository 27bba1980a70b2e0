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
  yes: ReactNode;
  /** The text of the button while the request is sent. */
  busy: string;
  onSend: () => void;
  /** Other actions. */
  other?: ReactNode;
  /** Refusing weighs as much: both answers look alike, side by side. */
  equal?: boolean;
};

/** The only step of a flow that sends a request. */
export function SendStep({
  title,
  children,
  refused,
  sending,
  yes,
  busy,
  onSend,
  other,
  equal = false,
}: SendStepProps) {
  const Around = equal ? SideBySide : Actions;
  return (
    <Question title={title}>
      {children}
      {refused}
      <Around>
        <Button look={equal ? 'secondary' : 'primary'} size="large" onClick={onSend} busy={sending}>
          {sending ? busy : yes}
        </Button>
        {other}
      </Around>
    </Question>
  );
}

const SideBySide = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-3 pt-1 sm:grid-cols-2">{children}</div>
);
