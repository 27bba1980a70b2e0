'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { keepCopy } from '../../_keys/browser-copy.ts';
import type { KeptIdentity, Protection } from '../../_keys/identities.ts';
import { disownPasskey } from '../../_keys/passkey.ts';
import type { OpenedKey } from '../../_keys/secret.ts';
import { useSession } from '../../_session/session.tsx';
import { useWrite } from '../../_session/write.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { BackTo } from '../../_ui/back-to.tsx';
import { Button } from '../../_ui/button.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { Identifier } from '../../_ui/identifier.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Actions, Question } from '../../_ui/question.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { outcomeOf } from '../../_wizard/outcome-of.ts';
import { SendStep } from '../../_wizard/send-step.tsx';
import { useDraftKey } from '../../_wizard/use-draft-key.ts';
import { useFlow } from '../../_wizard/use-flow.ts';
import { useKeeping } from '../../_wizard/use-keeping.ts';
import { useSubmission } from '../../_wizard/use-submission.ts';
import { StepLink, Wizard } from '../../_wizard/wizard.tsx';
import { Done } from './part.tsx';
import { REPLACE } from './replace-key-flow.ts';
import { dropLeftovers, replacementDraft } from './replacement.ts';
import { useCurrentKey } from './use-key-status.ts';

const loadKeyStep = async () => (await import('../../_wizard/key-step.tsx')).KeyStep;
const loadSealStep = async () => (await import('../../_wizard/keep-here.tsx')).SealStep;
const loadPicture = async () => (await import('../../_ui/pictures/key-replaced.tsx')).KeyReplaced;
const loadLaterScreens = () => Promise.all([loadKeyStep(), loadSealStep(), loadPicture()]);
const KeyStep = deferred(loadKeyStep, <ScreenSkeleton />);
const SealStep = deferred(loadSealStep, <ScreenSkeleton />);
const KeyReplaced = deferred(loadPicture);

/** Replaces the key of the current identity. */
export function ReplaceKey() {
  const { current } = useSession();
  return current && <Replacement key={current.id} identity={current} />;
}

/**
 * Replaces a key with a new one, signed by the old key. The new key is stored before it is sent: if the response is lost, this
 * browser still has it and checks whether it is in force.
 */
function Replacement({ identity }: { identity: KeptIdentity }) {
  const t = useTranslations('safety');
  const here = useTranslations('session.here');
  const write = useWrite();
  const readCurrentKey = useCurrentKey();
  const { kind, id, domain } = identity;
  const draft = useDraftKey(replacementDraft(id));
  const key = draft.made?.key ?? null;
  const [currentKey, setCurrentKey] = useState<string | null>(null);
  const sealed = draft.made?.protection ?? null;
  const [filePassphrase, setFilePassphrase] = useState<string>();
  const [isDone, setIsDone] = useState(false);
  const { sending, failure, submit } = useSubmission();
  const keeping = useKeeping(() => setIsDone(true));

  const isInForce = key !== null && currentKey === key.publicKey;
  const walk = useFlow(
    REPLACE,
    {
      hasCopy: draft.made?.hasCopy === true,
      isSealed: sealed !== null,
      outcome: isDone ? 'done' : isInForce ? 'keep' : null,
    },
    { title: t('replace.title'), nameOf: (step) => t(`replace.steps.${step}`) },
  );
  const { screen } = walk;

  useLoadAhead(loadLaterScreens);

  // The draft of an earlier attempt may be in force already. Read once: afterwards this page knows what it has sent.
  useEffect(() => {
    let cancelled = false;
    void readCurrentKey({ kind, id }).then((read) => cancelled || setCurrentKey(read));
    return () => {
      cancelled = true;
    };
  }, [readCurrentKey, kind, id]);

  const store = (newKey: OpenedKey, sealed: Protection) => {
    const { file, passkey } = sealed;
    const kept = { id, kind, domain, publicKey: newKey.publicKey, file, passkey, backedUp: true };
    const before = identity.passkey;
    return keeping.store(kept, newKey, async () => {
      if (before && String(before.credentialId) !== String(passkey?.credentialId)) void disownPasskey(before);
      await dropLeftovers(kept);
    });
  };

  const replace = async (newKey: OpenedKey, sealed: Protection) => {
    const { publicKey } = newKey;
    await keepCopy({ purpose: kind, beoId: id, publicKey }, newKey.secret);
    const written =
      kind === 'holder'
        ? await write('rotateBEOKey', { beoId: id, newPublicKey: publicKey })
        : await write('rotateIEOKey', { ieoId: id, newPublicKey: publicKey });
    const isCancelled = !written.ok && written.failure === null;
    const find = async () => (!isCancelled && (await readCurrentKey({ kind, id })) === publicKey ? publicKey : null);
    const replaced = await outcomeOf(written, () => publicKey, find);
    if (replaced.ok && !(await store(newKey, sealed))) setCurrentKey(publicKey);
    return replaced;
  };

  const home = kind === 'holder' ? '/me/safety' : '/institution/key';
  const notNow = (
    <Button asChild look="secondary" size="large">
      <LocalLink href={home}>{t('notNow')}</LocalLink>
    </Button>
  );

  return (
    <Wizard
      narrow
      walk={walk}
      busy={sending}
      back={screen === 'what' ? <BackTo href={home}>{t('title')}</BackTo> : undefined}
    >
      {screen === 'what' && (
        <Question title={t('replace.whatTitle')}>
          <ol className="list-decimal space-y-2 pl-6 marker:font-bold">
            <li>{t('replace.new')}</li>
            <li>{t('replace.copy')}</li>
            <li>{t('replace.signed')}</li>
          </ol>
          <p>{t(`replace.stays.${kind}`)}</p>
          <p>{t('replace.public', { domain })}</p>
          <Actions>
            <StepLink to="key">{t('replace.make')}</StepLink>
            {notNow}
          </Actions>
        </Question>
      )}
      {screen === 'key' && (
        <KeyStep
          draft={draft}
          hasCopy={draft.made?.hasCopy === true}
          purpose={kind}
          beoDomain={domain}
          onCopied={(_, passphrase) => {
            setFilePassphrase(passphrase);
            draft.copied();
            walk.next();
          }}
          onNext={walk.next}
        />
      )}
      {(screen === 'here' || screen === 'keep') && key && (
        <SealStep
          opened={key}
          identity={identity}
          cannotStore={keeping.cannotStore}
          existing={sealed?.passkey ?? identity.passkey}
          label={here('newLabel')}
          filePassphrase={filePassphrase}
          notice={
            isInForce && (
              <Alert>
                <p>{t('replace.inForce', { domain })}</p>
              </Alert>
            )
          }
          onSealed={async (sealed) => {
            if (isInForce) {
              await store(key, sealed);
              return;
            }
            draft.protect({ ...sealed, domain });
            walk.next();
          }}
        />
      )}
      {screen === 'sign' && key && sealed !== null && (
        <SendStep
          title={t('replace.signTitle', { domain })}
          refused={<Refused failure={failure} />}
          sending={sending}
          yes={t('replace.yes')}
          busy={t('replace.sending')}
          onSend={() => void submit(() => replace(key, sealed))}
          other={!sending && notNow}
        >
          <p>{t('replace.sign')}</p>
          <div>
            <p className="text-sm font-semibold text-muted">{t('replace.newKey')}</p>
            <Identifier value={key.publicKey} what="newPublicKey" />
          </div>
        </SendStep>
      )}
      {screen === 'done' && (
        <Question title={t('replace.doneTitle')}>
          <KeyReplaced className="w-48" />
          <Done>{t('replace.done', { domain })}</Done>
          <Actions>
            <Button asChild size="large">
              <LocalLink href={home}>{t('title')}</LocalLink>
            </Button>
          </Actions>
        </Question>
      )}
    </Wizard>
  );
}
