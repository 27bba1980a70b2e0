'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { KeptAs } from '../../_keys/keep-key.tsx';
import type { OpenedKey } from '../../_keys/secret.ts';
import { useLookup } from '../../_session/look-up.ts';
import { signerOf } from '../../_session/signer.ts';
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
  readonly filePassphrase: string | undefined;
  /** Only confirmed guardians are eligible. */
  readonly required: boolean;
  nameChosen(domain: string): void;
  copied(as: KeptAs, filePassphrase?: string): void;
  /** Receives the key encrypted with a passphrase. */
  sealed(file: string): Promise<void>;
  send(): Promise<void>;
}

/** The state and the actions of creating an identity. */
export function useCreate(): Creating {
  const t = useTranslations('create');
  const go = useGo();
  const write = useWrite();
  const lookUp = useLookup();
  const draftKey = useDraftKey(DRAFT_KEY);
  const { make } = draftKey;
  const key = draftKey.made?.key ?? null;
  const [draft, setDraft] = useState<KeptDraft | null>(null);
  const [file, setFile] = useState<string | null>(null);
  const [filePassphrase, setFilePassphrase] = useState<string>();
  const [lostDomain, setLostDomain] = useState<string | null>(null);
  const [createdId, setCreatedId] = useState<string | null>(null);
  const [required, setRequired] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const { sending, failure, submit, clear } = useSubmission();
  const keeping = useKeeping(() => {
    setIsDone(true);
    walk.replace('done');
  });

  const outcome = isDone ? 'done' : keeping.offer ? 'passkey' : createdId !== null ? 'keep' : null;
  const walk = useFlow(
    CREATE,
    { draft, isSealed: file !== null, outcome },
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
  const store = async (id: string, domain: string, key: OpenedKey, file: string): Promise<boolean> => {
    setRequired(await requireConfirmed(id, key));
    const kept = { id, kind: 'holder' as const, domain, publicKey: key.publicKey, file, backedUp: true };
    return keeping.store(kept, key, {
      async onStored() {
        forgetDraft();
        await draftKey.drop();
      },
    });
  };

  /** A failure is not reported: the pages of the holder offer the same operation. */
  const requireConfirmed = async (beoId: string, key: OpenedKey): Promise<boolean> => {
    const written = await write('requireConfirmedGuardians', { beoId }, { as: await signerFor(key), quiet: true });
    return written.ok || written.failure?.code === 'ALREADY_CONFIRMED';
  };

  const create = async (domain: string, key: OpenedKey, file: string) => {
    const { publicKey } = key;
    const written = await write('createBEO', { domain, publicKey, recovery: null }, { as: await signerFor(key) });
    const find = () => idOf(lookUp, domain, publicKey);
    const created = await outcomeOf(written, ({ beo_id }) => beo_id, find);
    if (created.ok && !(await store(created.outcome, domain, key, file))) setCreatedId(created.outcome);
    return created;
  };

  return {
    walk,
    draft,
    draftKey,
    keeping,
    sending,
    failure,
    lostDomain,
    filePassphrase,
    required,
    nameChosen(domain) {
      if (!draft) return;
      if (domain !== draft.domain) setFile(null);
      setLostDomain(null);
      record({ ...draft, domain });
      walk.go('public');
    },
    copied(as, passphrase) {
      if (!draft || !key || draft.domain === null) return;
      setFilePassphrase(passphrase);
      record({ ...draft, publicKey: key.publicKey, copy: { as, domain: draft.domain } });
      walk.go('here');
    },
    async sealed(sealed) {
      if (createdId !== null && key && draft && draft.domain !== null) {
        await store(createdId, draft.domain, key, sealed);
        return;
      }
      setFile(sealed);
      walk.go('send');
    },
    async send() {
      if (!key || file === null || !draft || draft.domain === null) return;
      const { domain } = draft;
      record({ ...draft, sent: true });
      const created = await submit(() => create(domain, key, file));
      if (created?.ok !== false || !DOMAIN_LOST.has(created.failure?.code ?? '')) return;
      clear();
      setFile(null);
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
