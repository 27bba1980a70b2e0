import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerId } from '../../protocol/ids.ts';
import { toBase64 } from '../../protocol/signing/encoding.ts';
import {
  type CheckpointPolicy,
  parseSignedCheckpoint,
  readPolicy,
  type SignedCheckpoint,
  verifyCheckpoint,
} from '../../protocol/transparency/checkpoint.ts';
import { leafHashOf, originOf } from '../../protocol/transparency/ledger-log.ts';
import {
  appendLeaves,
  EMPTY_FRONTIER,
  type Frontier,
  frontierRoot,
  isSameHash,
} from '../../protocol/transparency/merkle.ts';
import { TransparencyError } from '../../protocol/transparency/transparency-error.ts';
import { CommandError, given, wholeNumber } from '../../server/platform/command-line/options.ts';
import { verifyNatively } from '../../server/platform/crypto/ed25519.ts';
import type { Placed } from './checked.ts';
import type { Findings } from './findings.ts';
import type { ServiceApi } from './service-api.ts';

export interface PolicyOptions {
  /** The key of the log, as a vkey; that of the service if absent. */
  readonly checkpointKey?: string;
  readonly witnesses?: readonly string[];
  /** How many of the witnesses must have cosigned; all of them if absent. */
  readonly quorum?: number;
}

/** The options of a command line for checkpoints, for `readOptions`. */
export const POLICY_OPTIONS = {
  'checkpoint-key': { type: 'string' },
  witness: { type: 'string', multiple: true },
  quorum: { type: 'string' },
} as const;

/** @returns undefined if none of POLICY_OPTIONS is given. @throws {CommandError} */
export function policyOptions(options: {
  readonly 'checkpoint-key'?: string;
  readonly witness?: readonly string[];
  readonly quorum?: string;
}): PolicyOptions | undefined {
  const policy = given({
    checkpointKey: options['checkpoint-key'],
    witnesses: options.witness,
    quorum: wholeNumber('quorum', options.quorum),
  });
  return Object.keys(policy).length > 0 ? policy : undefined;
}

/**
 * The policy of the options for the log of a ledger. Null if no key is given or served.
 * @throws {CommandError} for options that are no policy for this log
 */
export function policyFor(
  ledgerId: LedgerId,
  { checkpointKey, witnesses = [], quorum = witnesses.length }: PolicyOptions,
  servedKey: string | null,
): CheckpointPolicy | null {
  const key = checkpointKey ?? servedKey;
  if (key === null) {
    if (witnesses.length > 0) throw new CommandError('Give --checkpoint-key: the service publishes none.');
    return null;
  }
  try {
    const policy = readPolicy({ log: [key], witnesses, quorum });
    if (policy.origin === originOf(ledgerId)) return policy;
  } catch (error) {
    if (!(error instanceof TransparencyError)) throw error;
    throw new CommandError(error.message);
  }
  throw new CommandError(`The key of the checkpoints is of another log than that of the ledger ${ledgerId}.`);
}

/** The result for the report. */
export interface CheckpointResult {
  readonly size: number;
  readonly cosigned: number;
  readonly witnesses: number;
  /** Whether the entries on the network have this root. */
  readonly hasRoot: boolean;
  /** The signed checkpoint: evidence if something is wrong with it. */
  readonly note: string;
}

/** Compares a checkpoint with the entries of an audit, of which it keeps one hash for each bit of the size. */
export interface CheckpointCheck {
  /** Begins with a tree whose entries an earlier run added. False if the checkpoint has fewer entries. */
  beginWith(tree: Frontier): boolean;
  /** The entries that continue the chain on the network, in order. */
  add(placed: readonly Placed[]): void;
  /** Reports what is wrong. Null if the service has no checkpoint. */
  finish(findings: Findings): CheckpointResult | null;
}

const ATTEMPTS = 6;
const PAUSE_MS = 1_000;

/**
 * Reads the newest checkpoint of a service; call it before the audit reads the network, which must then have all of its entries.
 * Waits a few seconds for cosignatures, which may arrive later than the checkpoint.
 * @throws {ServiceApiError}
 */
export async function readCheckpointOf(
  api: Pick<ServiceApi, 'checkpoint'>,
  policy: CheckpointPolicy,
  pauseMs = PAUSE_MS,
): Promise<CheckpointCheck> {
  for (let attempt = 1; ; attempt += 1) {
    const text = await api.checkpoint();
    const judged = text === null ? null : judge(Buffer.from(text), policy);
    const mayPass = judged === null ? policy.quorum > 0 : judged.flaw === 'witnesses';
    if (mayPass && attempt < ATTEMPTS) await sleep(pauseMs);
    else return checkOf(text ?? '', judged, policy);
  }
}

interface Judged {
  readonly signed: SignedCheckpoint | null;
  readonly cosigned: number;
  readonly flaw: TransparencyError['flaw'] | null;
  readonly sentence: string;
}

function judge(bytes: Uint8Array, policy: CheckpointPolicy): Judged {
  try {
    const { checkpoint, note, cosignatures } = verifyCheckpoint(bytes, policy, verifyNatively);
    return { signed: { checkpoint, note }, cosigned: cosignatures.length, flaw: null, sentence: '' };
  } catch (error) {
    if (!(error instanceof TransparencyError)) throw error;
    const { flaw, message: sentence } = error;
    if (flaw !== 'witnesses') return { signed: null, cosigned: 0, flaw, sentence };
    const { cosigned } = judge(bytes, { ...policy, quorum: 0 });
    return { signed: parseSignedCheckpoint(bytes), cosigned, flaw, sentence };
  }
}

function checkOf(note: string, judged: Judged | null, policy: CheckpointPolicy): CheckpointCheck {
  const checkpoint = judged?.signed?.checkpoint ?? null;
  const size = checkpoint?.size ?? 0;
  let frontier: Frontier = EMPTY_FRONTIER;
  return {
    beginWith(tree) {
      if (checkpoint && size < tree.size) return false;
      frontier = tree;
      return true;
    },
    add(placed) {
      // After a gap the chain continues, but the tree cannot.
      const next = placed.filter(({ entry: { seq } }) => seq > frontier.size && seq <= size);
      if (next.some(({ entry }, at) => entry.seq !== frontier.size + at + 1)) return;
      frontier = appendLeaves(
        frontier,
        next.map(({ entry }) => leafHashOf(entry.id)),
      );
    },
    finish(findings) {
      const add = (sentence: string) =>
        findings.add({ kind: 'CHECKPOINT', sentence }, { seq: size === 0 ? null : size });
      if (!judged) {
        if (policy.quorum > 0) add('The service has no checkpoint, but witnesses are required.');
        return null;
      }
      if (judged.flaw !== null) add(judged.sentence);
      const root = toBase64(frontierRoot(frontier));
      const isWhole = frontier.size === size;
      const hasRoot = checkpoint !== null && isWhole && isSameHash(frontierRoot(frontier), checkpoint.root);
      if (checkpoint && !isWhole) {
        add(`The checkpoint has ${size} entries, but the network has only the first ${frontier.size} without a gap.`);
      } else if (checkpoint && !hasRoot) {
        add(
          `The checkpoint of ${size} entries has the root ${toBase64(checkpoint.root)}, but the entries on the network have ${root}.`,
        );
      }
      return { size, cosigned: judged.cosigned, witnesses: policy.witnesses.length, hasRoot, note };
    },
  };
}
