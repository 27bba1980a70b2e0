import { KNOWN_KEY } from '../_ui/early-script.ts';
import { type Read, readAs } from './read.ts';
import type { Purpose } from './secret.ts';
import { readStore, withStore } from './store.ts';

/** The kind of an identity in this browser: a person's or an institution's. */
export type IdentityKind = Exclude<Purpose, 'guardian'>;

/** The address at which the pages of an identity begin. */
export const homeOf = (kind: IdentityKind): string => (kind === 'holder' ? '/me' : '/institution');

/** How the secret is encrypted in this browser: under a passphrase, a passkey, or each of them. At least one is not null. */
export interface Protection {
  /** The text of a key file under the passphrase: see sealKeyFile. */
  readonly file: string | null;
  readonly passkey: SealedByPasskey | null;
}

/** An identity in this browser. */
export interface KeptIdentity extends Protection {
  /** beo_id or ieo_id. */
  readonly id: string;
  readonly kind: IdentityKind;
  readonly domain: string;
  /** Of the stored key; lower-case hex. */
  readonly publicKey: string;
  /** Whether the person has a copy elsewhere that was checked. */
  readonly backedUp: boolean;
  /** ISO 8601: until when the copy of a key that was made here can be put off. */
  readonly copyBy?: string;
  /** ISO 8601: when it was last chosen. */
  readonly usedAt: string;
}

/** The secret under a key that the passkey's PRF gives (WebAuthn level 3 §10.1.4). */
export interface SealedByPasskey {
  readonly credentialId: Uint8Array<ArrayBuffer>;
  /** The input of the PRF, 32 bytes. */
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly ciphertext: ArrayBuffer;
  /** How the authenticator is reached (WebAuthn §5.8.4); absent in those of earlier versions. */
  readonly transports?: readonly string[];
}

/** Where a passkey is, as far as the browser has told: on this device, or on another one, such as a security key. */
export const placeOf = ({ transports = [] }: Pick<SealedByPasskey, 'transports'>): 'here' | 'elsewhere' | 'unknown' =>
  transports.length === 0 ? 'unknown' : transports.includes('internal') ? 'here' : 'elsewhere';

const COPY_WITHIN_MS = 3 * 24 * 3_600_000;

/** Until when the copy of a key that is made now (in ms) can be put off. */
export const copyByOf = (now: number): string => new Date(now + COPY_WITHIN_MS).toISOString();

/** Whether the copy of a key that was made in this browser was put off: it comes before the first consent. */
export const lacksCopy = ({ backedUp, copyBy }: Pick<KeptIdentity, 'backedUp' | 'copyBy'>): boolean =>
  !backedUp && copyBy !== undefined;

/** Whether it was put off for too long; `now` in ms. */
export const isCopyDue = (identity: Pick<KeptIdentity, 'backedUp' | 'copyBy'>, now: number): boolean =>
  lacksCopy(identity) && Date.parse(identity.copyBy ?? '') <= now;

/** The day on which the passphrase of an identity was chosen for this browser; null without one, or where its key file is damaged. */
export function passphraseDate({ file }: Pick<KeptIdentity, 'file'>): Date | null {
  try {
    const date = new Date(JSON.parse(file ?? '').created_at);
    return Number.isNaN(date.getTime()) ? null : date;
  } catch {
    return null;
  }
}

const PLACE = { database: 'perpetua-identities', store: 'identities' };

/** Lets the first paint of the next page know whether an identity is stored. */
function note(known: boolean): void {
  try {
    if (known) localStorage.setItem(KNOWN_KEY, 'on');
    else localStorage.removeItem(KNOWN_KEY);
  } catch {
    // Without storage the next page only appears a moment later.
  }
}

/** The last used first. */
export async function keptIdentities(): Promise<Read<readonly KeptIdentity[]>> {
  const kept = await readStore<KeptIdentity, KeptIdentity[]>(PLACE, (store) => store.all());
  if (kept.state === 'unreadable') return kept;
  note(kept.value.length > 0);
  return readAs(kept.value.toSorted((one, other) => (one.usedAt < other.usedAt ? 1 : -1)));
}

/** Asks the browser to keep its storage where the key is new here. @throws {Error} where the storage refuses or does not answer. */
export async function keepIdentity(identity: KeptIdentity): Promise<void> {
  let isNew = false;
  await withStore<KeptIdentity, KeptIdentity>(PLACE, (store) =>
    store.update(identity.id, (before) => {
      isNew = before === undefined;
      return identity;
    }),
  );
  note(true);
  if (isNew) import('./persistence.ts').then(({ askToPersist }) => askToPersist()).catch(() => {});
}

/** Deletes an identity and its key from this browser. @throws {Error} where the storage refuses or does not answer. */
export const forgetIdentity = (id: string): Promise<void> => withStore(PLACE, (store) => store.delete(id));
