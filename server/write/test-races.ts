import { expect, vi } from 'vitest';
import type { Answer, TestService } from '../testing/test-service.ts';

/**
 * Sends requests while a lock on the ledger's head is held, and releases it when all are queued, so that all but the
 * first share a batch. The spy only counts the calls.
 */
export async function submitAsOneBatch(
  { service: { context } }: TestService,
  requests: readonly (() => Promise<Answer>)[],
): Promise<Answer[]> {
  const submit = vi.spyOn(context.queue, 'submit');
  const client = await context.pool.connect();
  try {
    await client.query('BEGIN');
    // Queueing many takes longer than the service lets a transaction idle.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query('SELECT 1 FROM ledger_head FOR UPDATE');
    const answers: Promise<Answer>[] = [];
    for (const send of requests) {
      answers.push(send());
      await expect.poll(() => submit.mock.calls.length, { interval: 2 }).toBe(answers.length);
    }
    await client.query('COMMIT');
    return await Promise.all(answers);
  } finally {
    client.release(true);
    submit.mockRestore();
  }
}

/** How often each status or code was returned. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const code = body.code ?? status;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}
