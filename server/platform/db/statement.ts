import type { ClientBase } from 'pg';
import { inOneWrite } from './one-write.ts';

/** A statement to send; a named one is prepared once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Sends all statements without waiting; a pipelining connection runs them in order.
 * @returns the rows of each
 * @throws the error of the first failed one, after all have completed
 */
export async function runAll(
  client: ClientBase,
  statements: readonly Statement[],
): Promise<readonly (readonly Readonly<Record<string, unknown>>[])[]> {
  const results = await inOneWrite(client, () =>
    Promise.allSettled(statements.map(({ name, text, values }) => client.query({ name, text, values: [...values] }))),
  );
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value.rows;
  });
}
