import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Config } from '../../config.ts';

/** The log of this process: JSON Lines on standard output. */
export const createLog = (
  { LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>,
  base: { readonly pid: number } | null,
  stream: DestinationStream = destination({ fd: 1, sync: true }),
): Logger => pino({ level: LOG_LEVEL, base }, stream);
