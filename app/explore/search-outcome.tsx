'use client';

import { Refused } from '../_trpc/refused.tsx';
import { Results } from './results.tsx';
import type { Outcome } from './searched.ts';
import { UnknownReference } from './unknown-reference.tsx';

type SearchOutcomeProps = { typed: string; suffix: string; outcome: Exclude<Outcome, { kind: 'page' }> };

/** What a search found, where it is not one page. */
export function SearchOutcome({ typed, suffix, outcome }: SearchOutcomeProps) {
  if (outcome.kind === 'several') return <Results typed={typed} found={outcome.found} />;
  if (outcome.kind === 'failed') return <Refused failure={outcome.failure} />;
  return (
    <UnknownReference
      reference={typed}
      suffix={suffix}
      isMalformed={outcome.kind === 'malformed'}
      missing={outcome.kind === 'none' ? outcome.missing : null}
    />
  );
}
