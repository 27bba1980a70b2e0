import type { SealedByPasskey } from './identities.ts';
import { type OpenedKey, openedSecret, type Secret } from './secret.ts';

/**
 * Why a passkey failed: the person cancelled or was too slow, or no passkey was found (WebAuthn does not tell these apart), the
 * authenticator has no PRF, the key is another one, or any other reason.
 */
export type PasskeyProblem = 'cancelled' | 'unsupported' | 'other' | 'failed';

const SALT_BYTES = 32;
const NONCE_BYTES = 12;
const PATIENCE_MS = 120_000;
/** EdDSA, ES256, RS256: any will do, because signatures of the credential are not used. */
const ALGORITHMS = [-8, -7, -257];
const INFO = 'perpetua: a key under a passkey, v1';

/** Encrypts a key under a new or an existing passkey. The device asks the person. */
export async function sealUnderPasskey(
  { secret, publicKey }: Pick<OpenedKey, 'secret' | 'publicKey'>,
  domain: string,
  existing: SealedByPasskey | null = null,
): Promise<{ readonly sealed: SealedByPasskey } | { readonly problem: Exclude<PasskeyProblem, 'other'> }> {
  const salt = random(SALT_BYTES);
  try {
    const made = existing ? knownCredential(existing) : await newCredential(domain, salt);
    if (!made) return { problem: 'unsupported' };
    const output = made.output ?? (await outputOf(made.id, salt));
    if (!output) return { problem: 'unsupported' };
    const { id: credentialId, transports } = made;
    return { sealed: { credentialId, salt, ...(await seal(output, { secret, publicKey })), ...transports } };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

/** Decrypts a key by its passkey. The device asks the person. */
export async function openByPasskey(
  { credentialId, salt, nonce, ciphertext }: SealedByPasskey,
  publicKey: string,
): Promise<{ readonly key: OpenedKey } | { readonly problem: PasskeyProblem }> {
  try {
    const output = await outputOf(credentialId, salt);
    if (!output) return { problem: 'unsupported' };
    const key = await open(output, { nonce, ciphertext }, publicKey);
    return key ? { key } : { problem: 'other' };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

/** Reports to the password manager that a passkey is not used, or no longer, where the browser can. */
export async function disownPasskey({ credentialId }: Pick<SealedByPasskey, 'credentialId'>): Promise<void> {
  const { toBase64Url } = await import('./crypto.ts');
  const gone = { rpId: location.hostname, credentialId: toBase64Url(credentialId) };
  await PublicKeyCredential.signalUnknownCredential?.(gone).catch(() => {});
}

type Sealed = Pick<SealedByPasskey, 'nonce' | 'ciphertext'>;

/**
 * AES-256-GCM under HKDF-SHA-256 of the PRF's 32 bytes; the public key is associated data. The plaintext is one byte, 1 for a seed
 * and 0 for entropy, and the 32 bytes. Wipes the PRF's output.
 */
export async function seal(
  output: Uint8Array<ArrayBuffer>,
  { secret, publicKey }: Pick<OpenedKey, 'secret' | 'publicKey'>,
): Promise<Sealed> {
  const nonce = random(NONCE_BYTES);
  const plain = Uint8Array.from([secret.holds === 'seed' ? 1 : 0, ...secret.bytes]);
  const ciphertext = await crypto.subtle.encrypt(parameters(nonce, publicKey), await derived(output), plain);
  plain.fill(0);
  return { nonce, ciphertext };
}

/** Decrypts what `seal` encrypted; null where the key has another public key. Wipes the PRF's output. */
export async function open(
  output: Uint8Array<ArrayBuffer>,
  { nonce, ciphertext }: Sealed,
  publicKey: string,
): Promise<OpenedKey | null> {
  const plain = await crypto.subtle
    .decrypt(parameters(nonce, publicKey), await derived(output), ciphertext)
    .catch(() => null);
  if (!plain) return null;
  const [holds, ...bytes] = new Uint8Array(plain);
  new Uint8Array(plain).fill(0);
  const secret: Secret = { holds: holds === 1 ? 'seed' : 'entropy', bytes: Uint8Array.from(bytes) };
  const key = await openedSecret(secret);
  return key.publicKey === publicKey ? key : null;
}

async function derived(output: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', output, 'HKDF', false, ['deriveKey']);
  output.fill(0);
  const info = new TextEncoder().encode(INFO);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

const parameters = (iv: Uint8Array<ArrayBuffer>, publicKey: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(publicKey),
});

interface Credential {
  readonly id: Uint8Array<ArrayBuffer>;
  /** Of the PRF; null where it is not known yet. */
  readonly output: Uint8Array<ArrayBuffer> | null;
  readonly transports: Pick<SealedByPasskey, 'transports'>;
}

const knownCredential = ({ credentialId, transports }: SealedByPasskey): Credential => ({
  id: credentialId,
  output: null,
  transports: transports ? { transports } : {},
});

/** Null where the authenticator has no PRF. The user id of the credential is random. */
async function newCredential(domain: string, salt: Uint8Array<ArrayBuffer>): Promise<Credential | null> {
  const credential = await navigator.credentials.create({
    publicKey: {
      rp: { id: location.hostname, name: 'Perpetua' },
      user: { id: random(32), name: domain, displayName: domain },
      challenge: random(32),
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      extensions: { prf: { eval: { first: salt } } },
      timeout: PATIENCE_MS,
    },
  });
  if (!(credential instanceof PublicKeyCredential)) return null;
  const { prf } = credential.getClientExtensionResults();
  const id = new Uint8Array(credential.rawId);
  const { response } = credential;
  const known = response instanceof AuthenticatorAttestationResponse ? response.getTransports?.() : undefined;
  if (prf?.enabled) return { id, output: firstOf(prf), transports: known ? { transports: known } : {} };
  void disownPasskey({ credentialId: id });
  return null;
}

async function outputOf(
  credentialId: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const credential = await navigator.credentials.get({
    publicKey: {
      rpId: location.hostname,
      challenge: random(32),
      allowCredentials: [{ type: 'public-key', id: credentialId }],
      userVerification: 'required',
      extensions: { prf: { eval: { first: salt } } },
      timeout: PATIENCE_MS,
    },
  });
  return credential instanceof PublicKeyCredential ? firstOf(credential.getClientExtensionResults().prf) : null;
}

function firstOf(prf: AuthenticationExtensionsClientOutputs['prf']): Uint8Array<ArrayBuffer> | null {
  const first = prf?.results?.first;
  if (!first) return null;
  return new Uint8Array(ArrayBuffer.isView(first) ? (first.buffer.slice(0) as ArrayBuffer) : first);
}

const problemOf = (error: unknown): 'cancelled' | 'failed' =>
  error instanceof DOMException && error.name === 'NotAllowedError' ? 'cancelled' : 'failed';

const random = (length: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(length));
