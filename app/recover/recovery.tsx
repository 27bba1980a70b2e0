'use client';

import { type ReactNode, useCallback, useEffect, useReducer } from 'react';
import { useTranslations } from 'use-intl/react';
import { draftFor, dropDraft, markDraftSaved, recoveryDraft } from '../_keys/browser-copy.ts';
import { untilRead } from '../_keys/read.ts';
import { type OpenedKey, openedKey } from '../_keys/secret.ts';
import { Alert } from '../_ui/alert.tsx';
import { deferred } from '../_ui/deferred.tsx';
import { NeedsScripts, Scripted } from '../_ui/question.tsx';
import { ScreenSkeleton } from '../_ui/skeletons.tsx';
import { useLoadAhead } from '../_ui/use-load-ahead.ts';
import { NotStored } from '../_wizard/not-stored.tsx';
import { useFlow } from '../_wizard/use-flow.ts';
import { Wizard } from '../_wizard/wizard.tsx';
import { forgetKept, type KeptRecovery, writeKept } from './kept-recovery.ts';
import { firstState, next, RECOVER } from './recover-flow.ts';
import { AskGuardians, Found, Mismatch, What } from './recover-screens.tsx';
import { requestRecovery } from './request-recovery.ts';
import type { StatusRead } from './request-status.ts';
import { resumeRecovery, storeOpened, storeRecovered } from './resume.ts';
import type { Identity } from './situation.ts';
import { usePolling } from './use-polling.ts';

/** The screens after the first two, loaded once the person begins to use the page. */
const loadKeyStep = () => import('../_wizard/key-step.tsx');
const loadOpenKey = () => import('../_keys/open-key.tsx');
const loadWaiting = () => import('./waiting-screens.tsx');
const loadLater = () => Promise.all([loadKeyStep(), loadOpenKey(), loadWaiting()]);
const KeyStep = deferred(async () => (await loadKeyStep()).KeyStep, <ScreenSkeleton />);
const OpenKey = deferred(async () => (await loadOpenKey()).OpenKey, <ScreenSkeleton />);
const PassOn = deferred(async () => (await loadWaiting()).PassOn, <ScreenSkeleton />);
const Words = deferred(async () => (await loadWaiting()).Words, <ScreenSkeleton />);
const Watch = deferred(async () => (await loadWaiting()).Watch, <ScreenSkeleton />);
const LostKey = deferred(async () => (await import('./lost-key.tsx')).LostKey, <ScreenSkeleton />);
const Recovered = deferred(async () => (await import('./recovered.tsx')).Recovered, <ScreenSkeleton />);
const Review = deferred(async () => (await import('./recovery-review.tsx')).Review, <ScreenSkeleton />);

type RecoveryProps = {
  identity: Identity;
  guardians: number;
  /** Whether the service sends mail to guardians. */
  mails: boolean;
  /** The server's time when it rendered the page, ISO 8601. */
  renderedAt: string;
  /** The page on which another domain is entered. */
  startHref: string;
  /** Shown instead of the request, where fewer than two guardians are eligible. */
  tooFewGuardians: ReactNode;
};

const LEADS_TO_REQUEST: readonly string[] = ['found', 'what', 'key', 'ask'];

const NEEDS_STORAGE: readonly string[] = ['ask', 'links', 'words'];

/** Recovers an identity with a new key, one question per screen; the new key and the request survive a reload. */
export function Recovery({ identity, guardians, mails, renderedAt, startHref, tooFewGuardians }: RecoveryProps) {
  const t = useTranslations('recover');
  const [state, dispatch] = useReducer(next, identity, firstState);
  const { beo_id: beoId, domain, public_key: formerKey, active_recovery: activeRequest } = identity;
  const walk = useFlow(RECOVER, state, { title: t('title'), nameOf: (step) => t(`steps.${step}`) });
  const { screen } = walk;

  useLoadAhead(loadLater);

  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    const at = Date.parse(renderedAt);
    resumeRecovery(identity, signal).then(
      (found) => signal.aborted || dispatch({ type: 'resumed', ...found, identity, at }),
    );
    return () => over.abort();
  }, [identity, renderedAt]);

  const make = useCallback(
    async (signal: AbortSignal) => {
      const made = await makeKey(identity, signal).catch(() => null);
      if (signal.aborted) return;
      dispatch(made ? { type: 'keyMade', ...made } : { type: 'keyFailed' });
    },
    [identity],
  );

  const onRead = useCallback((read: StatusRead) => dispatch({ type: 'read', read }), []);
  const onUnreachable = useCallback(() => dispatch({ type: 'unreachable' }), []);
  const waiting = state.at === 'waiting' ? state : null;
  const isOpen = waiting !== null && (waiting.status === null || waiting.status.kind === 'open');
  usePolling(isOpen ? waiting.kept : null, { onRead, onUnreachable });

  const recovered = state.at === 'recovered' ? state : null;
  const recoveredKept = recovered?.kept;
  const recoveredKey = recovered?.key ?? null;
  useEffect(() => {
    if (recoveredKept) void storeRecovered(recoveredKept, recoveredKey);
  }, [recoveredKept, recoveredKey]);

  const notStored = 'stored' in state && !state.stored;
  useLeavingWarning(notStored);

  const askGuardians = async () => {
    if ((state.at !== 'drafting' && state.at !== 'waiting') || !state.key || state.asking.at !== 'idle') return;
    dispatch({ type: 'sent' });
    const { publicKey } = state.key;
    const requested = await requestRecovery(beoId, state.key);
    if (requested === 'mismatch') return dispatch({ type: 'mismatch' });
    if ('refused' in requested) {
      if (requested.refused !== 'KEY_UNCHANGED') return dispatch({ type: 'refused', code: requested.refused });
      const unchanged = { public_key: publicKey, status: identity.status, active_recovery: null };
      return dispatch({ type: 'read', read: { identity: unchanged, links: null, at: Date.now() } });
    }
    const { request } = requested;
    await writeKept({ beoId, domain, publicKey, formerKey: state.currentKey, request, recovered: false });
    dispatch({ type: 'requested', request });
    walk.go('links');
  };

  const makeAnotherKey = async () => {
    await forgetKept(beoId);
    await dropDraft(recoveryDraft(beoId));
    window.location.assign(walk.hrefOf('key'));
  };

  const openMine = async (key: OpenedKey) => {
    if (!activeRequest) return;
    const request = { requestId: activeRequest.request_id, expiresAt: activeRequest.expires_at, links: [] };
    const kept: KeptRecovery = { beoId, domain, publicKey: key.publicKey, formerKey, request, recovered: false };
    await storeOpened(kept, key);
    dispatch({ type: 'keyOpened', key, kept });
    walk.go('watch');
  };

  const opening = { beoId, beoDomain: domain, purpose: 'holder' as const, heading: 'h1' as const };
  if (tooFewGuardians && LEADS_TO_REQUEST.includes(screen)) return tooFewGuardians;
  const begun = state.at === 'drafting' || state.at === 'waiting' ? state : null;
  const ended = state.at === 'recovered' || state.at === 'keyFound' ? state : null;
  return (
    <>
      <p role="status" className="sr-only">
        {waiting?.status?.kind === 'open' && waiting.status.confirmations > 0
          ? t('watch.tally', { given: waiting.status.confirmations, needed: 2 })
          : ''}
      </p>
      <Wizard walk={walk} busy={begun?.asking.at === 'sending'}>
        {screen === 'loading' && (
          <>
            <h1 className="sr-only">{t('title')}</h1>
            <div className="unscripted:hidden">
              <ScreenSkeleton />
            </div>
            <NeedsScripts />
          </>
        )}
        {notStored && NEEDS_STORAGE.includes(screen) && <NotStored />}
        {screen === 'found' && <Found identity={identity} guardians={guardians} startHref={startHref} />}
        {screen === 'what' && <What identity={identity} />}
        {screen === 'key' &&
          (waiting && !waiting.key ? (
            <LostKey
              kept={waiting.kept}
              onOpened={(key, kept) => {
                void storeOpened(kept, key);
                dispatch({ type: 'keyOpened', key, kept });
              }}
              onAnotherKey={makeAnotherKey}
            />
          ) : (
            <Scripted alone>
              <KeyStep
                draft={{
                  made: begun?.key ? { ...begun, key: begun.key } : null,
                  failed: state.at === 'noKey' && state.failed,
                  make,
                }}
                hasCopy={begun?.hasCopy === true}
                purpose="holder"
                beoDomain={domain}
                onCopied={() => {
                  void markDraftSaved(recoveryDraft(beoId));
                  dispatch({ type: 'copied' });
                  walk.go('ask');
                }}
                onNext={walk.next}
              />
            </Scripted>
          ))}
        {screen === 'ask' && begun && (
          <AskGuardians
            again={waiting !== null}
            asking={begun.asking}
            mails={mails}
            onAsk={askGuardians}
            onAnotherKey={makeAnotherKey}
          />
        )}
        {screen === 'links' && waiting && <PassOn identity={identity} waiting={waiting} mails={mails} />}
        {screen === 'words' && waiting && <Words identity={identity} waiting={waiting} />}
        {screen === 'watch' && waiting && <Watch identity={identity} waiting={waiting} />}
        {screen === 'mismatch' && <Mismatch />}
        {(screen === 'open' || screen === 'mine') && <NeedsScripts />}
        {screen === 'open' && (
          <OpenKey
            {...opening}
            expectedKey={state.currentKey}
            onOpened={(key) => {
              dispatch({ type: 'keyFound', key });
              walk.go('done');
            }}
          />
        )}
        {screen === 'mine' && activeRequest && (
          <OpenKey {...opening} expectedKey={activeRequest.new_public_key} onOpened={openMine} />
        )}
        {recovered && !recovered.key && (
          <>
            <Alert title={t('done.title', { domain })} className="mb-5">
              <p>{t('done.lead')}</p>
            </Alert>
            <OpenKey
              {...opening}
              expectedKey={state.currentKey}
              onOpened={(key) => dispatch({ type: 'keyOpened', key, kept: recovered.kept })}
            />
          </>
        )}
        {screen === 'done' && ended?.key && (
          <Recovered identity={identity} found={ended.at === 'keyFound'} locked={ended.locked} signer={ended.key} />
        )}
        {screen === 'consents' && ended?.key && <Review identity={identity} signer={ended.key} />}
      </Wizard>
    </>
  );
}

/** The key drafted in this browser before, or a new one; stored, so that a reload continues. */
async function makeKey({ beo_id: beoId, domain, public_key: formerKey }: Identity, signal: AbortSignal) {
  const draft = await untilRead(() => draftFor(recoveryDraft(beoId)), signal);
  const key = await openedKey(draft.entropy);
  const kept: KeptRecovery = {
    beoId,
    domain,
    publicKey: key.publicKey,
    formerKey,
    request: null,
    recovered: false,
  };
  if (draft.kept) await writeKept(kept);
  return { kept, key, hasCopy: draft.saved, stored: draft.kept };
}

/** Warns before the page is left where a reload cannot continue. */
function useLeavingWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [active]);
}
