'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { InvitationState } from '../../../server/features/guardians/link-state.ts';
import { keepCopy } from '../../_keys/browser-copy.ts';
import type { OpenedKey } from '../../_keys/secret.ts';
import { fieldsOf, signAndPost } from '../../_session/post.ts';
import type { Failure } from '../../_trpc/failure.ts';
import { deferred } from '../../_ui/deferred.tsx';
import { Scripted } from '../../_ui/question.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { useDraftKey } from '../../_wizard/use-draft-key.ts';
import { useFlow } from '../../_wizard/use-flow.ts';
import { useSubmission } from '../../_wizard/use-submission.ts';
import { Wizard } from '../../_wizard/wizard.tsx';
import { endsLink } from '../link-ended.ts';
import { ACCEPT } from './accept-flow.ts';
import { AskFirst, Day, Declined, LastQuestion, What, Who } from './accept-screens.tsx';
import { Accepted } from './accepted.tsx';
import type { OwnedKey } from './own-key.tsx';

/** Loaded after the first screen. */
const loadKeyScreen = async () => (await import('./accept-key-screen.tsx')).KeyScreen;
const KeyScreen = deferred(loadKeyScreen, <ScreenSkeleton />);

export type OpenInvitation = Extract<InvitationState, { state: 'open' }>;

type AcceptInvitationProps = { token: string; invitation: OpenInvitation };

/** Accepts an invitation, one question per screen; the key survives a reload. */
export function AcceptInvitation({ token, invitation }: AcceptInvitationProps) {
  const t = useTranslations('accept');
  const { invitation_id: invitationId, beo_id: beoId, beo_domain: beoDomain, role } = invitation;
  const draft = useDraftKey(invitationId);
  const [own, setOwn] = useState<OwnedKey | null>(null);
  const [acceptedKey, setAcceptedKey] = useState<string | null>(null);
  const { sending, failure, submit } = useSubmission();
  const key = own?.key ?? (draft.made?.hasCopy ? draft.made.key : null);
  const walk = useFlow(
    ACCEPT,
    { hasKey: key !== null, accepted: acceptedKey !== null },
    { title: t('title'), nameOf: (step) => t(`steps.${step}`) },
  );
  const { screen } = walk;

  useLoadAhead(loadKeyScreen);

  const send = async ({ seed, publicKey, secret }: OpenedKey): Promise<Outcome> => {
    if (own?.from !== 'code') await keepCopy({ purpose: 'guardian', beoId, publicKey }, secret, beoDomain);
    const path = `/api/guardian/accept/${token}`;
    const answer = await signAndPost(path, seed, 'acceptGuardian', { invitationId, beoId, publicKey });
    if (answer.ok || (answer.code === 'LINK_USED' && (await isGuardian(beoId, publicKey)))) return { ok: true };
    if (endsLink(answer.code)) window.location.reload();
    return { ok: false, failure: { code: answer.code, message: '' } };
  };

  const accept = async () => {
    if (!key) return;
    const sent = await submit(() => send(key));
    if (!sent?.ok) return;
    await draft.drop();
    setAcceptedKey(key.publicKey);
  };

  return (
    <Wizard walk={walk} busy={sending}>
      {screen === 'who' && <Who invitation={invitation} />}
      {screen === 'ask' && <AskFirst invitation={invitation} />}
      {screen === 'no' && <Declined invitation={invitation} />}
      {screen === 'what' && <What invitation={invitation} />}
      {screen === 'day' && <Day />}
      {screen === 'key' && (
        <Scripted alone>
          <KeyScreen
            invitation={invitation}
            draft={draft}
            own={own}
            onOwn={setOwn}
            onCopied={() => {
              draft.copied();
              walk.next();
            }}
            onNext={walk.next}
          />
        </Scripted>
      )}
      {screen === 'accept' && (
        <LastQuestion invitation={invitation} sending={sending} refused={failure?.code ?? null} onAccept={accept} />
      )}
      {screen === 'done' && acceptedKey !== null && (
        <Accepted {...{ beoId, beoDomain, role }} publicKey={acceptedKey} />
      )}
    </Wizard>
  );
}

type Outcome = { readonly ok: true } | { readonly ok: false; readonly failure: Failure };

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
