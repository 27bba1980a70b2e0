'use client';

import { useReducer, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Actions } from '../../_keys/actions.tsx';
import { draftFor, keepCopy, markDraftSaved } from '../../_keys/browser-copy.ts';
import type { SealedByPasskey } from '../../_keys/identities.ts';
import { untilRead } from '../../_keys/read.ts';
import { SealForm } from '../../_keys/seal-form.tsx';
import { type OpenedKey, openedKey } from '../../_keys/secret.ts';
import { useWiped } from '../../_keys/use-wiped.ts';
import { PasskeyOffer } from '../../_session/passkey-offer.tsx';
import { useSession } from '../../_session/session.tsx';
import { usePasskeys } from '../../_session/use-passkeys.ts';
import { useWrite } from '../../_session/write.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Identifier } from '../../_ui/identifier.tsx';
import { Screen } from '../../_ui/screen.tsx';
import { KeepKey } from './keep-key-later.tsx';
import { Done, Part } from './part.tsx';
import { FIRST, next } from './replace-key-flow.ts';
import { dropLeftovers, replacementDraft } from './replacement.ts';
import { useCurrentKey } from './use-key-status.ts';

/**
 * Replaces the key of an identity with a new one, signed by the old key. The new key is stored before it is sent: if the response
 * is lost, this browser still has it and checks whether it is in force.
 */
export function ReplaceKey() {
  const t = useTranslations('safety');
  const here = useTranslations('session.here');
  const { current, keep } = useSession();
  const write = useWrite();
  const readCurrentKey = useCurrentKey();
  const canPasskey = usePasskeys();
  const [step, dispatch] = useReducer(next, FIRST);
  const [createdAt] = useState(() => new Date());
  const [filePassphrase, setFilePassphrase] = useState<string | null>(null);

  useWiped('key' in step ? step.key : null);

  if (!current) return null;
  const { kind, id, domain } = current;

  const cancel = (busy = false) => (
    <Button look="quiet" className="-ml-5" onClick={() => dispatch({ type: 'cancelled' })} disabled={busy}>
      {t('notNow')}
    </Button>
  );

  const makeKey = async () => {
    // A draft of an earlier attempt may be in force already: without it none is made.
    const draft = await untilRead(() => draftFor(replacementDraft(id)), new AbortController().signal);
    const key = await openedKey(draft.entropy);
    const inForce = (await readCurrentKey(current)) === key.publicKey;
    dispatch({ type: 'keyMade', key, inForce, hasCopy: draft.saved });
  };

  const settle = async (key: OpenedKey, file: string) => {
    const identity = { ...current, publicKey: key.publicKey, file, passkey: null, backedUp: true };
    await keep(identity, key);
    await dropLeftovers(identity);
    dispatch(canPasskey ? { type: 'passkeyOffered', identity, existing: current.passkey } : { type: 'finished' });
  };

  const sign = async (key: OpenedKey, file: string) => {
    dispatch({ type: 'sent' });
    const { publicKey } = key;
    await keepCopy({ purpose: kind, beoId: id, publicKey }, key.secret);
    const written =
      kind === 'holder'
        ? await write('rotateKey', { beoId: id, newPublicKey: publicKey })
        : await write('rotateKey', { ieoId: id, newPublicKey: publicKey });
    const isInForce = written.ok || (written.failure !== null && (await readCurrentKey(current)) === publicKey);
    if (isInForce) await settle(key, file);
    else if (!written.ok) dispatch({ type: 'refused', failure: written.failure });
  };

  switch (step.at) {
    case 'idle':
      return (
        <Part
          id="replace"
          title={t('replace.title')}
          what={t('replace.when')}
          action={
            <Button look="secondary" onClick={() => dispatch({ type: 'started' })}>
              {t('replace.begin')}
            </Button>
          }
        >
          <Done>{step.isDone && t('replace.done', { domain })}</Done>
        </Part>
      );
    case 'explain':
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
              <Button size="large" onClick={() => void makeKey().catch(() => dispatch({ type: 'keyFailed' }))}>
                {t('replace.make')}
              </Button>
              {cancel()}
            </Actions>
          </Screen>
        </Part>
      );
    case 'failed':
      return (
        <Part id="replace" title={t('replace.title')}>
          <Alert tone="danger">
            <p>{t('replace.broken')}</p>
          </Alert>
          {cancel()}
        </Part>
      );
    case 'copy':
      return (
        <Part id="replace">
          <KeepKey
            secret={step.key.secret}
            purpose={kind}
            beoDomain={domain}
            back={cancel()}
            onKept={(_, passphrase) => {
              setFilePassphrase(passphrase ?? null);
              void markDraftSaved(replacementDraft(id));
              dispatch({ type: 'copied' });
            }}
          />
        </Part>
      );
    case 'hasCopy':
      return (
        <Part id="replace">
          <Screen key="saved" title={t('replace.savedTitle')} className="space-y-4">
            <p>{t('replace.saved')}</p>
            <Actions>
              <Button size="large" onClick={() => dispatch({ type: 'copied' })}>
                {t('replace.goOn')}
              </Button>
              <Button look="secondary" size="large" onClick={() => dispatch({ type: 'copyWanted' })}>
                {t('replace.again')}
              </Button>
            </Actions>
            {cancel()}
          </Screen>
        </Part>
      );
    case 'seal':
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
              label={here('newLabel')}
              filePassphrase={filePassphrase}
              onSealed={(file) => (step.inForce ? settle(step.key, file) : dispatch({ type: 'sealed', file }))}
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
              <Identifier value={step.key.publicKey} what="newPublicKey" />
            </div>
            <Refused failure={step.failure} />
            <Actions>
              <Button size="large" onClick={() => void sign(step.key, step.file)} busy={step.sending}>
                {step.sending ? t('replace.sending') : t('replace.yes')}
              </Button>
              {cancel(step.sending)}
            </Actions>
          </Screen>
        </Part>
      );
    case 'passkey': {
      const finish = (passkey: SealedByPasskey | null) => {
        dispatch({ type: 'finished' });
        if (passkey) void keep({ ...step.identity, passkey });
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
