import { useState } from 'react';
import { ARRIVED } from '../_session/send.ts';
import type { Written } from '../_session/write.tsx';
import type { Failure } from '../_trpc/failure.ts';

type Refused = { readonly ok: false; readonly failure: Failure | null };
type Result = { readonly ok: true } | Refused;

interface Submission {
  readonly sending: boolean;
  /** Why the last one was refused. */
  readonly failure: Failure | null;
}

const NONE: Submission = { sending: false, failure: null };

/** Sends one request at a time. `submit` returns null while another one is sent. */
export function useSubmission() {
  const [submission, setSubmission] = useState(NONE);
  const submit = async <Sent extends Result>(send: () => Promise<Sent>): Promise<Sent | null> => {
    if (submission.sending) return null;
    setSubmission({ sending: true, failure: null });
    const result = await send();
    setSubmission({ sending: false, failure: result.ok ? null : result.failure });
    return result;
  };
  return { ...submission, submit, clear: () => setSubmission(NONE) };
}

type Outcome<Value> = { readonly ok: true; readonly outcome: Value } | Refused;

/**
 * What a write has brought about. Without its response, `find` reads whether it was accepted, also by an earlier request; null where
 * nothing shows that.
 */
export async function outcomeOf<Answer, Value>(
  written: Written<Answer>,
  take: (answer: Answer) => Value,
  find: () => Promise<Value | null> = async () => null,
): Promise<Outcome<Value>> {
  if (written.ok && written.answer !== null) return { ok: true, outcome: take(written.answer) };
  const outcome = await find();
  if (outcome !== null) return { ok: true, outcome };
  return { ok: false, failure: written.ok ? ARRIVED : written.failure };
}
