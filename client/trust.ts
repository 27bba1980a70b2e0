import { continues, currentKey } from '../protocol/ledger/relayer-keys.ts';
import { canonicalJson } from '../protocol/signing/canonical-json.ts';
import { decodeSignature, isStrictPublicKey, verifySignature } from '../protocol/signing/ed25519.ts';
import { utf8ToBytes } from '../protocol/signing/encoding.ts';
import { IntegrityError } from './errors.ts';
import { type Place, successionOf } from './receipts.ts';

/** What a client has verified of a ledger. Store it: then the server cannot show an older state, or another ledger, later on. */
export interface Trusted {
  readonly ledgerId: string;
  /** The highest entry that was verified; null if none was. */
  readonly head: Place | null;
  /** The verified entries that committed the relayer's key or changed it: `relayer_keys` of the ledger. Absent if there are none. */
  readonly relayerKeys?: readonly string[];
}

/** The signed head of a ledger, as GET /api/ledger returns it. */
export interface SignedHead {
  readonly ledger_id: string;
  readonly relayer_public_key: string;
  /** The items of the entries that changed the relayer's key, base64. Absent from services of earlier versions. */
  readonly relayer_keys?: readonly string[];
  readonly head: {
    readonly epoch: number;
    readonly seq: number;
    /** Null where the ledger has no entry. */
    readonly id: string | null;
    readonly at: string;
    /** The relayer's, over the canonical JSON of the other members and ledger_id. Base64. */
    readonly signature: string;
  };
}

export interface Trust {
  readonly current: () => Trusted | null;
  /** Remembers a verified entry, if it is the highest. @throws {IntegrityError} LEDGER_FORKED */
  remember(ledgerId: string, place: Place): void;
  /**
   * Verifies the head that a server returned against `before`, what was trusted when the request was sent.
   * @throws {IntegrityError} LEDGER_CHANGED, HEAD_INVALID, HEAD_STALE or LEDGER_FORKED
   */
  check(stated: SignedHead, before: Trusted | null): void;
}

export function createTrust(initial: Trusted | null, onChange: (trusted: Trusted) => void): Trust {
  let trusted = initial;
  const update = (next: Trusted) => {
    trusted = next;
    onChange(next);
  };

  const remember: Trust['remember'] = (ledgerId, { epoch, seq, id }) => {
    const place = { epoch, seq, id };
    const head = trusted?.head ?? null;
    requireOneHistory(head, place);
    if (!head || seq > head.seq) update({ ...trusted, ledgerId, head: place });
  };

  return {
    current: () => trusted,
    remember,
    check(stated, before) {
      if (!isSignedHead(stated)) {
        throw new IntegrityError('HEAD_INVALID', 'The head is not signed by the relayer of this ledger.', { stated });
      }
      const { ledger_id: ledgerId, head } = stated;
      if (before && ledgerId !== before.ledgerId) {
        const sentence = `The server has the ledger ${ledgerId}, not ${before.ledgerId}.`;
        throw new IntegrityError('LEDGER_CHANGED', sentence, { stated });
      }
      const known = before?.head ?? null;
      if (known && (head.epoch < known.epoch || (head.epoch === known.epoch && head.seq < known.seq))) {
        const sentence = `The ledger ends at entry ${head.seq}, but entry ${known.seq} was verified before.`;
        throw new IntegrityError('HEAD_STALE', sentence, { stated, known });
      }
      requireOneSuccession(before, stated);
      if (head.id !== null) {
        requireOneHistory(known, { ...head, id: head.id });
        remember(ledgerId, { ...head, id: head.id });
      } else if (!trusted) update({ ledgerId, head: null });
      const { relayer_keys: relayerKeys = [] } = stated;
      if (trusted && relayerKeys.length > (trusted.relayerKeys?.length ?? 0)) update({ ...trusted, relayerKeys });
    },
  };
}

/** Two entries with one epoch and number prove that the relayer signed two histories. Protocol §10. */
function requireOneHistory(known: Place | null, stated: Place): void {
  if (!known) return;
  if (stated.epoch > known.epoch && stated.seq <= known.seq) {
    const sentence = `The service was restored without entry ${known.seq}, which was verified before.`;
    throw new IntegrityError('ENTRIES_ABANDONED', sentence, { known, stated });
  }
  if (known.seq !== stated.seq || known.epoch !== stated.epoch || known.id === stated.id) return;
  const sentence = `Entry ${stated.seq} is ${stated.id}, but ${known.id} was verified before.`;
  throw new IntegrityError('LEDGER_FORKED', sentence, { known, stated });
}

/** A succession of keys that does not continue the verified one proves that the relayer signed two histories. */
function requireOneSuccession(known: Trusted | null, stated: SignedHead): void {
  if (!known?.relayerKeys) return;
  const { ledger_id, relayer_keys = [], relayer_public_key } = stated;
  const before = successionOf(known.ledgerId, known.relayerKeys);
  if (continues(successionOf(ledger_id, relayer_keys, relayer_public_key), before)) return;
  const sentence = 'The keys of the relayer are not those that were verified before.';
  throw new IntegrityError('LEDGER_FORKED', sentence, { stated, known: known.relayerKeys });
}

/** False too for what is not a head at all. */
function isSignedHead({ ledger_id, relayer_public_key: key, relayer_keys = [], head }: SignedHead): boolean {
  try {
    const { signature, epoch, seq, id, at } = head;
    const succession = successionOf(ledger_id, relayer_keys, key.toLowerCase());
    if (!isStrictPublicKey(key) || currentKey(succession) !== key.toLowerCase()) return false;
    const bytes = decodeSignature(signature);
    return bytes !== null && verifySignature(key, utf8ToBytes(canonicalJson({ ledger_id, epoch, seq, id, at })), bytes);
  } catch {
    return false;
  }
}
