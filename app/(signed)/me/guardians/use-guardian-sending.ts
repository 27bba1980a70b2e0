'use client';

import { useState } from 'react';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import type { AnswerTo, OperationFunction } from '../../../_session/operation-types.ts';
import { ARRIVED } from '../../../_session/unanswered.ts';
import { useWrite } from '../../../_session/write.tsx';
import type { Failure } from '../../../_trpc/failure.ts';

export interface Sending {
  readonly sending: boolean;
  readonly failure: Failure | null;
  /** `onAccepted` receives the response before the pages show the change; it is not called after a refusal. */
  send<Function extends OperationFunction, Given extends Readonly<Record<string, Json>>>(
    functionName: Function,
    fields: Given,
    onAccepted: (answer: AnswerTo<Function, Given>) => void,
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
    async send(functionName, fields, onAccepted) {
      if (sending) return;
      setFailure(null);
      setSending(true);
      const written = await write(functionName, fields);
      if (written.ok && written.answer) onAccepted(written.answer);
      else setFailure(written.ok ? ARRIVED : written.failure);
      setSending(false);
    },
    forgetFailure: () => setFailure(null),
  };
}
