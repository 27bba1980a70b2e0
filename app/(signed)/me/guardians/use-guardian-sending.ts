'use client';

import { useState } from 'react';
import type { Operations } from '../../../../client/types.ts';
import { type Answer, ARRIVED, type Name } from '../../../_session/send.ts';
import { useWrite } from '../../../_session/write.tsx';
import type { Failure } from '../../../_trpc/failure.ts';

export interface Sending {
  readonly sending: boolean;
  readonly failure: Failure | null;
  /** `onAccepted` receives the response before the pages show the change; it is not called after a refusal. */
  send<Given extends Name>(
    name: Given,
    fields: Operations[Given]['fields'],
    onAccepted: (answer: Answer<Given>) => void,
  ): Promise<void>;
  forgetFailure(): void;
}

/** Sends one operation at a time, and reports why the last one was refused. */
export function useSending(): Sending {
  const write = useWrite();
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  return {
    sending,
    failure,
    async send(name, fields, onAccepted) {
      if (sending) return;
      setFailure(null);
      setSending(true);
      const written = await write(name, fields);
      if (written.ok && written.answer) onAccepted(written.answer);
      else setFailure(written.ok ? ARRIVED : written.failure);
      setSending(false);
    },
    forgetFailure: () => setFailure(null),
  };
}
