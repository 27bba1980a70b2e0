'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { InvitationState } from '../../../server/features/guardians/link-state.ts';
import { keepCopy } from '../../_keys/browser-copy.ts';
import type { OpenedKey } from '../../_keys/secret.ts';
import { read, send as sendOperation } from '../../_session/send.ts';
import { signerOfOpen } from '../../_session/signer.ts';
import type { Failure } from '../../_trpc/failure.ts';
import { deferred } from '../../_ui/deferred.tsx';
import { lineIn } from '../../_ui/link-line.ts';
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
import { AcceptedPart } from './accepted-part.tsx';
import type { OwnedKey } from './own-key.tsx';

/** Loaded after the first screen. */
const loadKeyScreen = async () => (await import('./accept-key-screen.tsx')).KeyScreen;
const KeyScreen = deferred(loadKeyScreen, <ScreenSkeleton />);

export type OpenInvitation = Extract<InvitationState, { state: 'open' }>;

type AcceptInvitationProps = {
  token: string;
  invitation: OpenInvitation;
  /** Of the first screen; drawn by the server. */
  picture: ReactNode;
};

/** Accepts an invitation, one question per screen; the key survives a reload. */
export function AcceptInvitation({ token, invitation, picture }: AcceptInvitationProps) {
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
  const [line, setLine] = useState<string | null>(null);

  // The next steps have addresses without it.
  useEffect(() => setLine(lineIn(location.hash)), []);

  useLoadAhead(loadKeyScreen);

  const send = async (opened: OpenedKey): Promise<Outcome> => {
    const { publicKey, secret } = opened;
    if (own?.from !== 'code') await keepCopy({ purpose: 'guardian', beoId, publicKey }, secret, beoDomain);
    const fields = { invitationId, beoId, publicKey };
    const sent = await sendOperation('acceptGuardian', fields, { key: signerOfOpen(opened), link: token });
    if (sent.ok || (sent.failure.code === 'LINK_USED' && (await isGuardian(beoId, publicKey)))) return { ok: true };
    if (endsLink(sent.failure.code)) window.location.reload();
    return sent;
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
      {screen === 'who' && <Who invitation={invitation} line={line} picture={picture} />}
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
        <AcceptedPart {...{ beoId, beoDomain, role }} publicKey={acceptedKey} />
      )}
    </Wizard>
  );
}

type Outcome = { readonly ok: true } | { readonly ok: false; readonly failure: Failure };

/** Whether the identity has a guardian with this key: the response to an acceptance may have been lost. */
async function isGuardian(beoId: string, publicKey: string): Promise<boolean> {
  const beo = await read((client) => client.getBEO(beoId));
  const guardians = beo.ok ? beo.body.recovery.guardians : [];
  return guardians.some(({ public_key, status }) => public_key === publicKey && status === 'ACTIVE');
}
