import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';

export interface Client {
  /** Whether a path exists; false for 404. */
  exists(path: string): Promise<boolean>;
  get<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape>>;
  /** `body` is called for every attempt, because a signed request can be used only once. */
  send<Shape extends z.ZodType>(request: SeedRequest, shape: Shape): Promise<z.infer<Shape>>;
}

export interface SeedRequest {
  readonly method?: 'POST' | 'DELETE';
  readonly path: string;
  readonly body: () => Readonly<Record<string, Json>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const DEADLINE_MS = 30_000;
const TOO_MANY_REQUESTS = 429;

const errorShape = z.object({ error: z.string() });

/** A refusal with the service's error message. */
export class RefusedError extends CommandError {
  constructor(request: string, status: number, text: string) {
    const { data } = errorShape.safeParse(parsed(text));
    super(`${request} was refused with status ${status}: ${data?.error ?? text.slice(0, 300)}`);
  }
}

/**
 * A client of a service over HTTP. At a rate limit it waits for the time in Retry-After.
 * @param note receives a message before each wait
 * @throws {CommandError} if the service does not respond; {RefusedError} if it refuses
 */
export function createClient(url: string, note: (sentence: string) => void): Client {
  const base = url.replace(/\/+$/, '');

  async function responseOf(path: string, init: () => RequestInit): Promise<{ status: number; text: string }> {
    for (;;) {
      const response = await fetch(base + path, {
        ...init(),
        redirect: 'error',
        signal: AbortSignal.timeout(DEADLINE_MS),
      }).catch(() => {
        throw new CommandError(`No service answers at ${base}. Start it with "npm start" or "npm run dev".`);
      });
      const text = await response.text();
      if (response.status !== TOO_MANY_REQUESTS) return { status: response.status, text };
      const seconds = Math.max(1, Number(response.headers.get('retry-after')) || 1);
      note(`The rate limit of ${path} is reached. Continuing in ${seconds} s.`);
      await sleep(1000 * seconds);
    }
  }

  async function request<Shape extends z.ZodType>(method: string, path: string, init: () => RequestInit, shape: Shape) {
    const { status, text } = await responseOf(path, init);
    if (status < 200 || status > 299) throw new RefusedError(`${method} ${path}`, status, text);
    const { data, success } = shape.safeParse(parsed(text));
    if (!success) throw new CommandError(`${method} ${path} returned an unexpected response: ${text.slice(0, 300)}`);
    return data;
  }

  return {
    async exists(path) {
      const { status, text } = await responseOf(path, () => ({}));
      if (status !== 200 && status !== 404) throw new RefusedError(`GET ${path}`, status, text);
      return status === 200;
    },
    get: (path, shape) => request('GET', path, () => ({}), shape),
    send({ method = 'POST', path, body, headers = {} }, shape) {
      const init = () => ({
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body()),
      });
      return request(method, path, init, shape);
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
