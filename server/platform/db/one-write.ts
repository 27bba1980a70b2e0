import type { ClientBase } from 'pg';

/** The types of pg leave its connection out. */
type WithSocket = ClientBase & { readonly connection: { readonly stream: { cork(): void; uncork(): void } } };

/** Sends the queries that `begin` starts at once with one system call, not one each. */
export function inOneWrite<Result>(client: ClientBase, begin: () => Promise<Result>): Promise<Result> {
  const { stream } = (client as WithSocket).connection;
  stream.cork();
  try {
    return begin();
  } finally {
    stream.uncork();
  }
}
