'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { ConfirmationState } from '../../../server/features/guardians/link-state.ts';
import type { OpenedKey } from '../../_keys/secret.ts';
import { read, send as sendOperation } from '../../_session/send.ts';
import { signerOfOpen } from '../../_session/signer.ts';
import { deferred } from '../../_ui/deferred.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { useFlow } from '../../_wizard/use-flow.ts';
import { useSubmission } from '../../_wizard/use-submission.ts';
import { Wizard } from '../../_wizard/wizard.tsx';
import { endsLink } from '../link-ended.ts';
import { LinkFor } from '../link-for.tsx';
import { checkWords } from './check-words.ts';
import { CONFIRM, checked, NO_WORDS, typed } from './confirm-flow.ts';
import { Call, Requested, Stop } from './confirm-screens.tsx';
import type { Outcome } from './sign-confirmation.tsx';

/** Loaded after the first screen. */
const loadOpenKey = async () => (await import('../../_keys/open-key.tsx')).OpenKey;
const loadWords = async () => (await import('./words-screen.tsx')).WordsScreen;
const loadSigning = () => import('./sign-confirmation.tsx');
const loadLater = () => Promise.all([loadWords(), loadOpenKey(), loadSigning()]);
const OpenKey = deferred(loadOpenKey, <ScreenSkeleton />);
const WordsScreen = deferred(loadWords, <ScreenSkeleton />);
const SignConfirmation = deferred(async () => (await loadSigning()).SignConfirmation, <ScreenSkeleton />);
const Done = deferred(async () => (await loadSigning()).Done, <ScreenSkeleton />);

export type OpenRequest = Extract<ConfirmationState, { state: 'open' }>;

/** `picture`: above the first screen. */
type ConfirmRecoveryProps = { token: string; request: OpenRequest; picture: ReactNode };

/** Confirms a recovery, one question per screen; the key is asked for only after the right words. */
export function ConfirmRecovery({ token, request, picture }: ConfirmRecoveryProps) {
  const t = useTranslations('confirm');
  const { request_id: requestId, beo_id: beoId, new_public_key: newPublicKey } = request;
  const [given, setGiven] = useState(NO_WORDS);
  const [key, setKey] = useState<OpenedKey | null>(null);
  const [confirmations, setConfirmations] = useState(request.confirmations);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { sending, failure, submit } = useSubmission();
  const walk = useFlow(
    CONFIRM,
    { wordsAreRight: given.areRight, hasKey: key !== null, confirmed: outcome !== null },
    { title: t('title'), nameOf: (step) => t(`steps.${step}`) },
  );
  const { screen } = walk;

  useLoadAhead(loadLater);

  // Not while it is sent: a used link returns no count.
  const isDeciding = screen === 'confirm' && !sending;
  useEffect(() => {
    if (!isDeciding) return;
    const reading = new AbortController();
    readConfirmations(token, reading.signal).then((found) => {
      if (!reading.signal.aborted && found !== null) setConfirmations(found);
    });
    return () => reading.abort();
  }, [isDeciding, token]);

  const check = async () => {
    const list = await import('../../_keys/crypto.ts').catch(() => null);
    const problem = list ? checkWords(list, given.words, request) : { kind: 'unchecked' as const, wrong: [] };
    setGiven((now) => checked(now, problem));
    if (!problem) walk.go(key ? 'confirm' : 'key');
  };

  const send = async (opened: OpenedKey) => {
    const fields = { requestId, beoId, newPublicKey };
    const sent = await sendOperation('confirmRecovery', fields, { key: signerOfOpen(opened), link: token });
    // Of a link that was used, the page has the outcome that a lost response had.
    if (sent.ok ? sent.answer === null : endsLink(sent.failure.code)) window.location.reload();
    return sent;
  };

  const confirm = async () => {
    const sent = key && (await submit(() => send(key)));
    if (sent?.ok && sent.answer) setOutcome(sent.answer);
  };

  return (
    <Wizard walk={walk} busy={sending}>
      {screen === 'ask' && <Requested request={request} picture={picture} />}
      {screen === 'call' && <Call request={request} />}
      {screen === 'stop' && <Stop request={request} />}
      {screen === 'words' && (
        <WordsScreen given={given} onType={(words) => setGiven((now) => typed(now, words))} onCheck={check} />
      )}
      {screen === 'key' && (
        <OpenKey
          beoId={beoId}
          beoDomain={request.beo_domain}
          purpose="guardian"
          expectedKey={request.guardian_key}
          codes
          notice={<LinkFor domain={request.beo_domain} role={request.role} expectedKey={request.guardian_key} />}
          onOpened={(opened) => {
            setKey(opened);
            walk.next();
          }}
          heading="h1"
        />
      )}
      {screen === 'confirm' && (
        <SignConfirmation
          request={request}
          confirmations={confirmations}
          sending={sending}
          refused={failure?.code ?? null}
          onConfirm={confirm}
        />
      )}
      {screen === 'done' && outcome && <Done request={request} outcome={outcome} />}
    </Wizard>
  );
}

/** The confirmations so far: another guardian may have confirmed since the page was opened. Null where they cannot be read. */
async function readConfirmations(token: string, signal: AbortSignal): Promise<number | null> {
  const answer = await read((client) => client.getRecoveryConfirmation(token, { signal }));
  return answer.ok ? answer.body.confirmations : null;
}
