import type { ClientBase } from 'pg';

/** One statement, not yet sent; a named one is prepared once on each connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Sends statements at once; a pipelining connection runs them in order.
 * @throws what the first failed one throws, once all are answered
 */
export async function runAll(client: Pick<ClientBase, 'query'>, statements: readonly Statement[]): Promise<void> {
  const results = await Promise.allSettled(
    statements.map(({ values, ...statement }) => client.query({ ...statement, values: [...values] })),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
