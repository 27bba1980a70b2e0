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

/** The place of a head, or those of verified entries that follow each other. An entry names the one before it. */
export type Places = readonly (Place & { readonly prev?: string | null })[];

export interface Trust {
  readonly current: () => Trusted | null;
  /**
   * The highest verified entry, if these places are beyond it and do not show that it is still in its place; otherwise null.
   * @throws {IntegrityError} LEDGER_FORKED or ENTRIES_ABANDONED, if they show that another one is
   */
  unconfirmed(places: Places): Place | null;
  /**
   * Remembers a verified entry, if it is the highest, and the items that changed the relayer's key.
   * @throws {IntegrityError} LEDGER_FORKED, ENTRIES_ABANDONED; then nothing is remembered
   */
  remember(ledger: Pick<Trusted, 'ledgerId' | 'relayerKeys'>, place: Place | null): void;
  /**
   * Verifies the head that a server returned against `before`, what was trusted when the request was sent. It remembers nothing.
   * @throws {IntegrityError} LEDGER_CHANGED, HEAD_INVALID, HEAD_STALE, LEDGER_FORKED or ENTRIES_ABANDONED
   */
  check(stated: SignedHead, before: Trusted | null): void;
}

export function createTrust(initial: Trusted | null, onChange: (trusted: Trusted) => void): Trust {
  let trusted = initial;

  return {
    current: () => trusted,

    unconfirmed(places) {
      const head = trusted?.head ?? null;
      const [first] = places;
      if (!head || !first || (places.at(-1) ?? first).seq <= head.seq) return null;
      const { epoch, seq, prev } = first;
      if (seq !== head.seq + 1 || prev === undefined) return head;
      if (prev !== head.id) requireOneHistory(head, { epoch, seq: head.seq, id: prev });
      return null;
    },

    remember({ ledgerId, relayerKeys = [] }, place) {
      const { head = null, relayerKeys: known = [] } = trusted ?? {};
      if (place) requireOneHistory(head, place);
      const isHigher = place && !(head && place.seq <= head.seq);
      const highest = isHigher ? { epoch: place.epoch, seq: place.seq, id: place.id } : head;
      const keys = relayerKeys.length > known.length ? relayerKeys : known;
      if (trusted && !isHigher && keys === known) return;
      trusted = { ledgerId, head: highest, ...(keys.length > 0 ? { relayerKeys: keys } : {}) };
      onChange(trusted);
    },

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
      requireOneHistory(known, head);
    },
  };
}

/** An entry in a place; null where another one states that there is none. */
type Stated = Omit<Place, 'id'> & { readonly id: string | null };

/** Two entries with one number, the other one not of a later epoch, prove that the relayer signed two histories. Protocol §10. */
export function requireOneHistory(known: Place | null, stated: Stated): void {
  if (!known) return;
  if (stated.epoch > known.epoch && stated.seq <= known.seq) {
    const sentence = `The service was restored without entry ${known.seq}, which was verified before.`;
    throw new IntegrityError('ENTRIES_ABANDONED', sentence, { known, stated });
  }
  if (stated.epoch < known.epoch && stated.seq >= known.seq) {
    const sentence = `Entry ${stated.seq} of epoch ${stated.epoch} was left out when epoch ${known.epoch} began.`;
    throw new IntegrityError('ENTRIES_ABANDONED', sentence, { known, stated });
  }
  if (known.seq !== stated.seq || known.id === stated.id) return;
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
    if ((id === null) !== (seq === 0)) return false;
    const succession = successionOf(ledger_id, relayer_keys, key.toLowerCase());
    if (!isStrictPublicKey(key) || currentKey(succession) !== key.toLowerCase()) return false;
    const bytes = decodeSignature(signature);
    return bytes !== null && verifySignature(key, utf8ToBytes(canonicalJson({ ledger_id, epoch, seq, id, at })), bytes);
  } catch {
    return false;
  }
}
