interface Waiting<Request, Done> {
  readonly request: Request;
  readonly resolve: (done: Done) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 256;

/** Has whatever is waiting made durable at once, batch after batch. `commit` answers for each request, in their order. */
export function createGroupCommit<Request, Done>(
  commit: (requests: readonly Request[]) => Promise<readonly Done[]>,
): (request: Request) => Promise<Done> {
  let waiting: Waiting<Request, Done>[] = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      try {
        const done = await commit(batch.map(({ request }) => request));
        batch.forEach(({ resolve }, index) => void resolve(done[index] as Done));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    working = false;
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (!working) void work();
    });
}
