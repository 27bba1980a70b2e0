'use client';

import { useEffect, useReducer } from 'react';
import { useTranslations } from 'use-intl/react';
import type { InvitationState } from '../../../server/guardians/link-state.ts';
import { draftFor, dropDraft, keepCopy, markDraftSaved } from '../../_keys/browser-copy.ts';
import { openedKey } from '../../_keys/secret.ts';
import { fieldsOf, signAndPost } from '../../_session/post.ts';
import { Frame } from '../../_ui/question.tsx';
import { useScreenChange, useSteps } from '../../_ui/use-step.ts';
import { isOvertaken } from '../standing.ts';
import { Accepted } from './accepted.tsx';
import { BEGINNING, progressed, type Screen, STEPS, screenFor } from './progress.ts';
import { AskFirst, Day, Declined, LastQuestion, What, Who } from './screens.tsx';
import { TheKey } from './the-key.tsx';

export type OpenInvitation = Extract<InvitationState, { state: 'open' }>;

type AcceptInvitationProps = { token: string; invitation: OpenInvitation };

const BEFORE: Partial<Record<Screen, Screen>> = {
  ask: 'who',
  no: 'who',
  what: 'who',
  day: 'what',
  key: 'day',
  accept: 'key',
};

/** Takes a person from the invitation to being a guardian, one thing per screen; what they have made survives a reload. */
export function AcceptInvitation({ token, invitation }: AcceptInvitationProps) {
  const t = useTranslations();
  const steps = useSteps();
  const [progress, dispatch] = useReducer(progressed, BEGINNING);
  const { invitation_id: invitationId, beo_id: beoId, beo_domain: beoDomain, bound_key: boundKey } = invitation;
  const { key, keyless } = progress;
  const screen = screenFor(steps.asked, progress);
  const number = STEPS.indexOf(screen) + 1;
  const title = t('accept.title');
  const moved = useScreenChange(
    screen,
    `${number ? t('guardian.titleOfStep', { title, step: number, steps: STEPS.length }) : title} – Perpetua`,
  );

  const needsKey = screen === 'key' && boundKey === null && !key && !keyless;
  useEffect(() => {
    if (!needsKey) return;
    let gone = false;
    draftFor(invitationId)
      .then(async ({ entropy, saved }) => ({ key: await openedKey(entropy), kept: saved }))
      .then(
        (made) => gone || dispatch({ type: 'key', ...made }),
        () => gone || dispatch({ type: 'keyless' }),
      );
    return () => {
      gone = true;
    };
  }, [needsKey, invitationId]);

  const accept = async () => {
    if (!key || progress.sending) return;
    dispatch({ type: 'sending' });
    const { publicKey } = key;
    if (!progress.pasted) await keepCopy({ purpose: 'guardian', beoId, publicKey }, key.secret, beoDomain);
    const path = `/api/guardian/accept/${token}`;
    const answer = await signAndPost(path, key.seed, 'acceptGuardian', { invitationId, beoId, publicKey });
    if (answer.ok || (answer.code === 'LINK_USED' && (await isGuardian(beoId, publicKey)))) {
      await dropDraft(invitationId);
      dispatch({ type: 'accepted' });
    } else if (isOvertaken(answer.code)) {
      window.location.reload();
    } else {
      dispatch({ type: 'refused', code: answer.code });
    }
  };

  const kept = () => {
    void markDraftSaved(invitationId);
    dispatch({ type: 'kept' });
    steps.go('accept');
  };

  const shown = { steps, invitation, focus: moved };
  return (
    <Frame steps={steps} back={BEFORE[screen]} number={number || undefined} count={STEPS.length}>
      {screen === 'who' && <Who key="who" {...shown} />}
      {screen === 'ask' && <AskFirst key="ask" {...shown} />}
      {screen === 'no' && <Declined key="no" {...shown} />}
      {screen === 'what' && <What key="what" {...shown} />}
      {screen === 'day' && <Day key="day" {...shown} />}
      {screen === 'key' && (
        <TheKey
          {...shown}
          progress={progress}
          onKept={kept}
          onAnew={() => dispatch({ type: 'anew' })}
          onOpened={(opened, from) => {
            dispatch({ type: 'key', key: opened, kept: true, pasted: from === 'code' });
            steps.go('accept');
          }}
        />
      )}
      {screen === 'accept' && <LastQuestion key="accept" {...shown} progress={progress} onAccept={accept} />}
      {screen === 'done' && key && (
        <Accepted key="done" beoId={beoId} beoDomain={beoDomain} publicKey={key.publicKey} focus />
      )}
    </Frame>
  );
}

/** Whether the key stands in the identity's public record: an answer that got lost was then a good one. */
async function isGuardian(beoId: string, publicKey: string): Promise<boolean> {
  try {
    const response = await fetch(`/api/beos/${beoId}`, { headers: { accept: 'application/json' } });
    const { guardians } = fieldsOf(fieldsOf(fieldsOf(await response.json()).beo).recovery);
    return Array.isArray(guardians) && guardians.some((one) => isActive(fieldsOf(one), publicKey));
  } catch {
    return false;
  }
}

const isActive = ({ public_key, status }: ReturnType<typeof fieldsOf>, publicKey: string): boolean =>
  public_key === publicKey && status === 'ACTIVE';
