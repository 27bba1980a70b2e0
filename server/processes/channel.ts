import type { MessageOptions, Serializable } from 'node:child_process';

/** Requests by kind, with what they carry and what answers them. */
export type Calls = Record<string, { readonly request: unknown; readonly reply: unknown }>;

/** How each kind of request is answered. An error fails the request. */
export type Handlers<Received extends Calls> = {
  readonly [Kind in keyof Received]: (
    request: Received[Kind]['request'],
  ) => Received[Kind]['reply'] | Promise<Received[Kind]['reply']>;
};

/** One end of the channel between two processes: a child process, or `process` in a child. */
interface End {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
  send?(
    message: Serializable,
    handle: undefined,
    options: MessageOptions,
    callback: (error: Error | null) => void,
  ): boolean;
}

export interface Channel<Sent extends Calls> {
  /**
   * @param deadlineMs after which the request fails; never by default
   * @throws {Error} if the other process has ended, fails to answer, or leaves too many requests unanswered.
   */
  ask<Kind extends keyof Sent & string>(
    kind: Kind,
    request: Sent[Kind]['request'],
    deadlineMs?: number,
  ): Promise<Sent[Kind]['reply']>;
}

type Request = readonly [id: number, kind: string, request: unknown];
type Reply = readonly [id: number, answered: boolean, reply?: unknown];

/** Everything that one turn of the event loop sends. */
interface Message {
  readonly channel: 'perpetua';
  readonly requests: readonly Request[];
  readonly replies: readonly Reply[];
}

interface Waiting {
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly late: NodeJS.Timeout | undefined;
}

/** Bounds the memory for a process that does not answer. */
const MAX_UNANSWERED = 10_000;

/** Requests and replies between two Node processes, in both directions. */
export function openChannel<Sent extends Calls, Received extends Calls>(
  end: End,
  handlers: Handlers<Received>,
): Channel<Sent> {
  const unanswered = new Map<number, Waiting>();
  let lastId = 0;
  let requests: Request[] = [];
  let replies: Reply[] = [];

  function flush(): void {
    const sent = requests;
    const message: Message = { channel: 'perpetua', requests: sent, replies };
    requests = [];
    replies = [];
    const fail = (error: Error) => {
      for (const [id] of sent) settle(id, ({ reject }) => reject(error));
    };
    if (end.send) end.send(message, undefined, {}, (error) => error && fail(error));
    else fail(new Error(ENDED));
  }

  function settle(id: number, act: (waiting: Waiting) => void): void {
    const waiting = unanswered.get(id);
    if (!waiting) return;
    unanswered.delete(id);
    clearTimeout(waiting.late);
    act(waiting);
  }

  function post(add: () => void): void {
    if (requests.length === 0 && replies.length === 0) setImmediate(flush);
    add();
  }

  async function answer([id, kind, request]: Request): Promise<void> {
    try {
      const handler = handlers[kind];
      if (!handler) throw new Error(`unknown request ${kind}`);
      const reply = await handler(request as never);
      post(() => replies.push([id, true, reply]));
    } catch {
      post(() => replies.push([id, false]));
    }
  }

  end.on('message', (message) => {
    const received = message as Message | null;
    if (received?.channel !== 'perpetua') return;
    for (const request of received.requests) void answer(request);
    for (const [id, answered, reply] of received.replies) {
      settle(id, ({ resolve, reject }) =>
        answered ? resolve(reply) : reject(new Error('the other process could not answer')),
      );
    }
  });
  end.once('disconnect', () => {
    for (const id of [...unanswered.keys()]) settle(id, ({ reject }) => reject(new Error(ENDED)));
  });

  return {
    ask: (kind, request, deadlineMs) =>
      new Promise((resolve, reject) => {
        if (unanswered.size >= MAX_UNANSWERED) return reject(new Error(SILENT));
        const id = ++lastId;
        const onLate = () => settle(id, () => reject(new Error(SILENT)));
        const late = deadlineMs === undefined ? undefined : setTimeout(onLate, deadlineMs);
        unanswered.set(id, { resolve: resolve as (reply: unknown) => void, reject, late });
        post(() => requests.push([id, kind, request]));
      }),
  };
}

const ENDED = 'the other process has ended';
const SILENT = 'the other process does not answer';
