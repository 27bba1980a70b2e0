/** The breaches of protocol §10 that an audit detects, with their descriptions in the report. */
export const FINDING_KINDS = {
  BUNDLE_UNREADABLE: 'bundle whose bytes are missing or are not a bundle',
  BUNDLE_TAGS: 'bundle whose tags do not match its entries',
  ITEM_MALFORMED: 'item that is not an ANS-104 data item with an entry in it',
  RELAYER_SIGNATURE: 'item without the relayer’s signature',
  RELAYER_KEY: 'change of the relayer’s key that its commitment does not allow',
  ITEM_TAGS: 'item whose tags differ from its entry',
  ANCHOR: 'item whose anchor does not name its predecessor',
  NOT_CANONICAL: 'entry that is not canonical JSON',
  MESSAGE: 'message that does not match its operation',
  UNKNOWN_FUNCTION: 'function that the protocol does not have',
  USER_SIGNATURE: 'missing or wrong user signature',
  WRONG_SIGNER: 'signature by a key that was not authorized',
  KEY: 'key that is not of prime order',
  ENTITY: 'entity that does not follow from what was signed',
  NONCE: 'nonce used twice',
  TIMESTAMP: 'timestamp too far from the acceptance',
  ACCEPTED_AT: 'acceptance earlier than that of the predecessor',
  GAP: 'missing entries',
  PREV: 'entry that does not name its predecessor',
  EPOCH: 'epoch without a matching beginEpoch entry',
  EQUIVOCATION: 'two different entries in one place',
  LATE_POSTING: 'posting later than the published maximum',
  POSTDATED: 'acceptance dated after the block that contains it',
  TRANSITION: 'operation that the state does not allow',
  ABANDONED: 'accepted entry that a restore left out',
  STATE: 'served state that differs from the replayed one',
  HEAD: 'served head that differs from the ledger',
  CHECKPOINT: 'checkpoint that contradicts the ledger, or lacks a required signature',
} as const;

export type FindingKind = keyof typeof FINDING_KINDS;

/** A breach, described in one sentence. */
export interface Problem {
  readonly kind: FindingKind;
  readonly sentence: string;
}

export interface Finding extends Problem {
  readonly seq: number | null;
  /** The id of the entry, or of the bundle if the finding concerns no single entry. */
  readonly id: string | null;
}

export interface Findings {
  add(problem: Problem, where?: { readonly seq?: number | null; readonly id?: string | null }): void;
  readonly total: number;
  /** The number of findings of each kind that occurs. */
  counts(): ReadonlyMap<FindingKind, number>;
  /** At most `limit` findings, with each kind represented, in the order in which they were found. */
  examples(limit: number): readonly Finding[];
  /** What `createFindings` continues with. */
  readonly snapshot: FindingsSnapshot;
}

export interface FindingsSnapshot {
  readonly total: number;
  readonly counts: readonly (readonly [FindingKind, number])[];
  readonly kept: readonly Finding[];
}

const MAX_PER_KIND = 50;
/** A sentence can quote an entry, which may be long. */
const MAX_SENTENCE_LENGTH = 500;

const shortened = (sentence: string): string =>
  sentence.length <= MAX_SENTENCE_LENGTH ? sentence : `${sentence.slice(0, MAX_SENTENCE_LENGTH)}…`;

const NO_FINDINGS: FindingsSnapshot = { total: 0, counts: [], kept: [] };

/** Counts all findings and keeps the first of each kind. */
export function createFindings(from: FindingsSnapshot = NO_FINDINGS): Findings {
  const counts = new Map(from.counts);
  const kept = [...from.kept];
  let { total } = from;
  return {
    add({ kind, sentence }, { seq = null, id = null } = {}) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      total += 1;
      if (count <= MAX_PER_KIND) kept.push({ kind, sentence: shortened(sentence), seq, id });
    },
    get total() {
      return total;
    },
    counts: () => counts,
    get snapshot() {
      return { total, counts: [...counts], kept: [...kept] };
    },
    examples(limit) {
      const share = Math.ceil(limit / Math.max(1, counts.size));
      const shown = new Set<Finding>();
      const shownPerKind = new Map<FindingKind, number>();
      for (const finding of kept) {
        const already = shownPerKind.get(finding.kind) ?? 0;
        if (already >= share || shown.size >= limit) continue;
        shownPerKind.set(finding.kind, already + 1);
        shown.add(finding);
      }
      for (const finding of kept) if (shown.size < limit) shown.add(finding);
      return kept.filter((finding) => shown.has(finding));
    },
  };
}
