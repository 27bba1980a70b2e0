'use client';

import { usePathname } from 'next/navigation';
import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  forgetIdentity,
  type IdentityKind,
  type KeptIdentity,
  keepIdentity,
  keptIdentities,
} from '../_keys/identities.ts';
import { IDENTITIES_CHANNEL } from '../_keys/identities-channel.ts';
import { readAs, UNREADABLE, untilRead } from '../_keys/read.ts';
import type { OpenedKey } from '../_keys/secret.ts';
import { forgetTabDrafts } from '../_keys/tab-draft.ts';
import { READING, type Reading } from '../_keys/use-stored.ts';
import { NotLoadedDialog } from '../_ui/not-loaded.tsx';
import { type Signer, signerOf } from './signer.ts';
import type { UnlockDialog } from './unlock-dialog.tsx';
import { useIdle } from './use-idle.ts';

/** What is signed: an operation, or the replacement of the key by a new one. */
export type WhySigned = 'sign' | 'replaceKey';

/** Why a key is asked for: to show or copy it, or to give it a new passphrase. */
export type WhyRevealed = 'reveal' | 'newPassphrase';

export interface Session {
  /** The identities in this browser, the last used first. */
  readonly identities: Reading<readonly KeptIdentity[]>;
  /** The identity that was used last; on the pages of /me and /institution, the last of that kind. */
  readonly current: KeptIdentity | null;
  /** Whether the key of the current identity is open, so that signing needs no prompt. */
  readonly isOpen: boolean;
  choose(id: string): Promise<void>;
  /** Stores a new or changed identity and makes it the current one. With `key`, opens it. */
  keep(identity: KeptIdentity, key?: OpenedKey): Promise<void>;
  forget(id: string): Promise<void>;
  /** Asks the person to unlock the key of a stored identity and makes it the current one. False where they cancel. */
  unlock(identity: KeptIdentity): Promise<boolean>;
  /** The signer of the current identity; asks the person to unlock the key where it is not open. Null where they cancel. */
  signer(why?: WhySigned): Promise<Signer | null>;
  /** Asks for the passphrase or passkey even if the key is open: for showing or copying the key itself. */
  reveal(why?: WhyRevealed): Promise<OpenedKey | null>;
  /** Locks every key, and forgets the unfinished answers of those identities in this tab. */
  lock(): void;
}

const SessionContext = createContext<Session | null>(null);

/** Loaded after the page, once this browser has a key: it is asked for only when something is signed. Null without a connection. */
const loadUnlockDialog = () =>
  import('./unlock-dialog.tsx').then(
    (module) => module.UnlockDialog,
    () => null,
  );

/** Provides the identities and keys of this browser. Open keys stay in memory until the person is idle for a while. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [stored, setStored] = useState<Reading<readonly KeptIdentity[]>>(READING);
  /** Whether the storage cannot be read: others may have been stored meanwhile. */
  const [isStale, setStale] = useState(false);
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<Asking | null>(null);
  const signers = useRef(new Map<string, Signer>());
  const kind = kindOf(usePathname());
  const known = stored.state === 'read' ? stored.value : NO_IDENTITIES;
  const current = known.find((identity) => !kind || identity.kind === kind) ?? null;
  const identities = isStale && !current ? UNREADABLE : stored;

  const reading = useRef(new AbortController());
  /** Resolves after the first attempt; until the storage can be read, the identities that were read before stay. */
  const reread = useCallback((show: (update: () => void) => void = (update) => update()) => {
    reading.current.abort();
    reading.current = new AbortController();
    const { signal } = reading.current;
    return new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      const onUnreadable = () => {
        setStale(true);
        resolve();
      };
      void untilRead(keptIdentities, signal, onUnreadable).then((kept) => {
        show(() => {
          setStored(readAs(kept));
          setStale(false);
        });
        resolve();
      });
    });
  }, []);
  const closeKeys = useCallback(() => {
    signers.current.clear();
    setOpenIds(new Set());
  }, []);
  const lock = useCallback(() => {
    for (const id of signers.current.keys()) forgetTabDrafts(id);
    closeKeys();
  }, [closeKeys]);

  useEffect(() => {
    // A transition keeps the page responsive while it replaces the first paint.
    void reread(startTransition);
    const channel = new BroadcastChannel(IDENTITIES_CHANNEL);
    channel.onmessage = () => void reread();
    return () => {
      reading.current.abort();
      channel.close();
    };
  }, [reread]);

  const hasKey = current !== null;
  useEffect(() => {
    if (hasKey) void loadUnlockDialog();
  }, [hasKey]);

  // A reload finds the drafts again.
  useIdle(lock, openIds.size > 0, closeKeys);

  const session = useMemo((): Session => {
    async function ask(identity: KeptIdentity, why: Asking['why']): Promise<OpenedKey | null> {
      const Dialog = await loadUnlockDialog();
      return new Promise((resolve) => setAsking({ Dialog, identity, why, resolve, failures: 0 }));
    }

    async function open(id: string, key: OpenedKey): Promise<Signer> {
      const signer = await signerOf(key);
      signers.current.set(id, signer);
      setOpenIds(new Set(signers.current.keys()));
      return signer;
    }

    async function changed(): Promise<void> {
      await reread();
      tellOthers();
    }

    async function keep(identity: KeptIdentity, key?: OpenedKey): Promise<void> {
      await keepIdentity({ ...identity, usedAt: new Date().toISOString() });
      if (key) await open(identity.id, key);
      await changed();
    }

    return {
      identities,
      current,
      isOpen: current !== null && openIds.has(current.id),
      async choose(id) {
        const chosen = known.find((identity) => identity.id === id);
        if (!chosen) return;
        // Without it the page of the other identity is one more step away.
        await keepIdentity({ ...chosen, usedAt: new Date().toISOString() }).catch(() => {});
        await changed();
      },
      keep,
      async forget(id) {
        // First: without a connection nothing is forgotten by half.
        const { forgetStored } = await import('../_keys/forget-stored.ts');
        signers.current.delete(id);
        setOpenIds(new Set(signers.current.keys()));
        await forgetIdentity(id);
        await forgetStored(id);
        await changed();
      },
      async unlock(identity) {
        const key = await ask(identity, 'sign');
        if (!key) return false;
        await keep(identity, key);
        key.secret.bytes.fill(0);
        return true;
      },
      async signer(why = 'sign') {
        if (!current) return null;
        const held = signers.current.get(current.id);
        if (held?.publicKey === current.publicKey) return held;
        const key = await ask(current, why);
        if (!key) return null;
        key.secret.bytes.fill(0);
        return open(current.id, key);
      },
      reveal: async (why = 'reveal') => current && ask(current, why),
      lock,
    };
  }, [identities, known, current, openIds, reread, lock]);

  return (
    <SessionContext value={session}>
      {children}
      {asking?.Dialog && (
        <asking.Dialog
          key={asking.identity.id}
          identity={asking.identity}
          why={asking.why}
          onDone={(key) => {
            setAsking(null);
            asking.resolve(key);
          }}
        />
      )}
      {asking && !asking.Dialog && (
        <NotLoadedDialog
          again={asking.failures > 0}
          onRetry={async () => {
            const Dialog = await loadUnlockDialog();
            setAsking({ ...asking, Dialog, failures: asking.failures + 1 });
          }}
          onCancel={() => {
            setAsking(null);
            asking.resolve(null);
          }}
        />
      )}
    </SessionContext>
  );
}

const NO_IDENTITIES: readonly KeptIdentity[] = [];

interface Asking {
  /** Null where it could not be loaded. */
  readonly Dialog: typeof UnlockDialog | null;
  readonly identity: KeptIdentity;
  readonly why: WhySigned | WhyRevealed;
  readonly resolve: (key: OpenedKey | null) => void;
  /** How often loading it again has failed. */
  readonly failures: number;
}

/** The kind of identity to which an address belongs. */
function kindOf(path: string): IdentityKind | null {
  if (/^\/me(\/|$)/.test(path)) return 'holder';
  return /^\/institution(\/|$)/.test(path) ? 'institution' : null;
}

/** Makes other tabs read the stored identities again. No key is sent. */
function tellOthers(): void {
  const channel = new BroadcastChannel(IDENTITIES_CHANNEL);
  channel.postMessage(null);
  channel.close();
}

/** Only below a SessionProvider. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession needs a SessionProvider above it.');
  return session;
}
