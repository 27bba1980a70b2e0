import { KNOWN_KEY } from '../_ui/theme.ts';
import type { Purpose } from './secret.ts';
import { type BrowserStore, withStore } from './store.ts';

/** Whose key this browser keeps: a person's or an institution's. */
export type IdentityKind = Exclude<Purpose, 'guardian'>;

/** The address at which the pages of an identity begin. */
export const homeOf = (kind: IdentityKind): string => (kind === 'holder' ? '/me' : '/institution');

/** An identity that this browser knows. Nothing in it is secret without the passphrase or the passkey. */
export interface KeptIdentity {
  /** beo_id or ieo_id. */
  readonly id: string;
  readonly kind: IdentityKind;
  readonly domain: string;
  /** Of the key that is kept; lower-case hex. */
  readonly publicKey: string;
  /** The text of a key file: see sealKeyFile. */
  readonly file: string;
  readonly passkey: SealedByPasskey | null;
  /** Whether the person has a copy elsewhere that was seen to open, or whose words were asked for. */
  readonly backedUp: boolean;
  /** ISO 8601: when it was last chosen. */
  readonly usedAt: string;
}

/** The secret under a key that the passkey's PRF gives (WebAuthn level 3 §10.1.4). */
export interface SealedByPasskey {
  readonly credentialId: Uint8Array<ArrayBuffer>;
  /** What the PRF is asked for, 32 bytes. */
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly ciphertext: ArrayBuffer;
}

/** Other tabs, and other parts of a page, hear on it that what this browser keeps has changed; of keys they are told nothing. */
export const IDENTITIES_CHANNEL = 'perpetua-identities';

const PLACE = { database: 'perpetua-identities', store: 'identities' };

const within = <Result>(work: (store: BrowserStore<KeptIdentity>) => Promise<Result>): Promise<Result> =>
  withStore(PLACE, work);

/** For the first paint of the next page. */
function note(known: boolean): void {
  try {
    if (known) localStorage.setItem(KNOWN_KEY, 'on');
    else localStorage.removeItem(KNOWN_KEY);
  } catch {
    // A browser that keeps nothing shows the page a moment later.
  }
}

/** The last used first. Empty where this browser keeps nothing. */
export async function keptIdentities(): Promise<KeptIdentity[]> {
  const kept = await within((store) => store.all()).catch(() => []);
  note(kept.length > 0);
  return kept.toSorted((one, other) => (one.usedAt < other.usedAt ? 1 : -1));
}

/** @throws {Error} where this browser keeps nothing. */
export const keepIdentity = (identity: KeptIdentity): Promise<void> =>
  within((store) => store.put(identity.id, identity));

/** Forgets an identity and its key in this browser. */
export const forgetIdentity = (id: string): Promise<void> => within((store) => store.delete(id));
