import type { MessageOptions, Serializable } from 'node:child_process';

/** Requests by kind, with what they carry and what answers them. */
export type Calls = Record<string, { readonly request: unknown; readonly reply: unknown }>;

/** The other process is asked nothing. */
export type NoCalls = Record<never, never>;

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
  /** @throws {Error} if the other process has ended, fails to answer, or leaves too many requests unanswered. */
  ask<Kind extends keyof Sent & string>(kind: Kind, request: Sent[Kind]['request']): Promise<Sent[Kind]['reply']>;
}

type Request = { readonly channel: 'request'; readonly id: number; readonly kind: string; readonly request: unknown };
type Reply =
  | { readonly channel: 'reply'; readonly id: number; readonly reply: unknown }
  | { readonly channel: 'failure'; readonly id: number };

/** Bounds the memory for a process that does not answer. */
const MAX_UNANSWERED = 10_000;

/** Requests and replies between two Node processes, in both directions. */
export function openChannel<Sent extends Calls, Received extends Calls>(
  end: End,
  handlers: Handlers<Received>,
): Channel<Sent> {
  const unanswered = new Map<number, { resolve: (reply: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;

  function post(message: Request | Reply, onError: (error: Error) => void = () => undefined): void {
    if (!end.send) return void onError(new Error(ENDED));
    end.send(message, undefined, {}, (error) => error && onError(error));
  }

  async function answer({ id, kind, request }: Request): Promise<void> {
    try {
      const handler = handlers[kind];
      if (!handler) throw new Error(`unknown request ${kind}`);
      post({ channel: 'reply', id, reply: await handler(request as never) });
    } catch {
      post({ channel: 'failure', id });
    }
  }

  end.on('message', (message) => {
    const received = message as Request | Reply | null;
    if (received?.channel === 'request') return void answer(received);
    if (received?.channel !== 'reply' && received?.channel !== 'failure') return;
    const waiting = unanswered.get(received.id);
    unanswered.delete(received.id);
    if (received.channel === 'reply') waiting?.resolve(received.reply);
    else waiting?.reject(new Error('the other process could not answer'));
  });
  end.once('disconnect', () => {
    for (const { reject } of unanswered.values()) reject(new Error(ENDED));
    unanswered.clear();
  });

  return {
    ask: (kind, request) =>
      new Promise((resolve, reject) => {
        if (unanswered.size >= MAX_UNANSWERED) return reject(new Error('the other process does not answer'));
        const id = ++lastId;
        unanswered.set(id, { resolve: resolve as (reply: unknown) => void, reject });
        post({ channel: 'request', id, kind, request }, (error) => {
          unanswered.delete(id);
          reject(error);
        });
      }),
  };
}

const ENDED = 'the other process has ended';
