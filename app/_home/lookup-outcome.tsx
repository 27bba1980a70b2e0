import { clsx } from 'clsx';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import type { Failure } from '../_trpc/failure.ts';
import { useSentence } from '../_trpc/refused.tsx';
import { Alert } from '../_ui/alert.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';
import { FoundIdentity } from './found-identity.tsx';

type Outcome = {
  reference: string;
  suffix: string;
  answer: Answers['lookUp'] | undefined;
  failure: Failure | undefined;
};

/** What a lookup found: the identity, or why there is none. */
export function LookupOutcome({ renderedAt, ...outcome }: Outcome & { renderedAt: string }) {
  const identity = outcome.answer?.identity;
  return identity ? <FoundIdentity identity={identity} renderedAt={renderedAt} /> : <NoIdentity {...outcome} />;
}

/** A title and a sentence for each reason. */
function NoIdentity(outcome: Outcome) {
  const t = useTranslations('home.lookup');
  const { tone, title, body } = useReason()(outcome);
  return (
    <Alert tone={tone} title={title}>
      <p>{body}</p>
      {outcome.answer?.outcome === 'institution' && (
        <p>
          <LocalLink href={`/explore/${outcome.reference}`} className={clsx(textLink, 'inline-block py-2')}>
            {t('institutionLink')}
          </LocalLink>
        </p>
      )}
    </Alert>
  );
}

function useReason() {
  const t = useTranslations('home.lookup');
  const sentence = useSentence();
  return ({ reference, suffix, answer, failure }: Outcome) => {
    switch (answer?.outcome) {
      case 'malformed':
        return {
          tone: 'caution',
          title: t('malformedTitle', { domain: reference }),
          body: t('malformed', { suffix }),
        } as const;
      case 'institution':
        return { tone: 'info', title: t('institutionTitle', { reference }), body: t('institution') } as const;
      case undefined:
        return { tone: 'danger', title: t('failedTitle'), body: failure ? sentence(failure) : '' } as const;
      default: {
        const title = reference.includes('.')
          ? t('noResultsTitle', { domain: reference })
          : t('unknownTitle', { id: reference });
        return { tone: 'info', title, body: t('noResults') } as const;
      }
    }
  };
}

/** The outcome in one sentence, for a screen reader. */
export function LookupSummary(outcome: Outcome) {
  const t = useTranslations('home.lookup');
  const state = useTranslations('common.state');
  const reason = useReason();
  const { reference, answer } = outcome;
  if (answer?.identity) {
    const { status } = answer.identity;
    return `${reference}: ${state(status)}. ${t(`sentence.${status}`)}`;
  }
  const { title, body } = reason(outcome);
  return `${title} ${body}`;
}
