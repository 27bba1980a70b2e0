'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Actions } from '../../_keys/actions.tsx';
import type { OpenedKey } from '../../_keys/secret.ts';
import { signerOf } from '../../_session/signer.ts';
import { ARRIVED } from '../../_session/unanswered.ts';
import { useWrite } from '../../_session/write.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Screen } from '../../_ui/screen.tsx';
import { type Registration, signedFields } from './register-flow.ts';

type SendScreenProps = {
  focus: boolean;
  registration: Registration;
  signingKey: OpenedKey;
  onRegistered: (ieoId: string) => void;
  onAnotherDomain: () => void;
};

/** Sends the registration. Where the response is lost, a read shows whether it was accepted. */
export function SendScreen({ focus, registration, signingKey, onRegistered, onAnotherDomain }: SendScreenProps) {
  const t = useTranslations('register.send');
  const write = useWrite();
  const client = useTRPCClient();
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { publicKey, seed } = signingKey;
  const { domain } = registration;

  /** The id of the institution with this domain, if its key is ours. */
  const registeredId = async (): Promise<string | null> => {
    const found = await client.institution.query({ reference: domain }).catch(() => null);
    return found?.public_key === publicKey ? found.ieo_id : null;
  };

  const register = async () => {
    if (isSending) return;
    setSending(true);
    setFailure(null);
    const signer = await signerOf({ ...signingKey, seed: seed.slice() });
    const written = await write('createIEO', signedFields(registration, publicKey), { as: signer });
    const ieoId = written.ok && written.answer ? written.answer.ieo_id : await registeredId();
    setSending(false);
    if (ieoId) onRegistered(ieoId);
    else setFailure(written.ok ? ARRIVED : written.failure);
  };

  return (
    <Screen title={t('title', { domain })} heading="h1" focus={focus} className="space-y-5">
      <p>{t('lead')}</p>
      {failure?.code === 'DOMAIN_TAKEN' ? (
        <div role="alert">
          <Alert tone="danger">
            <p>{t('taken', { domain })}</p>
            <Button look="secondary" className="mt-3" onClick={onAnotherDomain}>
              {t('anotherDomain')}
            </Button>
          </Alert>
        </div>
      ) : (
        <Refused failure={failure} />
      )}
      <Actions>
        <Button size="large" onClick={register} busy={isSending}>
          {isSending ? t('sending', { domain }) : t('yes')}
        </Button>
      </Actions>
    </Screen>
  );
}
