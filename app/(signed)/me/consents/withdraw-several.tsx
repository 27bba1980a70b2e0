'use client';

import { Building2, ListX, Target } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { Choice } from '../../../_keys/choice.tsx';
import { Button } from '../../../_ui/button.tsx';
import { CertificationLegend, CertificationMark } from '../../../_ui/certification-mark.tsx';
import { Dialog } from '../../../_ui/dialog.tsx';
import { Field } from '../../../_ui/field.tsx';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';
import { type GranteeCount, granteesOf, intentCounts } from './consent-filter.ts';
import { inForce } from './consents-in-force.ts';
import { useGranteeName } from './new/grantee-name.tsx';
import { useGrantee } from './new/use-grantee.ts';
import type { Withdrawal } from './withdrawal.ts';

const MAX_SHOWN = 20;

type WithdrawSeveralProps = {
  consents: readonly TokenView[];
  ownId: string;
  onChoose: (withdrawal: Withdrawal) => void;
  onClose: () => void;
};

/** Withdraws the consents of one institution, with one intent, or all. */
export function WithdrawSeveral({ consents, ownId, onChoose, onClose }: WithdrawSeveralProps) {
  const t = useTranslations('consents.several');
  const words = useScopeWords();
  const [by, setBy] = useState<'grantee' | 'intent' | null>(null);
  const [typed, setTyped] = useState('');
  const count = consents.filter(inForce).length;

  if (by === 'intent') {
    return (
      <Dialog title={t('intentTitle')} description={t('intentBody')} onClose={onClose}>
        <ul className="space-y-2">
          {intentCounts(consents)
            .filter(({ inForce }) => inForce > 0)
            .map(({ intent, inForce: ends }) => (
              <li key={intent}>
                <Row onChoose={() => onChoose({ kind: 'intent', intent, count: ends })}>
                  <span className="block font-semibold first-letter:uppercase">{words.intent(intent)}</span>
                  <span className="block text-sm text-muted">{t('count', { count: ends })}</span>
                </Row>
              </li>
            ))}
        </ul>
      </Dialog>
    );
  }

  if (by === 'grantee') {
    const all = granteesOf(consents).filter(({ id, inForce }) => id !== ownId && inForce > 0);
    const text = typed.trim().toLowerCase();
    const matching = all.filter(({ domain, id }) => (domain ?? id).includes(text));
    return (
      <Dialog title={t('granteeTitle')} onClose={onClose}>
        <div className="mt-3 space-y-4">
          {all.length > MAX_SHOWN && (
            <Field
              label={t('search')}
              hint={t('searchHint', { count: all.length })}
              value={typed}
              autoComplete="off"
              onType={setTyped}
            />
          )}
          <ul className="space-y-2">
            {matching.slice(0, MAX_SHOWN).map((grantee) => (
              <li key={grantee.id}>
                <GranteeRow
                  grantee={grantee}
                  ownId={ownId}
                  onChoose={(who) =>
                    onChoose({
                      kind: 'grantee',
                      ieoId: grantee.id,
                      who,
                      own: false,
                      count: grantee.inForce,
                    })
                  }
                />
              </li>
            ))}
          </ul>
          <CertificationLegend />
        </div>
      </Dialog>
    );
  }

  return (
    <Dialog title={t('title')} onClose={onClose}>
      <div className="mt-3 space-y-3">
        <Choice icon={Building2} name={t('grantee')} what={t('granteeWhat')} onChoose={() => setBy('grantee')} />
        <Choice icon={Target} name={t('intent')} what={t('intentWhat')} onChoose={() => setBy('intent')} />
        <Choice
          icon={ListX}
          name={t('all')}
          what={t('count', { count })}
          onChoose={() => onChoose({ kind: 'all', count })}
        />
        <Button look="secondary" size="large" onClick={onClose} className="w-full">
          {t('none')}
        </Button>
      </div>
    </Dialog>
  );
}

type GranteeRowProps = { grantee: GranteeCount; ownId: string; onChoose: (who: string) => void };

function GranteeRow({ grantee: { id, domain, inForce: count }, ownId, onChoose }: GranteeRowProps) {
  const t = useTranslations('consents.several');
  const consent = { beo_id: ownId, ieo_id: id, ieo_domain: domain };
  const grantee = useGrantee(consent);
  const who = useGranteeName()({ consent, grantee });
  return (
    <Row onChoose={() => onChoose(who)}>
      <span className="block font-semibold break-words">{who}</span>
      <span className="block text-sm break-words text-muted">
        {who !== domain && <span translate="no">{domain} · </span>}
        {t('count', { count })}
      </span>
      {grantee.institution && <CertificationMark institution={grantee.institution} isWithin />}
    </Row>
  );
}

function Row({ onChoose, children }: { onChoose: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onChoose}
      className="min-h-13 w-full cursor-pointer rounded-md border-2 border-edge bg-surface px-4 py-2 text-left hover:border-ink hover:bg-sunken"
    >
      {children}
    </button>
  );
}
