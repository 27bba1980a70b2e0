'use client';

import { useEffect, useReducer } from 'react';
import { useTranslations } from 'use-intl/react';
import type { ConfirmationState } from '../../../server/features/guardians/link-state.ts';
import { fieldsOf, signAndPost } from '../../_session/post.ts';
import { deferred } from '../../_ui/deferred.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { useSteps } from '../../_ui/use-step.ts';
import { BackLink, useProgress, Wizard } from '../../_ui/wizard.tsx';
import { endsLink } from '../link-ended.ts';
import { LinkFor } from '../link-for.tsx';
import { checkWords } from './check-words.ts';
import { FIRST, next, type Screen, STEPS, screenOf } from './confirm-flow.ts';
import { Call, Done, LastQuestion, Requested, Stop } from './confirm-screens.tsx';
import { WordsScreen } from './words-screen.tsx';

/** Loaded after the first screen. */
const loadOpenKey = async () => (await import('../../_keys/open-key.tsx')).OpenKey;
const OpenKey = deferred(loadOpenKey, <ScreenSkeleton />);

export type OpenRequest = Extract<ConfirmationState, { state: 'open' }>;

type ConfirmRecoveryProps = { token: string; request: OpenRequest };

const BEFORE: Partial<Record<Screen['at'], Screen['at']>> = {
  call: 'ask',
  words: 'call',
  key: 'words',
  confirm: 'words',
  stop: 'ask',
};

/** Confirms a recovery, one question per screen; the key is asked for only after the right words. */
export function ConfirmRecovery({ token, request }: ConfirmRecoveryProps) {
  const t = useTranslations('confirm');
  const steps = useSteps();
  const [state, dispatch] = useReducer(next, FIRST);
  const { request_id: requestId, beo_id: beoId, new_public_key: newPublicKey } = request;
  const screen = screenOf(steps.requested, state);
  const { focus, progress } = useProgress(t('title'), screen.at, STEPS, (step) =>
    t(`steps.${STEPS[step] ?? STEPS[0]}`),
  );

  useLoadAhead(loadOpenKey);

  // Not while it is sent: a used link returns no count.
  const isDeciding = screen.at === 'confirm' && !screen.sending;
  useEffect(() => {
    if (!isDeciding) return;
    const reading = new AbortController();
    readConfirmations(token, reading.signal).then((confirmations) => {
      if (!reading.signal.aborted && confirmations !== null) dispatch({ type: 'counted', confirmations });
    });
    return () => reading.abort();
  }, [isDeciding, token]);

  const check = async (words: readonly string[]) => {
    const list = await import('../../_keys/crypto.ts').catch(() => null);
    const problem = list ? checkWords(list, words, request) : { kind: 'unchecked' as const, wrong: [] };
    if (problem) return dispatch({ type: 'wordsWrong', problem });
    dispatch({ type: 'wordsRight' });
    steps.go('key');
  };

  const confirm = async () => {
    if (state.at !== 'ready') return;
    dispatch({ type: 'sent' });
    const path = `/api/guardian/confirm-recovery/${token}`;
    const answer = await signAndPost(path, state.key.seed, 'confirmRecovery', { requestId, beoId, newPublicKey });
    if (answer.ok) {
      const { confirmations, executed } = answer.body;
      const outcome = { confirmations: Number(confirmations), executed: executed === true };
      dispatch({ type: 'confirmed', outcome });
    } else if (endsLink(answer.code)) {
      window.location.reload();
    } else {
      dispatch({ type: 'refused', code: answer.code });
    }
  };

  const shown = { steps, request, focus };
  const back = BEFORE[screen.at];
  return (
    <Wizard progress={progress} back={back && <BackLink steps={steps} to={back} />}>
      {screen.at === 'ask' && <Requested {...shown} />}
      {screen.at === 'call' && <Call {...shown} />}
      {screen.at === 'stop' && <Stop {...shown} />}
      {screen.at === 'words' && (
        <WordsScreen
          {...shown}
          screen={screen}
          onType={(words) => dispatch({ type: 'typed', words })}
          onCheck={() => check(screen.words)}
        />
      )}
      {screen.at === 'key' && (
        <OpenKey
          beoId={beoId}
          beoDomain={request.beo_domain}
          purpose="guardian"
          expectedKey={request.guardian_key}
          codes
          notice={
            <LinkFor beoId={beoId} domain={request.beo_domain} role={request.role} expectedKey={request.guardian_key} />
          }
          onOpened={(key) => {
            dispatch({ type: 'keyOpened', key });
            steps.go('confirm');
          }}
          heading="h1"
        />
      )}
      {screen.at === 'confirm' && <LastQuestion {...shown} screen={screen} onConfirm={confirm} />}
      {screen.at === 'done' && <Done {...shown} outcome={screen.outcome} />}
    </Wizard>
  );
}

/** The confirmations so far: another guardian may have confirmed since the page was opened. Null where they cannot be read. */
async function readConfirmations(token: string, signal: AbortSignal): Promise<number | null> {
  try {
    const response = await fetch(`/api/guardian/confirm-recovery/${token}`, {
      headers: { accept: 'application/json' },
      signal,
    });
    const { confirmations } = fieldsOf(await response.json());
    return typeof confirmations === 'number' ? confirmations : null;
  } catch {
    return null;
  }
}
