import { useState } from 'react';
import type { Failure } from '../_trpc/failure.ts';

type Result = { readonly ok: true } | { readonly ok: false; readonly failure: Failure | null };

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
