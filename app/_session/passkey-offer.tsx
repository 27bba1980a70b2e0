'use client';

import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { SealedByPasskey } from '../_keys/identities.ts';
import type { OpenedKey } from '../_keys/secret.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { FormActions } from '../_ui/form-actions.tsx';
import { type PasskeyProblem, sealUnderPasskey } from './passkey.ts';

type PasskeyOfferProps = {
  opened: Pick<OpenedKey, 'secret' | 'publicKey'>;
  domain: string;
  /** An existing passkey of a key that was replaced. */
  existing?: SealedByPasskey | null;
  onSealed: (sealed: SealedByPasskey) => void;
  onSkip: () => void;
};

/** Offers to open the key with a passkey as well as with the passphrase. */
export function PasskeyOffer({ opened, domain, existing = null, onSealed, onSkip }: PasskeyOfferProps) {
  const t = useTranslations('session.passkey');
  const [problem, setProblem] = useState<PasskeyProblem | null>(null);
  const [asking, setAsking] = useState(false);

  const add = async () => {
    if (asking) return;
    setAsking(true);
    setProblem(null);
    const made = await sealUnderPasskey(opened, domain, existing);
    setAsking(false);
    if ('sealed' in made) onSealed(made.sealed);
    else setProblem(made.problem);
  };

  return (
    <div className="space-y-4">
      <p>{t('lead')}</p>
      <p className="text-muted">{t('besides')}</p>
      <div role="alert">
        {problem && (
          <Alert tone="caution">
            <p>{t(problem === 'unsupported' ? 'unsupported' : 'failed')}</p>
          </Alert>
        )}
      </div>
      <FormActions>
        <Button size="large" onClick={add} busy={asking}>
          <Fingerprint aria-hidden />
          {t('add')}
        </Button>
        <Button look="secondary" size="large" onClick={onSkip} disabled={asking}>
          {t('skip')}
        </Button>
      </FormActions>
    </div>
  );
}
