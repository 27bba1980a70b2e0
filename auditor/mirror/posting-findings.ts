import type { Finding } from '../audit/findings.ts';
import { type EvidenceParts, recordEvidence } from './write-evidence.ts';

/** Entries that were posted too late, or dated after their block. They do not end the following: the ledger goes on. */
export interface PostingFindings {
  /** Records a finding once, with a file of evidence for the first of each kind. `item` is that of the entry. */
  add(finding: Finding, item: Uint8Array): Promise<void>;
  /** Null if there are none. */
  sentence(): string | null;
}

/** Files of each kind: a service that was down for days posts all of its entries late. */
const MOST_FILES = 50;

export async function openPostingFindings(
  parts: EvidenceParts & { readonly note: (line: string) => void },
): Promise<PostingFindings> {
  const { pool, note } = parts;
  const { rows } = await pool.query<{ kind: string; count: number }>(
    'SELECT kind, count(*)::int AS count FROM mirror_findings GROUP BY kind',
  );
  const counts = new Map(rows.map(({ kind, count }) => [kind, count]));
  return {
    async add({ kind, sentence, seq }, item) {
      const { rowCount } = await pool.query('SELECT FROM mirror_findings WHERE kind = $1 AND seq = $2', [kind, seq]);
      if (rowCount !== 0 || seq === null) return;
      const count = (counts.get(kind) ?? 0) + 1;
      if (count <= MOST_FILES) {
        const found = { kind: 'posting', sentence, finding: kind, items: [item], heads: [], checkpoints: [] } as const;
        const file = await recordEvidence(parts, found, seq);
        note(`${kind} of entry ${seq}: ${sentence} The evidence is in ${file}.`);
      }
      await pool.query(
        'INSERT INTO mirror_findings (kind, seq, sentence, found_at) VALUES ($1, $2, $3, clock_timestamp())',
        [kind, seq, sentence],
      );
      counts.set(kind, count);
    },
    sentence() {
      if (counts.size === 0) return null;
      const listed = [...counts].map(([kind, count]) => `${kind} (${count})`).join(', ');
      return `Entries were posted too late, or dated after their block: ${listed}. The evidence is in the log and in DATA_DIR/evidence.`;
    },
  };
}
