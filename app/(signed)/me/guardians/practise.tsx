'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { StartedPractice } from '../../../../client/types.ts';
import { NumberedWords } from '../../../_keys/numbered-words.tsx';
import { keepOffered } from '../../../_keys/offered.ts';
import { newSecret } from '../../../_keys/secret.ts';
import { read } from '../../../_session/send.ts';
import { useSession } from '../../../_session/session.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { Button } from '../../../_ui/button.tsx';
import { PassOnLink } from '../../../_ui/pass-on-link.tsx';
import { Actions, Question } from '../../../_ui/question.tsx';
import { useSubmission } from '../../../_wizard/use-submission.ts';
import type { Flow } from './guardian-screen-props.ts';

/** How often the page asks who took part. */
const POLL_MS = 10_000;

interface Practice extends StartedPractice {
  /** Of a key that exists in this practice only. */
  readonly words: readonly string[];
}

/** A recovery that the holder and the guardians practise. It changes nothing, and a reload ends it here. */
export function Practise({ beoId, domain, guardiansStatus, known, focus, nameOf, onDone }: Flow) {
  const t = useTranslations('myGuardians.practise');
  const { signer } = useSession();
  const [practice, setPractice] = useState<Practice | null>(null);
  const { sending, failure, submit } = useSubmission();
  useEffect(() => keepOffered('practice', beoId), [beoId]);

  const start = async () => {
    const key = await signer();
    const crypto = key && (await import('../../../_keys/crypto.ts').catch(() => null));
    if (!crypto) return;
    const newPublicKey = crypto.publicKeyOf(newSecret());
    const answer = await submit(() => read((client) => client.startPractice({ beoId, newPublicKey }, { key })));
    if (answer?.ok) setPractice({ ...answer.body, words: crypto.recoveryWords(beoId, newPublicKey) });
  };

  const { show } = known;
  useEffect(() => {
    if (!practice) return;
    const timer = setInterval(show, POLL_MS);
    return () => clearInterval(timer);
  }, [practice, show]);

  if (!practice) {
    return (
      <Question title={t('title')} focus={focus}>
        <p className="text-lg">{t('lead')}</p>
        <ol className="list-decimal space-y-2 pl-6 marker:font-bold">
          <li>{t('send')}</li>
          <li>{t('call')}</li>
          <li>{t('type')}</li>
        </ol>
        <p className="font-semibold">{t('nothing')}</p>
        <Refused failure={failure} />
        <Actions>
          <Button size="large" busy={sending} onClick={() => void start()}>
            {t('start')}
          </Button>
        </Actions>
      </Question>
    );
  }
  const took = practice.links.filter(
    ({ guardian_id: id }) => known.attested.get(id)?.practised === practice.practice_id,
  );
  return (
    <Question title={t('under')} focus>
      <p role="status" className="text-lg font-semibold">
        {took.length === practice.links.length
          ? t('all')
          : t('took', { count: took.length, of: practice.links.length })}
      </p>
      <p>{t('nothing')}</p>
      {practice.links.map(({ guardian_id: id, url }) => {
        const place = guardiansStatus.places.find(({ guardian }) => guardian?.guardian_id === id);
        return place && <PassOnLink key={id} link={url} name={nameOf(place)} message={t('message', { domain })} />;
      })}
      <h2 className="pt-2">{t('words')}</h2>
      <p>{t('read')}</p>
      <NumberedWords words={practice.words} label={t('words')} className="gap-x-6 text-lg sm:grid-cols-2" />
      <Actions>
        <Button size="large" onClick={() => onDone({ kind: 'practised' })}>
          {t('end')}
        </Button>
      </Actions>
    </Question>
  );
}
