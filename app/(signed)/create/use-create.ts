'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { copyByOf, type Protection } from '../../_keys/identities.ts';
import type { KeptAs } from '../../_keys/keep-key.tsx';
import type { OpenedKey } from '../../_keys/secret.ts';
import { useLookup } from '../../_session/look-up.ts';
import { selfConsentFields } from '../../_session/self-consent-fields.ts';
import { useSession } from '../../_session/session.tsx';
import { type Signer, signerOf } from '../../_session/signer.ts';
import { useWrite } from '../../_session/write.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { useGo } from '../../_ui/local-link.tsx';
import { outcomeOf } from '../../_wizard/outcome-of.ts';
import { type DraftKey, useDraftKey } from '../../_wizard/use-draft-key.ts';
import { useFlow, type Walk } from '../../_wizard/use-flow.ts';
import { type Keeping, useKeeping } from '../../_wizard/use-keeping.ts';
import { useSubmission } from '../../_wizard/use-submission.ts';
import { CREATE, type CreateScreen } from './create-flow.ts';
import { DRAFT_KEY, EMPTY_DRAFT, forgetDraft, type KeptDraft, readDraft, writeDraft } from './kept-draft.ts';

const DOMAIN_LOST = new Set(['DOMAIN_TAKEN', 'DOMAIN_INVALID', 'DOMAIN_RESERVED']);

export interface Creating {
  readonly walk: Walk<CreateScreen>;
  /** Null until this browser's storage is read. */
  readonly draft: KeptDraft | null;
  readonly draftKey: DraftKey;
  readonly keeping: Keeping;
  readonly sending: boolean;
  readonly failure: Failure | null;
  /** A domain that was taken meanwhile. */
  readonly lostDomain: string | null;
  /** Whether the person has a copy of the key. */
  readonly hasCopy: boolean;
  readonly filePassphrase: string | undefined;
  nameChosen(domain: string): void;
  copied(as: KeptAs, filePassphrase?: string): void;
  /** The copy is put off. */
  copiedLater(): void;
  /** Receives the protected key. */
  sealed(sealed: Protection): Promise<void>;
  send(): Promise<void>;
}

/** The state and the actions of creating an identity. */
export function useCreate(): Creating {
  const t = useTranslations('create');
  const go = useGo();
  const session = useSession();
  const write = useWrite();
  const lookUp = useLookup();
  const draftKey = useDraftKey(DRAFT_KEY);
  const { make } = draftKey;
  const key = draftKey.made?.key ?? null;
  const [draft, setDraft] = useState<KeptDraft | null>(null);
  const [hasCopy, setHasCopy] = useState(false);
  const [filePassphrase, setFilePassphrase] = useState<string>();
  const [lostDomain, setLostDomain] = useState<string | null>(null);
  const [createdId, setCreatedId] = useState<string | null>(null);
  const [kept, setKept] = useState<'copy' | 'done' | null>(null);
  const { sending, failure, submit, clear } = useSubmission();
  const protection = draftKey.made?.protection ?? null;
  const sealed = protection !== null && protection.domain === draft?.domain ? protection : null;
  const end = (screen: 'copy' | 'done') => {
    setKept(screen);
    walk.replace(screen);
  };
  const keeping = useKeeping(() => end(hasCopy ? 'done' : 'copy'));

  const outcome = kept ?? (createdId !== null ? 'keep' : null);
  const walk = useFlow(
    CREATE,
    { draft, isSealed: sealed !== null, outcome },
    { title: t('title'), nameOf: (step) => t(`steps.${step}`) },
  );

  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    resume(make, lookUp, signal).then((found) => {
      if (signal.aborted) return;
      setDraft(found.draft);
      setCreatedId(found.id);
    });
    return () => over.abort();
  }, [make, lookUp]);

  const isPast = walk.screen === 'past';
  useEffect(() => {
    if (isPast) go('/me');
  });

  const record = (changed: KeptDraft) => {
    writeDraft(changed);
    setDraft(changed);
  };

  /** @returns false where this browser cannot keep the key */
  const store = async (id: string, domain: string, key: OpenedKey, sealed: Protection): Promise<boolean> => {
    const signer = await signerFor(key);
    const copy = hasCopy ? { backedUp: true } : { backedUp: false, copyBy: copyByOf(Date.now()) };
    const { file, passkey } = sealed;
    const identity = { id, kind: 'holder' as const, domain, publicKey: key.publicKey, file, passkey, ...copy };
    return keeping.store(identity, key, async () => {
      forgetDraft();
      await draftKey.drop();
      // Not waited for: a reload meanwhile would begin another identity.
      void signRules(id, signer);
    });
  };

  /** A failure is not reported: the pages of the holder offer the same operations. */
  const signRules = async (beoId: string, as: Signer): Promise<void> => {
    await write('requireConfirmedGuardians', { beoId }, { as, quiet: true });
    await write('grantConsent', selfConsentFields(beoId), { as, quiet: true });
  };

  const create = async (domain: string, key: OpenedKey, sealed: Protection) => {
    const { publicKey } = key;
    const written = await write('createBEO', { domain, publicKey, recovery: null }, { as: await signerFor(key) });
    const find = () => idOf(lookUp, domain, publicKey);
    const created = await outcomeOf(written, ({ beo_id }) => beo_id, find);
    if (created.ok && !(await store(created.outcome, domain, key, sealed))) setCreatedId(created.outcome);
    return created;
  };

  /** Its file and its passkey have the name that it was sealed for. */
  const dropSealed = () => {
    draftKey.protect(null);
    if (filePassphrase === undefined) return;
    setHasCopy(false);
    setFilePassphrase(undefined);
  };

  return {
    walk,
    draft,
    draftKey,
    keeping,
    sending,
    failure,
    lostDomain,
    hasCopy,
    filePassphrase,
    nameChosen(domain) {
      if (!draft) return;
      if (domain !== draft.domain) dropSealed();
      setLostDomain(null);
      record({ ...draft, domain });
      walk.go('public');
    },
    copied(_, passphrase) {
      setFilePassphrase(passphrase);
      setHasCopy(true);
      if (kept === null) return;
      const { current } = session;
      if (current && current.publicKey === key?.publicKey) void session.keep({ ...current, backedUp: true });
      end('done');
    },
    copiedLater: () => end('done'),
    async sealed(sealed) {
      if (!key || !draft || draft.domain === null) return;
      if (createdId !== null) {
        await store(createdId, draft.domain, key, sealed);
        return;
      }
      record({ ...draft, publicKey: key.publicKey });
      draftKey.protect({ ...sealed, domain: draft.domain });
      walk.go('send');
    },
    async send() {
      if (!key || sealed === null || !draft || draft.domain === null) return;
      const { domain } = draft;
      record({ ...draft, sent: true });
      const created = await submit(() => create(domain, key, sealed));
      if (created?.ok !== false || !DOMAIN_LOST.has(created.failure?.code ?? '')) return;
      clear();
      dropSealed();
      setLostDomain(domain);
      record({ ...draft, domain: null, sent: false });
      walk.go('name');
    },
  };
}

/** The signer wipes the seed that it is given. */
const signerFor = ({ seed, ...rest }: OpenedKey) => signerOf({ ...rest, seed: seed.slice() });

type LookUp = ReturnType<typeof useLookup>;

/** The id of the identity with this domain and our key, if any: it may exist although the response was lost. */
async function idOf(lookUp: LookUp, domain: string, publicKey: string): Promise<string | null> {
  const found = await lookUp(domain);
  return 'owner' in found && found.owner.publicKey === publicKey ? found.owner.id : null;
}

/** The draft of an earlier visit whose key is still stored, and the id if the identity was created. */
async function resume(
  make: DraftKey['make'],
  lookUp: LookUp,
  signal: AbortSignal,
): Promise<{ draft: KeptDraft; id: string | null }> {
  const draft = readDraft();
  const { domain, publicKey, sent } = draft;
  if (publicKey === null) return { draft, id: null };
  const made = await make(signal);
  if (made?.key.publicKey !== publicKey) return { draft: { ...EMPTY_DRAFT, domain }, id: null };
  return { draft, id: sent && domain !== null ? await idOf(lookUp, domain, publicKey) : null };
}
