'use client';

import { useEffect, useReducer } from 'react';
import { draftFor, dropDraft } from '../../_keys/browser-copy.ts';
import type { KeptIdentity, SealedByPasskey } from '../../_keys/identities.ts';
import type { KeptAs } from '../../_keys/keep-key.tsx';
import { untilRead } from '../../_keys/read.ts';
import { type OpenedKey, openedKey } from '../../_keys/secret.ts';
import { useWiped } from '../../_keys/use-wiped.ts';
import { useLookup } from '../../_session/look-up.ts';
import { useSession } from '../../_session/session.tsx';
import { signerOf } from '../../_session/signer.ts';
import { ARRIVED } from '../../_session/unanswered.ts';
import { usePasskeys } from '../../_session/use-passkeys.ts';
import { useWrite } from '../../_session/write.tsx';
import { useGo } from '../../_ui/local-link.tsx';
import type { Steps } from '../../_ui/use-step.ts';
import { type Event, next, type Screen, type State, screenOf } from './create-flow.ts';
import { DRAFT_KEY, EMPTY_DRAFT, forgetDraft, type KeptDraft, readDraft, writeDraft } from './kept-draft.ts';

const DOMAIN_LOST = new Set(['DOMAIN_TAKEN', 'DOMAIN_INVALID', 'DOMAIN_RESERVED']);

export interface Creating {
  readonly state: State;
  readonly screen: Screen;
  nameChosen(domain: string): void;
  copied(as: KeptAs): void;
  copyAgain(): void;
  /** Receives the key encrypted with a passphrase. `id`: of an identity that is already created. */
  sealed(file: string, id: string | null): Promise<void>;
  send(): Promise<void>;
  passkeyDecided(passkey: SealedByPasskey | null): Promise<void>;
}

/** The state, the screen and the actions of creating an identity. */
export function useCreate(steps: Steps): Creating {
  const go = useGo();
  const { keep } = useSession();
  const write = useWrite();
  const lookUp = useLookup();
  const canPasskey = usePasskeys();
  const [state, dispatch] = useReducer(next, { at: 'loading' });
  const screen = screenOf(steps.requested, state);

  useWiped('key' in state ? state.key : null);

  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    resume(lookUp, signal).then((found) => signal.aborted || dispatch({ type: 'resumed', ...found }));
    return () => over.abort();
  }, [lookUp]);

  const lacksKey = 'shows' in screen && screen.shows === 'keyMissing' && !screen.failed;
  const draft = state.at === 'drafting' ? state.draft : null;
  useEffect(() => {
    if (!lacksKey || !draft) return;
    const over = new AbortController();
    const { signal } = over;
    makeKey(signal).then(
      ({ key, stored }) => {
        if (signal.aborted) return;
        dispatch({ type: 'keyMade', key, stored });
        writeDraft({ ...draft, publicKey: key.publicKey });
      },
      () => signal.aborted || dispatch({ type: 'keyFailed' }),
    );
    return () => over.abort();
  }, [lacksKey, draft]);

  const isPast = screen.at === 'past';
  useEffect(() => {
    if (isPast) go('/me');
  });

  /** Dispatches an event and writes the draft that follows from it to this browser. */
  const record = (event: Event) => {
    const after = next(state, event);
    if (after.at === 'drafting') writeDraft(after.draft);
    dispatch(event);
  };

  const store = async (id: string, domain: string, key: OpenedKey, file: string) => {
    const required = await requireConfirmed(id, key);
    const identity: KeptIdentity = {
      id,
      kind: 'holder',
      domain,
      publicKey: key.publicKey,
      file,
      passkey: null,
      backedUp: true,
      usedAt: new Date().toISOString(),
    };
    const isKept = await keep(identity, key).then(
      () => true,
      () => false,
    );
    if (!isKept) return dispatch({ type: 'cannotStore' });
    forgetDraft();
    await dropDraft(DRAFT_KEY);
    if (canPasskey) dispatch({ type: 'passkeyOffered', identity, required });
    else finish(required);
  };

  /** A failure is not reported: the pages of the holder offer the same operation. */
  const requireConfirmed = async (beoId: string, key: OpenedKey): Promise<boolean> => {
    const written = await write('requireConfirmedGuardians', { beoId }, { as: await signerFor(key), quiet: true });
    return written.ok || written.failure?.code === 'ALREADY_CONFIRMED';
  };

  const finish = (required: boolean) => {
    dispatch({ type: 'finished', required });
    steps.replace('done');
  };

  return {
    state,
    screen,
    nameChosen(domain) {
      record({ type: 'named', domain });
      steps.go('public');
    },
    copied(as) {
      record({ type: 'copied', as });
      steps.go('here');
    },
    copyAgain: () => dispatch({ type: 'copyWanted' }),
    async sealed(file, id) {
      if (state.at === 'created' && id !== null) return store(id, state.domain, state.key, file);
      dispatch({ type: 'sealed', file });
      steps.go('send');
    },
    async send() {
      if (state.at !== 'drafting' || state.sending) return;
      const { key, file, draft } = state;
      const { domain } = draft;
      if (!key || !file || domain === null) return;
      record({ type: 'sent' });
      const { publicKey } = key;
      const written = await write('createBEO', { domain, publicKey, recovery: null }, { as: await signerFor(key) });
      const id = written.ok && written.answer ? written.answer.beo_id : await idOf(lookUp, domain, publicKey);
      if (id) {
        dispatch({ type: 'created', id });
        await store(id, domain, key, file);
      } else if (!written.ok && DOMAIN_LOST.has(written.failure?.code ?? '')) {
        record({ type: 'domainLost' });
        steps.go('name');
      } else {
        dispatch({ type: 'refused', failure: written.ok ? ARRIVED : written.failure });
      }
    },
    async passkeyDecided(passkey) {
      if (state.at !== 'passkey') return;
      if (passkey) await keep({ ...state.identity, passkey });
      finish(state.required);
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

async function makeKey(signal: AbortSignal): Promise<{ key: OpenedKey; stored: boolean }> {
  const draft = await untilRead(() => draftFor(DRAFT_KEY), signal);
  return { key: await openedKey(draft.entropy), stored: draft.kept };
}

/** The draft of an earlier visit, with the key if it is still stored, and the id if the identity was created. */
async function resume(
  lookUp: LookUp,
  signal: AbortSignal,
): Promise<{ draft: KeptDraft; key: OpenedKey | null; id: string | null }> {
  const draft = readDraft();
  const { domain, publicKey, sent } = draft;
  if (publicKey === null) return { draft, key: null, id: null };
  const made = await makeKey(signal).catch(() => null);
  if (made?.key.publicKey !== publicKey) {
    return { draft: { ...EMPTY_DRAFT, domain }, key: made?.key ?? null, id: null };
  }
  const id = sent && domain !== null ? await idOf(lookUp, domain, publicKey) : null;
  return { draft, key: made.key, id };
}
