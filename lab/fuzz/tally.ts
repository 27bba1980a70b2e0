import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginningOf, isDatabaseLate, problemOf } from './check-response.ts';
import { NO_RESPONSE, type Received } from './fuzz-connection.ts';
import type { Failure, Slow } from './fuzz-report.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { CUT_OFF, type WireResponse } from './response-reader.ts';
import type { Plan } from './wire.ts';
import { acceptedId } from './world.ts';

/** Every response is complete within this time. */
export const MAX_MS = 1_000;
/** Slow requests that are kept to be repeated. */
const MAX_SLOW = 200;
const SUCCEEDED = 400;

export interface Tally {
  /** Counts and checks what came back for a plan. */
  add(index: number, plan: Plan, received: Received): void;
  fail(problem: string, at: { readonly route: string; readonly index: number; readonly plan?: Plan }): void;
  readonly accepted: ReadonlySet<string>;
  readonly statuses: Record<string, number>;
  readonly codes: Record<string, number>;
  readonly routes: Record<string, { requests: number; succeeded: number }>;
  sent(): number;
  withoutResponse(): number;
  slowest(): Slow | null;
  /** Requests whose response took longer than a second of its own, or was refused because the database was late. */
  readonly slow: readonly SlowRequest[];
  /** Exports whose response ended early. */
  readonly cutOff: readonly SentRequest[];
  failures(): readonly Failure[];
}

export interface SlowRequest extends Slow {
  readonly plan: Plan;
}

export type SentRequest = Pick<SlowRequest, 'route' | 'index' | 'plan'>;

const EXPORT = 'POST /api/exchange/export';

interface TallyParts {
  readonly seed: number;
  /** The milliseconds of a time in which the machine was paused. */
  readonly paused: (from: number, to: number) => number;
  /** Called once for each kind of failure. */
  readonly onFailure: (line: string) => void;
}

export function createTally({ seed, paused, onFailure }: TallyParts): Tally {
  const accepted = new Set<string>();
  const statuses: Record<string, number> = {};
  const codes: Record<string, number> = {};
  const routes: Record<string, { requests: number; succeeded: number }> = {};
  const failures = new Map<string, Failure>();
  const slow: SlowRequest[] = [];
  const cutOff: SentRequest[] = [];
  let sent = 0;
  let withoutResponse = 0;
  let slowest: Slow | null = null;
  let folder: string | null = null;

  const count = (counts: Record<string, number>, name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };

  function keep(index: number, { pieces }: Plan): string {
    folder ??= mkdtempSync(join(tmpdir(), `perpetua-fuzz-${seed}-`));
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${index}.http`);
    writeFileSync(file, Buffer.concat(pieces));
    return file;
  }

  const fail: Tally['fail'] = (problem, { route, index, plan }) => {
    const key = `${route} ${problem.slice(0, 80).replace(/[\da-f-]{8,}|\d+/g, '#')}`;
    const known = failures.get(key);
    if (known) {
      failures.set(key, { ...known, times: known.times + 1 });
      return;
    }
    const file = plan ? keep(index, plan) : null;
    failures.set(key, { problem, route, index, file, times: 1 });
    onFailure(`request ${index}, ${route}: ${problem}`);
  };

  function check(index: number, request: FuzzRequest, response: WireResponse, plan: Plan): void {
    const { status, headers, body } = response;
    count(statuses, String(status));
    const route = routes[request.route];
    if (route && status < SUCCEEDED) route.succeeded += 1;
    const code = /"code":"([A-Z_]+)"/.exec(beginningOf(response))?.[1];
    if (status >= SUCCEEDED && code) count(codes, code);
    if (request.method === 'POST' || request.method === 'DELETE') {
      const id = acceptedId(headers.get('location'));
      if (id) accepted.add(id);
      // tRPC has no Location, and a batch can have several.
      else if (status < SUCCEEDED && request.target.startsWith('/api/trpc/'))
        for (const [, one] of body.toString().matchAll(/"transactionId":"([\w-]{43})"/g)) if (one) accepted.add(one);
    }
    if (isDatabaseLate(response)) {
      // It may have been committed.
      if (request.method !== 'GET') withoutResponse += 1;
      slow.push({ route: request.route, index, ms: 0, ownMs: 0, plan });
      return;
    }
    const problem = problemOf(request, response);
    if (problem) fail(problem, { route: request.route, index, plan });
  }

  return {
    accepted,
    statuses,
    codes,
    routes,
    slow,
    cutOff,
    fail,
    sent: () => sent,
    withoutResponse: () => withoutResponse,
    slowest: () => slowest,
    failures: () => [...failures.values()],
    add(index, plan, { responses, sentAt, receivedAt, problem }) {
      sent += plan.requests.length;
      for (const [position, request] of plan.requests.entries()) {
        routes[request.route] ??= { requests: 0, succeeded: 0 };
        (routes[request.route] as { requests: number }).requests += 1;
        if (!responses[position] && plan.expects !== 'none' && request.method !== 'GET') withoutResponse += 1;
      }
      for (const [position, response] of responses.entries()) {
        const request = plan.requests[Math.min(position, plan.requests.length - 1)];
        if (request) check(index, request, response, plan);
      }
      const [first] = plan.requests;
      const at = { route: first?.route ?? '', index, plan };
      if (problem === NO_RESPONSE) slow.push({ ...at, ms: receivedAt - sentAt, ownMs: 0 });
      else if (problem === CUT_OFF && at.route === EXPORT) cutOff.push(at);
      else if (problem && plan.expects === 'every') fail(problem, at);
      if (plan.expects !== 'every' || responses.length === 0) return;
      const ms = receivedAt - sentAt;
      if (ms < Math.min(MAX_MS, slowest?.ownMs ?? 0)) return;
      const ownMs = ms - paused(sentAt, receivedAt);
      if (ownMs > (slowest?.ownMs ?? 0)) slowest = { route: at.route, index, ms, ownMs };
      if (ownMs > MAX_MS && slow.length < MAX_SLOW) slow.push({ route: at.route, index, ms, ownMs, plan });
    },
  };
}
