'use client';

import { useEffect } from 'react';
import { ask } from './ask.ts';
import type { KeptRecovery } from './kept-recovery.ts';
import { identityIn, type LinkStanding, linkStandingOf, pause, type Sight, visibility } from './standing.ts';

type Watcher = { onSeen: (sight: Sight) => void; onUnreachable: () => void };

/** Asks how the request stands every few seconds while the page is to be seen, and at once when it comes back. Null rests. */
export function useWatch(kept: KeptRecovery | null, { onSeen, onUnreachable }: Watcher): void {
  useEffect(() => {
    if (!kept) return;
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let lastAsked = '';
    let known: readonly LinkStanding[] = [];
    let busy = false;

    const look = async () => {
      if (busy || document.hidden) return;
      busy = true;
      clearTimeout(timer);
      const { answer, at, wait } = await ask(`/api/beos/${kept.beoId}`);
      const identity = identityIn(answer);
      let wary = false;
      if (identity !== undefined && at !== null) {
        failures = 0;
        const view = identity ? visibility(kept, identity) : 'plain';
        const state = JSON.stringify(identity);
        wary = view === 'hidden';
        const links = wary || (view === 'partial' && state !== lastAsked) ? await askLinks(kept, known) : null;
        lastAsked = state;
        known = links ?? known;
        if (!gone) onSeen({ identity, links, at });
      } else {
        failures += 1;
        if (!gone && failures > 1) onUnreachable();
      }
      busy = false;
      if (!gone) timer = setTimeout(look, pause({ failures, wary, wait }));
    };

    const lookAgain = () => void look();
    document.addEventListener('visibilitychange', lookAgain);
    window.addEventListener('online', lookAgain);
    lookAgain();
    return () => {
      gone = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', lookAgain);
      window.removeEventListener('online', lookAgain);
    };
  }, [kept, onSeen, onUnreachable]);
}

/** By place of the link. Who has confirmed is not asked again. */
const askLinks = ({ request }: KeptRecovery, known: readonly LinkStanding[]): Promise<LinkStanding[]> =>
  Promise.all(
    (request?.links ?? []).map(async ({ url }, index) => {
      const before = known[index];
      if (before?.state === 'confirmed') return before;
      const { answer } = await ask(new URL(url).pathname);
      return linkStandingOf(answer) ?? before ?? { state: 'open', confirmations: null };
    }),
  );
