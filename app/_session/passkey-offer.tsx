'use client';

import { Fingerprint } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { SealedByPasskey } from '../_keys/identities.ts';
import { type PasskeyProblem, sealUnderPasskey } from '../_keys/passkey.ts';
import type { OpenedKey } from '../_keys/secret.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { FormActions } from '../_ui/form-actions.tsx';

type PasskeyOfferProps = {
  opened: Pick<OpenedKey, 'secret' | 'publicKey'>;
  domain: string;
  /** An existing passkey of a key that was replaced. */
  existing?: SealedByPasskey | null;
  /** What it means for the passphrase. */
  besides: string;
  add: string;
  skip: string;
  onSealed: (sealed: SealedByPasskey) => void | Promise<void>;
  onSkip: () => void;
  /** Other actions; `busy` while the device asks. */
  more?: ((busy: boolean) => ReactNode) | undefined;
};

/** Offers to protect a key with a passkey. */
export function PasskeyOffer(offer: PasskeyOfferProps) {
  const { opened, domain, existing = null, besides, onSealed, onSkip, more } = offer;
  const t = useTranslations('session.passkey');
  const [problem, setProblem] = useState<Exclude<PasskeyProblem, 'other'> | null>(null);
  const [asking, setAsking] = useState(false);

  const add = async () => {
    if (asking) return;
    setAsking(true);
    setProblem(null);
    // The existing one may be gone: another attempt makes a new one.
    const made = await sealUnderPasskey(opened, domain, problem ? null : existing);
    if ('sealed' in made) await onSealed(made.sealed);
    else setProblem(made.problem);
    setAsking(false);
  };

  return (
    <div className="space-y-4">
      <p>{t('lead')}</p>
      <p className="text-muted">{besides}</p>
      <div role="alert">
        {problem && (
          <Alert tone="caution">
            <p>{t(`made.${problem}`)}</p>
          </Alert>
        )}
      </div>
      <FormActions>
        <Button size="large" onClick={add} busy={asking}>
          <Fingerprint aria-hidden />
          {offer.add}
        </Button>
        <Button look="secondary" size="large" onClick={onSkip} disabled={asking}>
          {offer.skip}
        </Button>
      </FormActions>
      {more?.(asking)}
    </div>
  );
}
