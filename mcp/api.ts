/** An error of the API. Protocol §5. */
export class ApiError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reads a public address of the API: its JSON. @throws {ApiError} */
export type ReadApi = (path: string) => Promise<unknown>;

const TIMEOUT_MS = 15_000;

/** Reads over HTTP. */
export const apiAt =
  (url: string): ReadApi =>
  async (path) => {
    const response = await fetch(new URL(path, url), {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new ApiError('UNREACHABLE', `${url} does not respond: ${reasonOf(error)}.`);
    });
    return readAnswer(response.status, await response.text());
  };

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown reason');

/** The JSON of a response. @throws {ApiError} for an error of the API, or for a response that is not JSON */
export function readAnswer(status: number, text: string): unknown {
  const body = parsed(text);
  if (body === undefined) throw new ApiError('UNREACHABLE', `The service answered ${status} without JSON.`);
  if (status < 400) return body;
  const { code, error } = body as { code?: unknown; error?: unknown };
  throw new ApiError(String(code ?? 'UNREACHABLE'), String(error ?? `The service answered ${status}.`));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
