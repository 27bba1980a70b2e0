import { ARRIVED } from '../_session/send.ts';
import type { Written } from '../_session/write.tsx';
import type { Failure } from '../_trpc/failure.ts';

type Outcome<Value> =
  | { readonly ok: true; readonly outcome: Value }
  | { readonly ok: false; readonly failure: Failure | null };

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
