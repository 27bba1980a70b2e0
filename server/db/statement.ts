import type { ClientBase } from 'pg';

/** A statement to send; a named one is prepared once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Sends all statements without waiting; a pipelining connection runs them in order.
 * @throws the error of the first failed one, after all have completed
 */
export async function runAll(client: Pick<ClientBase, 'query'>, statements: readonly Statement[]): Promise<void> {
  const results = await Promise.allSettled(
    statements.map(({ values, ...statement }) => client.query({ ...statement, values: [...values] })),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
