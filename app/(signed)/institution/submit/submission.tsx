'use client';

import { FileSpreadsheet, ListPlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { BackButton } from '../../../_keys/back-button.tsx';
import { Choice } from '../../../_keys/choice.tsx';
import { useInstitution } from '../../../_session/current.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { UnderConsent } from '../choose-consent.tsx';
import { coverOf } from './cover.ts';
import { EntryForm } from './entry-form.tsx';
import { FromFile } from './from-file.tsx';
import { Sending } from './sending.tsx';
import { type Item, useSending } from './use-sending.ts';

/** Submits records of a person under a consent, by form or from a file. */
export function Submission() {
  const t = useTranslations('institution.submit');
  return (
    <div className="space-y-6">
      <h1>{t('title')}</h1>
      <UnderConsent intent="SUBMIT_RECORD">{(consent) => <Submitting consent={consent} />}</UnderConsent>
    </div>
  );
}

function Submitting({ consent }: { consent: TokenView }) {
  const t = useTranslations('institution.submit');
  const { view } = useInstitution();
  const [way, setWay] = useState<'form' | 'file' | null>(null);
  const [attempt, setAttempt] = useState(0);
  const sending = useSending(consent);
  const cover = useMemo(() => coverOf(consent, view.ieo_type), [consent, view.ieo_type]);

  const restart = () => {
    sending.clear();
    setAttempt(attempt + 1);
  };
  const send = (items: readonly Item[]) => void sending.send(items);

  if (sending.batches.length > 0) return <Sending sending={sending} consent={consent} onAgain={restart} />;
  if (way === null) {
    return (
      <Screen key="how" title={t('how')} focus={false} className="max-w-prose space-y-4">
        <Choice icon={ListPlus} name={t('form')} what={t('formWhat')} onChoose={() => setWay('form')} />
        <Choice icon={FileSpreadsheet} name={t('csv')} what={t('csvWhat')} onChoose={() => setWay('file')} />
        <p className="text-muted">{t('whatHappens')}</p>
      </Screen>
    );
  }
  return (
    <div key={attempt} className="space-y-4">
      <BackButton label={t('otherWay')} onBack={() => setWay(null)} />
      {way === 'form' ? (
        <EntryForm cover={cover} onSend={send} />
      ) : (
        <FromFile cover={cover} accepted={sending.accepted} onSend={send} />
      )}
    </div>
  );
}
