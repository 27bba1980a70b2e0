'use client';

import { type ReactNode, useCallback, useEffect, useReducer, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { draftFor, dropDraft, markDraftSaved } from '../_keys/browser-copy.ts';
import { OpenKey } from '../_keys/open-key.tsx';
import { type OpenedKey, openedKey } from '../_keys/secret.ts';
import { signAndPost } from '../_session/post.ts';
import { Alert } from '../_ui/alert.tsx';
import { Frame, NeedsScripts } from '../_ui/question.tsx';
import { Skeleton } from '../_ui/skeleton.tsx';
import { useScreenChange, useSteps } from '../_ui/use-step.ts';
import { forgetKept, type KeptRecovery, writeKept } from './kept-recovery.ts';
import { beginning, progressedFor, type Screen, STEPS, screenFor } from './progress.ts';
import { Recovered } from './recovered.tsx';
import { draftName, remember, settle, takeUp } from './remember.ts';
import { requestIn } from './request-answer.ts';
import { Review } from './review.tsx';
import { AskGuardians, Found, Mismatch, What } from './screens.tsx';
import type { Identity } from './situation.ts';
import type { Sight } from './standing.ts';
import { Forgetful, TheKey } from './the-key.tsx';
import { useWatch } from './use-watch.ts';
import { PassOn, Watch, Words } from './waiting.tsx';

type RecoveryProps = {
  identity: Identity;
  guardians: number;
  /** Whether the service writes to guardians. */
  mails: boolean;
  /** The server's time when it rendered the page, ISO 8601. */
  renderedAt: string;
  /** Where another domain is entered. */
  startHref: string;
  /** Shown instead of what leads to a request, where there are not two guardians who count. */
  helpless: ReactNode;
};

const BEFORE: Partial<Record<Screen, Screen>> = {
  what: 'found',
  open: 'found',
  mine: 'found',
  key: 'what',
  ask: 'key',
  words: 'links',
  consents: 'done',
};

const LEADS_TO_REQUEST: readonly Screen[] = ['found', 'what', 'key', 'ask'];

const NEEDS_MEMORY: readonly Screen[] = ['key', 'ask', 'links', 'words'];

/** Takes a person from a lost key to a new one, one thing per screen; what they have made survives a reload. */
export function Recovery({ identity, guardians, mails, renderedAt, startHref, helpless }: RecoveryProps) {
  const t = useTranslations();
  const steps = useSteps();
  const [progressed] = useState(() => progressedFor(identity));
  const [progress, dispatch] = useReducer(progressed, identity, beginning);
  const { beo_id: beoId, domain, public_key: formerKey } = identity;
  const { ready, kept, key, keyless, standing, currentKey } = progress;
  const screen = screenFor(steps.asked, progress);
  const number = STEPS.indexOf(screen as (typeof STEPS)[number]) + 1;
  const title = t('recover.title');
  const moved = useScreenChange(
    screen,
    `${number ? t('guardian.titleOfStep', { title, step: number, steps: STEPS.length }) : title} – Perpetua`,
  );

  useEffect(() => {
    let gone = false;
    remember(identity).then((found) => gone || dispatch({ type: 'remembered', ...found, at: Date.parse(renderedAt) }));
    return () => {
      gone = true;
    };
  }, [identity, renderedAt]);

  const needsKey = ready && screen === 'key' && !key && !kept && !keyless;
  useEffect(() => {
    if (!needsKey) return;
    let gone = false;
    makeKey(identity).then(
      (made) => gone || dispatch({ type: 'made', ...made }),
      () => gone || dispatch({ type: 'keyless' }),
    );
    return () => {
      gone = true;
    };
  }, [needsKey, identity]);

  const onSeen = useCallback((sight: Sight) => dispatch({ type: 'seen', sight }), []);
  const onUnreachable = useCallback(() => dispatch({ type: 'unreachable' }), []);
  const waits = kept?.request != null && (standing?.kind === 'open' || standing === null);
  useWatch(waits ? kept : null, { onSeen, onUnreachable });

  const recovered = standing?.kind === 'recovered';
  useEffect(() => {
    if (recovered && kept) void settle(kept, key);
  }, [recovered, kept, key]);

  useLeavingWarning(progress.forgetful && !recovered);

  const askGuardians = async () => {
    if (!key || progress.sending) return;
    dispatch({ type: 'sending' });
    const { publicKey, seed } = key;
    const path = '/api/relayer/beo/request-recovery';
    const sent = signAndPost(path, seed, 'requestRecovery', { beoId, newPublicKey: publicKey });
    const [answer, list] = await Promise.all([sent.catch(() => null), import('../_keys/crypto.ts').catch(() => null)]);
    if (!answer || !list) return dispatch({ type: 'refused', code: 'UNREACHABLE' });
    if (!answer.ok && answer.code === 'KEY_UNCHANGED') {
      const seen = { public_key: publicKey, status: identity.status, active_recovery: null };
      return dispatch({ type: 'seen', sight: { identity: seen, links: null, at: Date.now() } });
    }
    if (!answer.ok) return dispatch({ type: 'refused', code: answer.code });
    if (answer.body.fingerprint !== list.recoveryWords(beoId, publicKey).join(' '))
      return dispatch({ type: 'mismatch' });
    const request = requestIn(answer);
    if (!request) return dispatch({ type: 'refused', code: 'INTERNAL' });
    writeKept({ beoId, domain, publicKey, formerKey: currentKey, request, recovered: false });
    dispatch({ type: 'requested', request });
    steps.go('links');
  };

  const anotherKey = async () => {
    forgetKept(beoId);
    await dropDraft(draftName(beoId));
    window.location.assign(steps.hrefOf('key'));
  };

  const takeUpMine = async (opened: OpenedKey) => {
    const { active_recovery: active } = identity;
    if (!active) return;
    const request = { requestId: active.request_id, expiresAt: active.expires_at, links: [] };
    const mine: KeptRecovery = { beoId, domain, publicKey: opened.publicKey, formerKey, request, recovered: false };
    await takeUp(mine, opened);
    dispatch({ type: 'opened', key: opened, kept: mine });
    steps.go('watch');
  };

  const shown = { steps, identity, focus: moved, progress };
  const opening = { beoId, beoDomain: domain, purpose: 'holder' as const, heading: 'h1' as const };
  const over = screen === 'done' || screen === 'consents';
  if (helpless && LEADS_TO_REQUEST.includes(screen)) return helpless;
  return (
    <Frame steps={steps} back={BEFORE[screen]} number={number || undefined} count={STEPS.length}>
      <p role="status" className="sr-only">
        {standing?.kind === 'open' && standing.confirmations > 0
          ? t('recover.watch.tally', { given: standing.confirmations, needed: 2 })
          : ''}
      </p>
      {screen === 'loading' && (
        <>
          <h1 className="sr-only">{title}</h1>
          <Skeleton className="mt-4 h-64 w-full unscripted:hidden" />
          <NeedsScripts />
        </>
      )}
      {progress.forgetful && NEEDS_MEMORY.includes(screen) && <Forgetful />}
      {screen === 'found' && <Found key="found" {...shown} guardians={guardians} startHref={startHref} />}
      {screen === 'what' && <What key="what" {...shown} />}
      {screen === 'key' && (
        <TheKey
          {...shown}
          onSaved={() => {
            void markDraftSaved(draftName(beoId));
            dispatch({ type: 'saved' });
            steps.go('ask');
          }}
          onOpened={(opened) => {
            if (!kept) return;
            void takeUp(kept, opened);
            dispatch({ type: 'opened', key: opened, kept });
          }}
          onAnotherKey={anotherKey}
        />
      )}
      {screen === 'ask' && (
        <AskGuardians key="ask" {...shown} mails={mails} onAsk={askGuardians} onAnotherKey={anotherKey} />
      )}
      {screen === 'links' && <PassOn key="links" {...shown} mails={mails} />}
      {screen === 'words' && <Words key="words" {...shown} />}
      {screen === 'watch' && <Watch {...shown} />}
      {screen === 'mismatch' && <Mismatch key="mismatch" focus />}
      {(screen === 'open' || screen === 'mine') && <NeedsScripts />}
      {screen === 'open' && (
        <OpenKey
          {...opening}
          expectedKey={currentKey}
          onOpened={(opened) => {
            dispatch({ type: 'held', key: opened });
            steps.go('done');
          }}
        />
      )}
      {screen === 'mine' && identity.active_recovery && (
        <OpenKey {...opening} expectedKey={identity.active_recovery.new_public_key} onOpened={takeUpMine} />
      )}
      {over && !key && (
        <>
          <Alert title={t('recover.done.title', { domain })} className="mb-5">
            <p>{t('recover.done.lead')}</p>
          </Alert>
          <OpenKey
            {...opening}
            expectedKey={currentKey}
            onOpened={(opened) => kept && dispatch({ type: 'opened', key: opened, kept })}
          />
        </>
      )}
      {screen === 'done' && key && <Recovered key="done" {...shown} signer={key} />}
      {screen === 'consents' && key && <Review key="consents" {...shown} signer={key} />}
    </Frame>
  );
}

/** The key begun in this browser before, or a new one; and a note of it, so that a reload goes on. */
async function makeKey({ beo_id: beoId, domain, public_key: formerKey }: Identity) {
  const draft = await draftFor(draftName(beoId));
  const key = await openedKey(draft.entropy);
  const kept: KeptRecovery = {
    beoId,
    domain,
    publicKey: key.publicKey,
    formerKey,
    request: null,
    recovered: false,
  };
  if (draft.kept) writeKept(kept);
  return { kept, key, saved: draft.saved, forgetful: !draft.kept };
}

/** Asks before the page is left where nothing of it would be there again. */
function useLeavingWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [active]);
}
