import type { Answers } from '../../server/trpc/router.ts';
import { en } from '../messages/en.ts';
import { type Failure, sentenceOf } from '../trpc/failure.ts';
import { Alert } from '../ui/alert.tsx';
import { Card } from '../ui/card.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const text = en.home.lookup;

type Outcome = {
  reference: string;
  suffix: string;
  answer: Answers['lookUp'] | undefined;
  failure: Failure | undefined;
};

/** Why a lookup found nothing: a title and a sentence for each reason. */
export function NoIdentity(outcome: Outcome) {
  const { tone, title, body } = reason(outcome);
  return (
    <Alert tone={tone} title={title}>
      <p>{body}</p>
    </Alert>
  );
}

function reason({ reference, suffix, answer, failure }: Outcome) {
  if (answer?.outcome === 'malformed') {
    return { tone: 'caution', title: text.malformedTitle(reference), body: text.malformed(suffix) } as const;
  }
  if (answer) {
    const title = reference.includes('.') ? text.nobodyTitle(reference) : text.unknownTitle(reference);
    return { tone: 'info', title, body: text.nobody } as const;
  }
  return { tone: 'danger', title: text.failedTitle, body: failure ? sentenceOf(failure) : '' } as const;
}

/** The outcome in one sentence, for a screen reader. */
export function summary(outcome: Outcome): string {
  const { reference, answer, failure } = outcome;
  if (answer?.identity) {
    const { status } = answer.identity;
    return `${reference}: ${text.status[status]}. ${text.sentence[status]}`;
  }
  if (!answer && !failure) return text.looking(reference);
  const { title, body } = reason(outcome);
  return `${title} ${body}`;
}

/** As tall as what it stands for, so that nothing jumps. */
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
