import { setTimeout as sleep } from 'node:timers/promises';
import { creation } from '../../../server/testing/test-load.ts';
import { type Answer, newPerson, type TestApi } from '../../../server/testing/test-service.ts';
import { type Party, partiesOf } from '../../../server/write/test-parties.ts';
import type { Client } from '../../chaos/operations.ts';

/** A request as a client saw it. */
export interface Attempt {
  /** own read: of what the client has just written. */
  readonly kind: 'write' | 'read' | 'own read';
  /** When its response came, by performance.now(). */
  readonly at: number;
  /** How long the response took, in ms. */
  readonly took: number;
  /** The status and the code of the response, or the name of the error. */
  readonly result: string;
  readonly succeeded: boolean;
}

export interface Load {
  readonly attempts: readonly Attempt[];
  /** Waits for the next write that began after this call and succeeded. */
  nextWrite(): Promise<void>;
  /** Waits until every request that was sent has its response or its error. */
  stop(): Promise<void>;
}

/** A new story begins this often, whatever became of the others. */
const EVERY_MS = 150;
/** Only ends what hangs. */
const HANGS_MS = 240_000;

/**
 * Stories of people, with an address for each request: an institution is read, an identity is created and read, grants the
 * institution a consent, and revokes it.
 */
export function startLoad({ api, oddities }: Client, institution: Party): Load {
  const attempts: Attempt[] = [];
  const waiting = new Set<{ readonly since: number; readonly resolve: () => void }>();
  let over = false;

  async function attempt(kind: Attempt['kind'], send: () => Promise<Answer>): Promise<Answer | null> {
    const begun = performance.now();
    const answer = await send().catch((error: Error) => error);
    const at = performance.now();
    const succeeded = !(answer instanceof Error) && answer.status < 300;
    const result = answer instanceof Error ? answer.name : `${answer.status} ${answer.body?.code ?? ''}`.trim();
    attempts.push({ kind, at, took: at - begun, result, succeeded });
    if (kind === 'write' && succeeded) {
      for (const each of waiting) if (begun >= each.since && waiting.delete(each)) each.resolve();
    }
    // The first request with a nonce: nginx has sent it twice.
    if (result === '409 NONCE_REUSED') oddities.push({ kind: 'refused', text: 'a write was sent to two hosts' });
    return succeeded ? (answer as Answer) : null;
  }

  async function story(parties: ReturnType<typeof partiesOf>): Promise<void> {
    await attempt('read', () => api.get(`/api/ieos/${institution.id}`));
    const person = newPerson();
    const body = creation(person);
    const created = await attempt('write', () => api.post('/api/relayer/beo', body));
    if (!created) return;
    const holder: Party = { person, id: created.body.beo_id, domain: '', transactionId: created.body.transactionId };
    const seq = created.headers.get('x-perpetua-seq') ?? '';
    const read = await attempt('own read', () => api.get(`/api/beos/${holder.id}`, { 'x-perpetua-seq': seq }));
    if (read && read.body.beo.beo_id !== holder.id)
      oddities.push({ kind: 'not read', text: `another identity than ${holder.id}` });
    const granted = await attempt('write', () => parties.grant(holder, institution.id));
    if (granted) await attempt('write', () => parties.revoke(holder, granted.body.token.token_id));
  }

  const parties = partiesOf(api);
  const stories = new Set<Promise<void>>();
  const beginning = (async () => {
    while (!over) {
      const begun = story(parties).finally(() => stories.delete(begun));
      stories.add(begun);
      await sleep(EVERY_MS);
    }
  })();

  return {
    attempts,
    nextWrite: () =>
      new Promise((resolve, reject) => {
        waiting.add({ since: performance.now(), resolve });
        const hangs = () => reject(new Error(`No write succeeded. The last attempts: ${lastOf(attempts)}`));
        setTimeout(hangs, HANGS_MS).unref();
      }),
    async stop() {
      over = true;
      await beginning;
      await Promise.all(stories);
    },
  };
}

const lastOf = (attempts: readonly Attempt[]): string =>
  attempts
    .slice(-5)
    .map(({ kind, result }) => `${kind} ${result}`)
    .join(', ');

/** The longest time without a success between two moments, in seconds. */
export function longestGap(attempts: readonly Attempt[], kind: Attempt['kind'], from: number, to: number): number {
  const successes = attempts
    .filter((each) => each.kind === kind && each.succeeded && each.at > from && each.at < to)
    .map(({ at }) => at)
    .sort((one, other) => one - other);
  const moments = [from, ...successes, to];
  return Math.max(...moments.map((at, index) => at - (moments[index - 1] ?? at))) / 1000;
}

/** What failed between two moments: how often each result came. */
export function failures(attempts: readonly Attempt[], from: number, to: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { at, succeeded, kind, result } of attempts) {
    if (succeeded || at < from || at > to) continue;
    const name = `${kind} ${result}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** What one address was allowed. */
export interface Allowed {
  allowed: number;
  refused: number;
  failed: number;
}

/** Sends invalid operations from one address until `isOver`, and counts which the limit allowed. */
export async function probeOneAddress(isOver: () => boolean, post: TestApi['post']): Promise<Allowed> {
  const counts: Allowed = { allowed: 0, refused: 0, failed: 0 };
  while (!isOver()) {
    const status = await post('/api/relayer/beo', {}).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 429) counts.refused += 1;
    else if (status === 400) counts.allowed += 1;
    else counts.failed += 1;
    await sleep(50);
  }
  return counts;
}
