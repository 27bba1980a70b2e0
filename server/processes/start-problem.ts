import { ConfigError } from '../config.ts';
import { WalletError } from '../network/wallet.ts';
import { connectionProblem } from '../platform/db/connection-problem.ts';
import { isConnectionLoss } from '../platform/db/pool.ts';
import { EmbeddedPostgresError } from '../platform/db/postgres/error.ts';

/** Why the service cannot start, in one sentence, if the operator can change it; null for an internal error. */
export function startProblem(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError || error instanceof WalletError) {
    return error.message;
  }
  const refused = connectionProblem(error);
  if (refused) return refused;
  return isConnectionLoss(error) ? 'The database is not reachable; check DATABASE_URL.' : fileProblem(error);
}

const FILE_CODES = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'EEXIST', 'ENOTDIR', 'EISDIR', 'ENOSPC', 'EDQUOT']);

function fileProblem(error: unknown): string | null {
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (!FILE_CODES.has(code) || typeof path !== 'string') return null;
  return `${path} cannot be used (${code}): check DATA_DIR and the files that settings name, and give them to the user of the service.`;
}
