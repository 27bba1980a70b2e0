import { clsx } from 'clsx';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import type { Failure } from '../_trpc/failure.ts';
import { useSentence } from '../_trpc/refused.tsx';
import { Alert } from '../_ui/alert.tsx';
import { Card } from '../_ui/card.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { Skeleton } from '../_ui/skeleton.tsx';
import { textLink } from '../_ui/text-link.ts';

type Outcome = {
  reference: string;
  suffix: string;
  answer: Answers['lookUp'] | undefined;
  failure: Failure | undefined;
};

/** Why a lookup found no identity: a title and a sentence for each reason. */
export function NoIdentity(outcome: Outcome) {
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
export function useSummary(): (outcome: Outcome) => string {
  const t = useTranslations('home.lookup');
  const state = useTranslations('common.state');
  const reason = useReason();
  return (outcome) => {
    const { reference, answer, failure } = outcome;
    if (answer?.identity) {
      const { status } = answer.identity;
      return `${reference}: ${state(status)}. ${t(`sentence.${status}`)}`;
    }
    if (!answer && !failure) return t('looking', { domain: reference });
    const { title, body } = reason(outcome);
    return `${title} ${body}`;
  };
}

/** As tall as the result, to avoid a layout shift. */
export function LookupSkeleton() {
  return (
    <Card className="space-y-4">
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-5 w-72 max-w-full" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-5 w-56 max-w-full" />
      <Skeleton className="h-5 w-64 max-w-full" />
    </Card>
  );
}
