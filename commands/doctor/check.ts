import type { Config } from '../../server/config.ts';

/**
 * What a check found. `error`: the service would not start or not work. `warning`: it works, but not as it should. `note`: it
 * works as it should.
 */
export interface Finding {
  readonly level: 'error' | 'warning' | 'note';
  /** One sentence: what is wrong. */
  readonly problem: string;
  /** One sentence: what to do. */
  readonly remedy: string;
}

export interface Check {
  readonly name: string;
  /** Why the check does not apply to these settings, or null. */
  skips?(config: Config): string | null;
  /** What is wrong; empty if nothing is. */
  run(config: Config): Promise<readonly Finding[]>;
}

export const failure = (problem: string, remedy: string): Finding => ({ level: 'error', problem, remedy });
export const warning = (problem: string, remedy: string): Finding => ({ level: 'warning', problem, remedy });

export const note = (problem: string, remedy: string): Finding => ({ level: 'note', problem, remedy });

/** The code of a system error, else its message in one line, without what looks like a password in a URL. */
export function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  if (cause !== undefined) return reasonOf(cause);
  return String(message ?? error)
    .replace(/\s+/g, ' ')
    .replace(/\/\/[^@/ ]*@/g, '//')
    .slice(0, 200);
}
