'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Actions } from '../../_keys/actions.tsx';
import { draftFor, keepCopy, markDraftSaved } from '../../_keys/browser-copy.ts';
import { KeepKey } from '../../_keys/keep-key.tsx';
import { Screen } from '../../_keys/screen.tsx';
import { SealForm } from '../../_keys/seal-form.tsx';
import { type OpenedKey, openedKey } from '../../_keys/secret.ts';
import { useWiped } from '../../_keys/use-wiped.ts';
import type { KeptIdentity, SealedByPasskey } from '../../_session/identities.ts';
import { PasskeyOffer, usePasskeys } from '../../_session/passkey-offer.tsx';
import { useSession } from '../../_session/session.tsx';
import { useWrite } from '../../_session/write.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Identifier } from '../../_ui/identifier.tsx';
import { Done, Part } from './part.tsx';
import { dropLeftovers, replacementDraft } from './replacement.ts';
import { useKeyThatCounts } from './use-standing.ts';

type Step =
  | { at: 'rest' | 'what' | 'done' | 'broken' }
  | { at: 'keep' | 'saved' | 'here'; key: OpenedKey; inForce: boolean }
  | { at: 'sign'; key: OpenedKey; file: string }
  | { at: 'passkey'; key: OpenedKey; kept: KeptIdentity; existing: SealedByPasskey | null };

/**
 * A new key for an identity, signed for by the old one: made, kept by the person, put under a passphrase of this browser, and only
 * then sent. Where the answer is lost, the browser still has the new key and finds out whether it counts.
 */
export function ReplaceKey() {
  const t = useTranslations('safety');
  const here = useTranslations('session.here');
  const { current, keep } = useSession();
  const write = useWrite();
  const keyThatCounts = useKeyThatCounts();
  const canPasskey = usePasskeys();
  const [step, setStep] = useState<Step>({ at: 'rest' });
  const [createdAt] = useState(() => new Date());
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  useWiped('key' in step ? step.key : null);

  if (!current) return null;
  const { kind, id, domain } = current;

  const stop = () => {
    setFailure(null);
    setStep({ at: 'rest' });
  };
  const cancel = (busy = false) => (
    <Button look="quiet" className="-ml-5" onClick={stop} disabled={busy}>
      {t('notNow')}
    </Button>
  );

  const begin = async () => {
    const draft = await draftFor(replacementDraft(id));
    const key = await openedKey(draft.entropy);
    const inForce = (await keyThatCounts(current)) === key.publicKey;
    setStep({ at: inForce ? 'here' : draft.saved ? 'saved' : 'keep', key, inForce });
  };

  const settle = async (key: OpenedKey, file: string) => {
    const kept = { ...current, publicKey: key.publicKey, file, passkey: null, backedUp: true };
    await keep(kept, key);
    await dropLeftovers(kept);
    if (canPasskey) return setStep({ at: 'passkey', key, kept, existing: current.passkey });
    setStep({ at: 'done' });
  };

  const sign = async ({ key, file }: Extract<Step, { at: 'sign' }>) => {
    if (sending) return;
    setSending(true);
    setFailure(null);
    const { publicKey } = key;
    await keepCopy({ purpose: kind, beoId: id, publicKey }, key.secret);
    const written =
      kind === 'holder'
        ? await write('rotateBEOKey', { beoId: id, newPublicKey: publicKey })
        : await write('rotateIEOKey', { ieoId: id, newPublicKey: publicKey });
    const counts = written.ok || (written.failure !== null && (await keyThatCounts(current)) === publicKey);
    if (counts) await settle(key, file);
    else if (!written.ok) setFailure(written.failure);
    setSending(false);
  };

  switch (step.at) {
    case 'rest':
    case 'done':
      return (
        <Part id="replace" title={t('replace.title')}>
          <p>{t('replace.when')}</p>
          <Done>{step.at === 'done' && t('replace.done', { domain })}</Done>
          <Button look="secondary" onClick={() => setStep({ at: 'what' })}>
            {t('replace.begin')}
          </Button>
        </Part>
      );
    case 'what':
      return (
        <Part id="replace">
          <Screen key="what" title={t('replace.whatTitle')} className="space-y-4">
            <ol className="list-decimal space-y-2 pl-6 marker:font-bold">
              <li>{t('replace.new')}</li>
              <li>{t('replace.copy')}</li>
              <li>{t('replace.signed')}</li>
            </ol>
            <p>{t(`replace.stays.${kind}`)}</p>
            <p>{t('replace.public', { domain })}</p>
            <Actions>
              <Button size="large" onClick={() => void begin().catch(() => setStep({ at: 'broken' }))}>
                {t('replace.make')}
              </Button>
              {cancel()}
            </Actions>
          </Screen>
        </Part>
      );
    case 'broken':
      return (
        <Part id="replace" title={t('replace.title')}>
          <Alert tone="danger">
            <p>{t('replace.broken')}</p>
          </Alert>
          {cancel()}
        </Part>
      );
    case 'keep':
      return (
        <Part id="replace">
          <KeepKey
            secret={step.key.secret}
            purpose={kind}
            beoDomain={domain}
            back={cancel()}
            onKept={() => {
              void markDraftSaved(replacementDraft(id));
              setStep({ ...step, at: 'here' });
            }}
          />
        </Part>
      );
    case 'saved':
      return (
        <Part id="replace">
          <Screen key="saved" title={t('replace.savedTitle')} className="space-y-4">
            <p>{t('replace.saved')}</p>
            <Actions>
              <Button size="large" onClick={() => setStep({ ...step, at: 'here' })}>
                {t('replace.goOn')}
              </Button>
              <Button look="secondary" size="large" onClick={() => setStep({ ...step, at: 'keep' })}>
                {t('replace.again')}
              </Button>
            </Actions>
            {cancel()}
          </Screen>
        </Part>
      );
    case 'here':
      return (
        <Part id="replace">
          <Screen key="here" title={here('title')} className="space-y-4">
            {step.inForce && (
              <Alert>
                <p>{t('replace.inForce', { domain })}</p>
              </Alert>
            )}
            <p>{here('lead')}</p>
            <SealForm
              content={{ secret: step.key.secret, purpose: kind, beoDomain: domain, createdAt }}
              submit={here('submit')}
              making={here('saving')}
              failed={{ title: here('failedTitle'), what: here('failed') }}
              onSealed={(file) =>
                step.inForce ? settle(step.key, file) : setStep({ at: 'sign', key: step.key, file })
              }
              more={cancel}
            />
          </Screen>
        </Part>
      );
    case 'sign':
      return (
        <Part id="replace">
          <Screen key="sign" title={t('replace.signTitle', { domain })} className="space-y-4">
            <p>{t('replace.sign')}</p>
            <div>
              <p className="text-sm font-semibold text-muted">{t('replace.newKey')}</p>
              <Identifier value={step.key.publicKey} name={t('replace.newKey')} />
            </div>
            <Refused failure={failure} />
            <Actions>
              <Button size="large" onClick={() => void sign(step)} aria-disabled={sending || undefined}>
                {sending ? t('replace.sending') : t('replace.yes')}
              </Button>
              {cancel(sending)}
            </Actions>
          </Screen>
        </Part>
      );
    case 'passkey': {
      const finish = (passkey: SealedByPasskey | null) => {
        setStep({ at: 'done' });
        if (passkey) void keep({ ...step.kept, passkey });
      };
      return (
        <Part id="replace">
          <Screen key="passkey" title={t('passkey.title')} className="space-y-4">
            <Done>{t('replace.done', { domain })}</Done>
            <PasskeyOffer
              opened={step.key}
              domain={domain}
              existing={step.existing}
              onSealed={finish}
              onSkip={() => finish(null)}
            />
          </Screen>
        </Part>
      );
    }
  }
}
