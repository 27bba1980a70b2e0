'use client';

import { useEffect, useReducer } from 'react';
import { useTranslations } from 'use-intl/react';
import type { ConfirmationState } from '../../../server/guardians/link-state.ts';
import { OpenKey } from '../../_keys/open-key.tsx';
import { fieldsOf, signAndPost } from '../../_session/post.ts';
import { Frame } from '../../_ui/question.tsx';
import { useScreenChange, useSteps } from '../../_ui/use-step.ts';
import { isOvertaken } from '../standing.ts';
import { judgeWords } from './judge-words.ts';
import { BEGINNING, progressed, type Screen, STEPS, screenFor } from './progress.ts';
import { Asked, Call, Done, LastQuestion, Stop } from './screens.tsx';
import { SixWords } from './six-words.tsx';

export type OpenRequest = Extract<ConfirmationState, { state: 'open' }>;

type ConfirmRecoveryProps = { token: string; request: OpenRequest };

const BEFORE: Partial<Record<Screen, Screen>> = {
  call: 'ask',
  words: 'call',
  key: 'words',
  confirm: 'words',
  stop: 'ask',
};

/** Takes a guardian from the request to the confirmation, one thing per screen; only the right words let anybody go on. */
export function ConfirmRecovery({ token, request }: ConfirmRecoveryProps) {
  const t = useTranslations();
  const steps = useSteps();
  const [progress, dispatch] = useReducer(progressed, BEGINNING);
  const { request_id: requestId, beo_id: beoId, new_public_key: newPublicKey } = request;
  const { key, words, outcome } = progress;
  const screen = screenFor(steps.asked, progress);
  const number = STEPS.indexOf(screen) + 1;
  const title = t('confirm.title');
  const moved = useScreenChange(
    screen,
    `${number ? t('guardian.titleOfStep', { title, step: number, steps: STEPS.length }) : title} – Perpetua`,
  );

  // Whoever has decided is not told any more: behind the confirmation the link is used.
  const deciding = screen === 'confirm' && !progress.sending;
  useEffect(() => {
    if (!deciding) return;
    const asking = new AbortController();
    confirmationsOf(token, asking.signal).then((confirmations) => {
      if (!asking.signal.aborted && confirmations !== null) dispatch({ type: 'stands', confirmations });
    });
    return () => asking.abort();
  }, [deciding, token]);

  const check = async () => {
    const list = await import('../../_keys/crypto.ts').catch(() => null);
    const verdict = list ? judgeWords(list, words, request) : { kind: 'unchecked' as const, wrong: [] };
    if (verdict) return dispatch({ type: 'doubted', verdict });
    dispatch({ type: 'matched' });
    steps.go('key');
  };

  const confirm = async () => {
    if (!key || progress.sending) return;
    dispatch({ type: 'sending' });
    const path = `/api/guardian/confirm-recovery/${token}`;
    const answer = await signAndPost(path, key.seed, 'confirmRecovery', { requestId, beoId, newPublicKey });
    if (answer.ok) {
      const { confirmations, executed } = answer.body;
      const outcome = { confirmations: Number(confirmations), executed: executed === true };
      dispatch({ type: 'confirmed', outcome });
    } else if (isOvertaken(answer.code)) {
      window.location.reload();
    } else {
      dispatch({ type: 'refused', code: answer.code });
    }
  };

  const shown = { steps, request, focus: moved };
  return (
    <Frame steps={steps} back={BEFORE[screen]} number={number || undefined} count={STEPS.length}>
      {screen === 'ask' && <Asked key="ask" {...shown} />}
      {screen === 'call' && <Call key="call" {...shown} />}
      {screen === 'stop' && <Stop key="stop" {...shown} />}
      {screen === 'words' && (
        <SixWords
          key="words"
          {...shown}
          progress={progress}
          onType={(typed) => dispatch({ type: 'typed', words: typed })}
          onCheck={check}
        />
      )}
      {screen === 'key' && (
        <OpenKey
          beoId={beoId}
          beoDomain={request.beo_domain}
          purpose="guardian"
          expectedKey={request.guardian_key}
          codes
          onOpened={(opened) => {
            dispatch({ type: 'key', key: opened });
            steps.go('confirm');
          }}
          heading="h1"
        />
      )}
      {screen === 'confirm' && <LastQuestion key="confirm" {...shown} progress={progress} onConfirm={confirm} />}
      {screen === 'done' && outcome && <Done key="done" {...shown} outcome={outcome} />}
    </Frame>
  );
}

/** How many have confirmed by now: another guardian may have since the page was opened. Null where that cannot be learnt. */
async function confirmationsOf(token: string, signal: AbortSignal): Promise<number | null> {
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
