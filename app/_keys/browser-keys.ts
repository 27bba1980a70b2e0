import { type CopyOf, keptCopies, openCopy } from './browser-copy.ts';
import { keptIdentities, lacksCopy, type Protection } from './identities.ts';
import { type Read, readAs, UNREADABLE } from './read.ts';
import { type OpenedKey, openedSecret } from './secret.ts';

/** A key in this browser that a guardian may use. */
export type BrowserKey =
  /** Opens without a passphrase. */
  | { readonly kind: 'copy'; readonly of: CopyOf; readonly domain: string | null }
  /** Opens with its passkey or the passphrase of its key file. */
  | ({
      readonly kind: 'identity';
      readonly publicKey: string;
      readonly domain: string;
      /** False while its copy is put off: it is then in this browser only. */
      readonly hasCopy: boolean;
    } & Protection);

export const publicKeyOf = (kept: BrowserKey): string => (kept.kind === 'copy' ? kept.of.publicKey : kept.publicKey);

/** The entries for a key in this browser; with null, every guardian key and every identity. Each key once, copies first. */
export async function browserKeys(expectedKey: string | null): Promise<Read<readonly BrowserKey[]>> {
  const [copies, identities] = await Promise.all([keptCopies(), keptIdentities()]);
  if (copies.state === 'unreadable' || identities.state === 'unreadable') return UNREADABLE;
  const found = [
    ...copies.value
      .filter(({ purpose }) => expectedKey !== null || purpose === 'guardian')
      .map(({ domain, ...of }) => ({ kind: 'copy', of, domain }) as const),
    ...identities.value.map((kept) => {
      const { publicKey, domain, file, passkey } = kept;
      return { kind: 'identity', publicKey, domain, file, passkey, hasCopy: !lacksCopy(kept) } as const;
    }),
  ];
  const byKey = new Map<string, BrowserKey>();
  for (const kept of found) {
    const publicKey = publicKeyOf(kept);
    if ((expectedKey === null || publicKey === expectedKey) && !byKey.has(publicKey)) byKey.set(publicKey, kept);
  }
  return readAs([...byKey.values()]);
}

/** The key of a copy; null where the browser has lost it or a part of it. */
export async function openedCopy(of: CopyOf): Promise<Read<OpenedKey | null>> {
  const secret = await openCopy(of);
  if (secret.state === 'unreadable') return secret;
  const key = secret.value && (await openedSecret(secret.value).catch(() => null));
  return readAs(key?.publicKey === of.publicKey ? key : null);
}
