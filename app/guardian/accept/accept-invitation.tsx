'use client';

import { useEffect, useReducer } from 'react';
import { useTranslations } from 'use-intl/react';
import type { InvitationState } from '../../../server/features/guardians/link-state.ts';
import { draftFor, dropDraft, keepCopy, markDraftSaved } from '../../_keys/browser-copy.ts';
import { untilRead } from '../../_keys/read.ts';
import { openedKey } from '../../_keys/secret.ts';
import { fieldsOf, signAndPost } from '../../_session/post.ts';
import { deferred } from '../../_ui/deferred.tsx';
import { Scripted } from '../../_ui/question.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { useSteps } from '../../_ui/use-step.ts';
import { BackLink, useProgress, Wizard } from '../../_ui/wizard.tsx';
import { endsLink } from '../link-ended.ts';
import { FIRST, next, type Screen, STEPS, screenOf } from './accept-flow.ts';
import { AskFirst, Day, Declined, LastQuestion, What, Who } from './accept-screens.tsx';
import { Accepted } from './accepted.tsx';

/** Loaded after the first screen. */
const loadKeyScreen = async () => (await import('./accept-key-screen.tsx')).KeyScreen;
const KeyScreen = deferred(loadKeyScreen, <ScreenSkeleton />);

export type OpenInvitation = Extract<InvitationState, { state: 'open' }>;

type AcceptInvitationProps = { token: string; invitation: OpenInvitation };

const BEFORE: Partial<Record<Screen['at'], Screen['at']>> = {
  ask: 'who',
  no: 'who',
  what: 'who',
  day: 'what',
  key: 'day',
  accept: 'key',
};

/** Accepts an invitation, one question per screen; the key survives a reload. */
export function AcceptInvitation({ token, invitation }: AcceptInvitationProps) {
  const t = useTranslations('accept');
  const steps = useSteps();
  const [state, dispatch] = useReducer(next, FIRST);
  const { invitation_id: invitationId, beo_id: beoId, beo_domain: beoDomain, bound_key: boundKey, role } = invitation;
  const screen = screenOf(steps.requested, state);
  const { focus, progress } = useProgress(t('title'), screen.at, STEPS, (step) =>
    t(`steps.${STEPS[step] ?? STEPS[0]}`),
  );

  useLoadAhead(loadKeyScreen);

  const needsKey = boundKey === null && screen.at === 'key' && !screen.key && !screen.failed;
  useEffect(() => {
    if (!needsKey) return;
    const over = new AbortController();
    untilRead(() => draftFor(invitationId), over.signal)
      .then(async ({ entropy, saved }) => ({ key: await openedKey(entropy), hasCopy: saved }))
      .then(
        (made) => over.signal.aborted || dispatch({ type: 'keyMade', ...made }),
        () => over.signal.aborted || dispatch({ type: 'keyFailed' }),
      );
    return () => over.abort();
  }, [needsKey, invitationId]);

  const accept = async () => {
    if (state.at !== 'ready') return;
    dispatch({ type: 'sent' });
    const { key, pasted } = state;
    const { publicKey } = key;
    if (!pasted) await keepCopy({ purpose: 'guardian', beoId, publicKey }, key.secret, beoDomain);
    const path = `/api/guardian/accept/${token}`;
    const answer = await signAndPost(path, key.seed, 'acceptGuardian', { invitationId, beoId, publicKey });
    if (answer.ok || (answer.code === 'LINK_USED' && (await isGuardian(beoId, publicKey)))) {
      await dropDraft(invitationId);
      dispatch({ type: 'accepted' });
    } else if (endsLink(answer.code)) {
      window.location.reload();
    } else {
      dispatch({ type: 'refused', code: answer.code });
    }
  };

  const onCopied = () => {
    void markDraftSaved(invitationId);
    dispatch({ type: 'copied' });
    steps.go('accept');
  };

  const shown = { steps, invitation, focus };
  const back = BEFORE[screen.at];
  return (
    <Wizard progress={progress} back={back && <BackLink steps={steps} to={back} />}>
      {screen.at === 'who' && <Who {...shown} />}
      {screen.at === 'ask' && <AskFirst {...shown} />}
      {screen.at === 'no' && <Declined {...shown} />}
      {screen.at === 'what' && <What {...shown} />}
      {screen.at === 'day' && <Day {...shown} />}
      {screen.at === 'key' && (
        <Scripted alone>
          <KeyScreen
            {...shown}
            screen={screen}
            onCopied={onCopied}
            onNewKey={() => dispatch({ type: 'keyDropped' })}
            onOpened={(key, from) => {
              dispatch({ type: 'keyOpened', key, pasted: from === 'code' });
              steps.go('accept');
            }}
          />
        </Scripted>
      )}
      {screen.at === 'accept' && <LastQuestion {...shown} screen={screen} onAccept={accept} />}
      {screen.at === 'done' && <Accepted {...{ beoId, beoDomain, role }} publicKey={screen.key.publicKey} focus />}
    </Wizard>
  );
}

/** Whether the identity has a guardian with this key: the response to an acceptance may have been lost. */
async function isGuardian(beoId: string, publicKey: string): Promise<boolean> {
  try {
    const response = await fetch(`/api/beos/${beoId}`, { headers: { accept: 'application/json' } });
    const { guardians } = fieldsOf(fieldsOf(fieldsOf(await response.json()).beo).recovery);
    return Array.isArray(guardians) && guardians.some((guardian) => isActive(fieldsOf(guardian), publicKey));
  } catch {
    return false;
  }
}

const isActive = ({ public_key, status }: ReturnType<typeof fieldsOf>, publicKey: string): boolean =>
  public_key === publicKey && status === 'ACTIVE';
