import { setTimeout as sleep } from 'node:timers/promises';
import type { ArweaveClient } from './arweave-client.ts';
import { GatewayError } from './gateway-http.ts';

/** What a gateway did wrong, or did not do, while another one answered. */
export interface GatewayFault {
  readonly gateway: string;
  /** A sentence about the first time. */
  readonly problem: string;
  readonly times: number;
}

/** One gateway of several. */
export interface Member {
  readonly url: string;
  readonly client: ArweaveClient;
  /** Failures since its last success: the gateway with the fewest is asked first. */
  failures: number;
  /** Until when it is passed over; in ms of performance.now(). */
  restsUntil: number;
  /** Whether fromResting asked it since it was passed over. */
  askedAgain: boolean;
}

/** `signal` is aborted when the answer is not needed any more. */
type Ask<Result> = (client: ArweaveClient, signal: AbortSignal) => Promise<Result>;

export interface GatewayPool {
  readonly members: readonly Member[];
  /**
   * The first success. The next gateway is asked as soon as one fails or takes long.
   * @throws {GatewayError} if every gateway fails; `missing` only if each of them states that it does not have it
   */
  fromAny<Result>(ask: Ask<Result>): Promise<Result>;
  /** The first success in the configured order. @throws {GatewayError} if every gateway fails */
  inOrder<Result>(ask: (client: ArweaveClient) => Promise<Result>): Promise<Result>;
  /**
   * The answers of those that answer, in the configured order; at least one. One that was unavailable is passed over for a while.
   * @throws {GatewayError} if every gateway fails
   */
  fromAll<Result>(ask: (client: ArweaveClient) => Promise<Result>): Promise<Result[]>;
  /** The answers of those that fromAll passes over at the moment. Each is asked once while it is passed over. */
  fromResting<Result>(ask: (client: ArweaveClient) => Promise<Result>): Promise<Result[]>;
  /**
   * Asks one gateway after the other until so many have succeeded; those that were unavailable a moment ago only if none has.
   * Throws no GatewayError.
   */
  fromSome<Result>(
    enough: number,
    ask: (client: ArweaveClient) => Promise<Result>,
  ): Promise<{ readonly results: readonly Result[]; readonly failed: readonly Failure[] }>;
  /** Records a fault; those of one kind are counted together. */
  blame(member: Pick<Member, 'url'>, kind: string, problem: string): void;
  faults(): readonly GatewayFault[];
}

/** How long an unavailable gateway is passed over. */
const REST_MS = 30_000;
const PAUSES_MS = [500, 2_000];
const PASSED_OVER = 'The gateway was unavailable a moment ago and is passed over.';

/** @param slowMs how long one gateway is waited for before another one is asked as well */
export function createGatewayPool(members: readonly Member[], slowMs: number): GatewayPool {
  const faults = new Map<string, { gateway: string; problem: string; times: number }>();

  const blame: GatewayPool['blame'] = ({ url }, kind, problem) => {
    const fault = faults.get(`${url} ${kind}`);
    if (fault) fault.times += 1;
    else faults.set(`${url} ${kind}`, { gateway: url, problem, times: 1 });
  };

  function blameAll(failed: readonly Failure[]): void {
    for (const { member, error } of failed) blame(member, error.kind, error.message);
  }

  function rest(member: Member, { retryAfterMs }: GatewayError): void {
    member.restsUntil = performance.now() + Math.max(REST_MS, retryAfterMs);
  }

  /** Those to ask now, and those that were unavailable a moment ago. */
  function byRest() {
    const now = performance.now();
    const rested = members.filter(({ restsUntil }) => restsUntil <= now);
    return { rested, resting: members.filter(({ restsUntil }) => restsUntil > now) };
  }

  function firstSuccess<Result>(ask: Ask<Result>): Promise<Result> {
    const order = [...members].sort((one, other) => one.failures - other.failures);
    const failed: Failure[] = [];
    const waiting = new Set<Member>();
    const settled = new AbortController();
    return new Promise((resolve, reject) => {
      let next = 0;
      let timer: NodeJS.Timeout | undefined;

      function end(): void {
        clearTimeout(timer);
        settled.abort();
      }

      function askNext(): void {
        clearTimeout(timer);
        const member = order[next++];
        if (!member) {
          if (waiting.size > 0) return;
          end();
          reject(new EveryGatewayFailed(failed));
          return;
        }
        waiting.add(member);
        timer = setTimeout(askNext, slowMs);
        ask(member.client, settled.signal).then(
          (result) => {
            waiting.delete(member);
            if (settled.signal.aborted) return;
            end();
            member.failures = 0;
            blameAll(failed);
            for (const slow of waiting) {
              if (order.indexOf(slow) > order.indexOf(member)) continue;
              slow.failures += 1;
              blame(slow, 'slow', `The gateway takes longer than ${slowMs / 1000} seconds to answer.`);
            }
            resolve(result);
          },
          (error: unknown) => {
            waiting.delete(member);
            if (settled.signal.aborted) return;
            if (error instanceof GatewayError) {
              member.failures += 1;
              failed.push({ member, error });
              askNext();
            } else {
              end();
              reject(error);
            }
          },
        );
      }

      askNext();
    });
  }

  /** Asks these gateways at once, and adds to `failed`. Once two have answered, it does not wait long for the others. */
  async function askEach<Result>(
    asked: readonly Member[],
    ask: (client: ArweaveClient) => Promise<Result>,
    failed: Failure[],
  ): Promise<Result[]> {
    const answers: Result[] = [];
    const errors = new Map<Member, GatewayError>();
    const waiting = new Set(asked);
    const enough = new AbortController();
    let unexpected: unknown = null;
    const asking = asked.map(async (member) => {
      try {
        const answer = await ask(member.client);
        if (enough.signal.aborted) return;
        waiting.delete(member);
        member.restsUntil = 0;
        member.askedAgain = false;
        answers.push(answer);
        if (answers.length === 2) setTimeout(() => enough.abort(), slowMs).unref();
      } catch (error) {
        if (enough.signal.aborted) return;
        waiting.delete(member);
        if (!(error instanceof GatewayError)) unexpected ??= error;
        else {
          if (error.kind === 'unavailable') rest(member, error);
          errors.set(member, error);
        }
      }
    });
    await Promise.race([
      Promise.all(asking),
      new Promise((resolve) => enough.signal.addEventListener('abort', resolve, { once: true })),
    ]);
    if (unexpected) throw unexpected;
    for (const member of asked) {
      const error = errors.get(member);
      if (error) failed.push({ member, error });
    }
    for (const member of waiting) {
      member.restsUntil = performance.now() + REST_MS;
      blame(member, 'slow', `The gateway takes longer than ${slowMs / 1000} seconds to answer.`);
    }
    return answers;
  }

  const fromSome: GatewayPool['fromSome'] = async (enough, ask) => {
    const { rested, resting } = byRest();
    const results: Awaited<ReturnType<typeof ask>>[] = [];
    const failed: Failure[] = [];
    for (const member of [...rested, ...resting]) {
      if (results.length === enough) break;
      if (results.length > 0 && resting.includes(member)) {
        failed.push({ member, error: new GatewayError('unavailable', PASSED_OVER) });
        continue;
      }
      try {
        results.push(await ask(member.client));
        member.restsUntil = 0;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        if (error.kind === 'unavailable') rest(member, error);
        failed.push({ member, error });
      }
    }
    if (results.length > 0) blameAll(failed);
    return { results, failed };
  };

  return {
    members,
    blame,
    faults: () => [...faults.values()],

    fromAny: (ask) => patiently(() => firstSuccess(ask)),

    async fromAll(ask) {
      const { rested, resting } = byRest();
      const failed: Failure[] = [];
      for (const member of rested) member.askedAgain = false;
      for (const asked of [rested, resting]) {
        const answers = await askEach(asked, ask, failed);
        if (answers.length === 0) continue;
        blameAll(failed);
        return answers;
      }
      throw new EveryGatewayFailed(failed);
    },

    fromResting(ask) {
      const asked = byRest().resting.filter(({ askedAgain }) => !askedAgain);
      for (const member of asked) member.askedAgain = true;
      return askEach(asked, ask, []);
    },

    fromSome,

    async inOrder(ask) {
      const { results, failed } = await fromSome(1, ask);
      const [first] = results.map((result) => ({ result }));
      if (!first) throw new EveryGatewayFailed(failed);
      return first.result;
    },
  };
}

export interface Failure {
  readonly member: Member;
  readonly error: GatewayError;
}

/**
 * Every gateway failed. The message names each. The kind is theirs if they agree, so `missing` only if each of them does not
 * have it; otherwise `unavailable`: one that lies or does not answer may have what the others lack.
 */
export class EveryGatewayFailed extends GatewayError {
  readonly failed: readonly Failure[];

  constructor(failed: readonly Failure[]) {
    const [first] = new Set(failed.map(({ error }) => error.kind)).size === 1 ? failed : failed.filter(isUnavailable);
    const message = failed.map(({ member, error }) => `${member.url}: ${error.message}`).join(' ');
    const retryAfterMs = Math.max(0, ...failed.map(({ error }) => error.retryAfterMs));
    super(first?.error.kind ?? 'unavailable', message, first?.error.status, retryAfterMs);
    this.failed = failed;
  }
}

/** Repeats a question to all gateways while one is unavailable and another does not have it: the first may have it. */
async function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const failed = error instanceof EveryGatewayFailed ? error.failed : [];
      const pause = PAUSES_MS[attempt];
      const mayHelp = failed.some(isUnavailable) && failed.some(isLacking);
      if (pause === undefined || !mayHelp) throw error;
      await sleep(pause);
    }
  }
}

/** Whether a gateway stated that it does not have what was asked for. */
export const isLacking = ({ error }: { readonly error: GatewayError }): boolean => error.kind === 'missing';

const isUnavailable = ({ error }: Failure): boolean => error.kind === 'unavailable';

/** Statuses of a gateway that answers nothing at the moment. */
const TEMPORARY = new Set([402, 408, 425, 429]);

/** Whether a gateway answered, so that the failure may concern only what was asked for. */
export function isAnswered(error: GatewayError): boolean {
  if (error instanceof EveryGatewayFailed) return error.failed.some((one) => isAnswered(one.error));
  if (error.kind !== 'unavailable') return true;
  return error.status !== undefined && error.status < 500 && !TEMPORARY.has(error.status);
}
