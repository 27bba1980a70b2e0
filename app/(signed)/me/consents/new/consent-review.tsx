'use client';

import { Check, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { ConsentRequest } from '../../../../../protocol/consent-request.ts';
import { endAfter } from '../../../../../protocol/days.ts';
import type { TokenView } from '../../../../../protocol/entities/token.ts';
import { useHolder } from '../../../../_session/current.tsx';
import { useWrite } from '../../../../_session/write.tsx';
import type { Failure } from '../../../../_trpc/failure.ts';
import { Refused } from '../../../../_trpc/refused.tsx';
import { Alert } from '../../../../_ui/alert.tsx';
import { Button } from '../../../../_ui/button.tsx';
import { Card } from '../../../../_ui/card.tsx';
import { CertificationMark } from '../../../../_ui/certification-mark.tsx';
import { useNotCertifiedFor } from '../../../../_ui/certified-for.tsx';
import { ConsentPicture } from '../../../../_ui/consent-picture.tsx';
import { LocalLink, useGo } from '../../../../_ui/local-link.tsx';
import { textLink } from '../../../../_ui/text-link.ts';
import { useDay } from '../../../../_ui/use-day.ts';
import { useScopeWords } from '../../../../_ui/use-scope-words.ts';
import { outcomeOf } from '../../../../_wizard/outcome-of.ts';
import { ReviewLine } from '../../../../_wizard/review-line.tsx';
import { SendStep } from '../../../../_wizard/send-step.tsx';
import { useSubmission } from '../../../../_wizard/use-submission.ts';
import { type Draft, grantOf, type Question } from './draft.ts';
import { narrowed } from './draft-of-request.ts';
import type { Recipient } from './restrictions.ts';

const MOST_CATEGORIES = 3;

type ReviewProps = {
  draft: Draft;
  recipient: Recipient;
  /** The request that the consent answers; null without one. */
  asked: ConsentRequest | null;
  who: string;
  onChange: (question: Question) => void;
  onGiven: (token: TokenView) => void;
};

/** The whole consent, what becomes public and what cannot be undone, before it is signed. */
export function Review({ draft, recipient, asked, who, onChange, onGiven }: ReviewProps) {
  const t = useTranslations('consents.review');
  const scopeText = useTranslations('scope');
  const words = useScopeWords();
  const day = useDay();
  const go = useGo();
  const write = useWrite();
  const { kept } = useHolder();
  const { sending, failure, submit } = useSubmission();
  const [now] = useState(() => new Date().toISOString());
  const given = grantOf(draft, Date.parse(now));
  const { intents, categories, levels, period, most, days } = asked ? narrowed(given, asked) : given;
  const end = endAfter(days, Date.parse(now));
  const isSelf = recipient.kind === 'self';
  const beyond = useNotCertifiedFor();
  const notCertified = isSelf ? null : beyond(recipient.mark, { intents, categories });

  const grant = () =>
    write('grantConsent', {
      beoId: kept.id,
      ieoId: isSelf ? kept.id : recipient.id,
      scope: {
        intents: [...intents],
        categories: [...categories],
        period: period && { from: period.from, to: period.to },
        max_records: most,
        ...(levels.length > 0 && { levels: [...levels] }),
      },
      expiresInDays: days,
      ...(asked?.signature && { request: asked.text }),
    });

  const give = async () => {
    const done = await submit(async () => outcomeOf(await grant(), ({ token }) => token));
    if (done?.ok) onGiven(done.outcome);
  };

  const line = (question: Question, name: string, value: ReactNode) => (
    <ReviewLine
      name={name}
      value={<div className="first-letter:uppercase">{value}</div>}
      onChange={() => onChange(question)}
      disabled={sending}
    />
  );

  return (
    <SendStep
      title={isSelf ? t('titleSelf') : t('title', { who })}
      refused={<Failed failure={failure} />}
      sending={sending}
      yes={
        <>
          <Check aria-hidden />
          {t('give')}
        </>
      }
      busy={t('giving')}
      onSend={give}
      equal
      other={
        <Button size="large" look="secondary" onClick={() => go('/me/consents')} disabled={sending}>
          <X aria-hidden />
          {t('refuse')}
        </Button>
      }
    >
      <Card>
        <ConsentPicture
          who={<p className="font-semibold break-words">{isSelf ? t('you') : who}</p>}
          own={isSelf}
          scope={{ intents, categories }}
          granted_at={now}
          expires_at={end}
          categoriesAtMost={MOST_CATEGORIES}
        />
      </Card>
      <dl className="border-t border-line">
        {line(
          'who',
          t('who'),
          isSelf ? (
            t('you')
          ) : (
            <>
              {who}
              {who !== recipient.domain && (
                <span translate="no" className="block text-sm text-muted">
                  {recipient.domain}
                </span>
              )}{' '}
              <CertificationMark institution={recipient.mark} />
            </>
          ),
        )}
        {line('may', scopeText('may'), words.intents(intents))}
        {line('data', scopeText('about'), words.categories(categories))}
        {levels.length > 0 && line('data', scopeText('kinds'), words.levels(levels))}
        {line('when', scopeText('collected'), words.period(period))}
        {most !== null && line('when', scopeText('atMost'), scopeText('records', { count: most }))}
        {line(
          'long',
          t('long'),
          draft.lasting === 'day' && end
            ? t('through', { day: day(new Date(`${draft.endsOn}T12:00`).toISOString()), end: day(end) })
            : words.end(end),
        )}
      </dl>
      {categories.includes('*') && !isSelf && (
        <Alert tone="caution">
          <p>{t('everything')}</p>
        </Alert>
      )}
      {notCertified && (
        <Alert tone="caution">
          <p>{notCertified}</p>
        </Alert>
      )}
      <section>
        <h2 className="text-lg">{t('undoTitle')}</h2>
        <p>{t('undo')}</p>
      </section>
      <section>
        <h2 className="text-lg">{t('publicTitle')}</h2>
        <p>{t('public', { domain: kept.domain })}</p>
      </section>
    </SendStep>
  );
}

/** Why the consent was refused, with a link to an existing duplicate. */
function Failed({ failure }: { failure: Failure | null }) {
  const t = useTranslations('consents.review');
  const existing = failure?.code === 'DUPLICATE_TOKEN' ? failure.details?.token_id : null;
  return (
    <>
      <Refused failure={failure} />
      {typeof existing === 'string' && (
        <LocalLink href={`/me/consents/${existing}`} className={`inline-flex min-h-11 items-center ${textLink}`}>
          {t('existing')}
        </LocalLink>
      )}
    </>
  );
}
