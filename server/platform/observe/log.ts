import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Config } from '../../config.ts';
import { errorType } from './tracing.ts';

type Level = 'warn' | 'error' | 'fatal';

/** The numbers of pino's levels. */
const LEVELS: ReadonlyMap<number, Level> = new Map([
  [40, 'warn'],
  [50, 'error'],
  [60, 'fatal'],
]);

/** A warning or an error that was logged. It has no free text of a request, a row or a remote server. */
export interface Problem {
  /** ISO 8601. */
  readonly at: string;
  readonly level: Level;
  /** The fixed sentence of the log line. */
  readonly message: string;
  /** The details that are codes, ids or sentences of this project. */
  readonly details: Readonly<Record<string, string>>;
}

const KEPT = 50;
const kept = new WeakMap<Logger, Problem[]>();

/** The last warnings and errors of a log that `createLog` created, newest first. */
export const recentProblems = (log: Logger): readonly Problem[] => (kept.get(log) ?? []).toReversed();

/** The log of this process, on standard output. It keeps the last 50 warnings and errors for the admin page. */
export function createLog(
  { LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>,
  base: { readonly pid: number } | null,
  stream: DestinationStream = destination({ fd: 1, sync: true }),
): Logger {
  const problems: Problem[] = [];
  const log: Logger = pino(
    {
      level: LOG_LEVEL,
      base,
      hooks: {
        logMethod(line, write, level) {
          const name = LEVELS.get(level);
          if (name) problems.push(problemOf(line, name));
          if (problems.length > KEPT) problems.shift();
          write.apply(this, line);
        },
      },
    },
    stream,
  );
  kept.set(log, problems);
  return log;
}

/** Members of log lines that never contain what a client, a mail server or a gateway sent. */
const SHOWN = ['event', 'problem', 'standby', 'requestId', 'pid', 'code', 'signal', 'since'];

function problemOf(line: readonly unknown[], level: Level): Problem {
  const [first, second] = line;
  const members: Readonly<Record<string, unknown>> = typeof first === 'object' && first !== null ? { ...first } : {};
  const shown = SHOWN.filter((name) => ['string', 'number'].includes(typeof members[name]));
  return {
    at: new Date().toISOString(),
    level,
    message: [first, second].find((part) => typeof part === 'string') ?? 'an unexpected error',
    details: {
      ...(members.err === undefined ? {} : { error: errorType(members.err) }),
      ...Object.fromEntries(shown.map((name) => [name, String(members[name])])),
    },
  };
}
