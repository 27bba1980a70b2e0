import type { StateFile } from './audit-state-file.ts';

/** The period of protocol §1, measured by the times of acceptance. */
const REMEMBERED_MS = 10 * 60_000;

export interface NonceMemory {
  /** Records a nonce used at `at` (ms, roughly increasing). True if it was used in the ten minutes before. */
  usedBefore(nonce: string, at: number): boolean;
}

/** Keeps the nonces of at most twenty minutes in a file: at full load they are millions. */
export function createNonceMemory(file: StateFile): NonceMemory {
  file.query('CREATE TABLE IF NOT EXISTS nonces (nonce TEXT PRIMARY KEY, second INTEGER NOT NULL) WITHOUT ROWID').run();
  const add = file.query('INSERT OR IGNORE INTO nonces (nonce, second) VALUES (?, ?)');
  const find = file.query('SELECT second FROM nonces WHERE nonce = ?');
  const update = file.query('UPDATE nonces SET second = ? WHERE nonce = ?');
  const forget = file.query('DELETE FROM nonces WHERE second <= ?');
  let forgotAt = 0;
  return {
    usedBefore(nonce, at) {
      const second = Math.floor(at / 1000);
      if (at - forgotAt >= REMEMBERED_MS) {
        forget.run(second - REMEMBERED_MS / 1000);
        forgotAt = at;
      }
      if (add.run(nonce, second).changes === 1) return false;
      const last = Number(find.all(nonce)[0]?.second);
      update.run(second, nonce);
      return (second - last) * 1000 < REMEMBERED_MS;
    },
  };
}
