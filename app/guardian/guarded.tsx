'use client';

import { type ReactNode, useCallback, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { OpenKey } from '../_keys/open-key.tsx';
import type { OpenedKey } from '../_keys/secret.ts';
import { useWiped } from '../_keys/use-wiped.ts';
import { read as readFrom } from '../_session/send.ts';
import { signerOfOpen } from '../_session/signer.ts';
import { useIdle } from '../_session/use-idle.ts';
import { deferred } from '../_ui/deferred.tsx';
import { Scripted } from '../_ui/question.tsx';
import { SentenceToCopy } from '../_ui/sentence-to-copy.tsx';
import { ScreenSkeleton } from '../_ui/skeletons.tsx';
import { useLoadAhead } from '../_ui/use-load-ahead.ts';
import { type GuardedIdentity, guardedIn } from './guarded-view.ts';

/** Loaded once the person begins to enter the key. */
const loadList = async () => (await import('./guarded-list.tsx')).GuardedList;
const loadResign = async () => (await import('./resign.tsx')).Resign;
const loadBoth = () => Promise.all([loadList(), loadResign()]);
const GuardedList = deferred(loadList, <ScreenSkeleton />);
const Resign = deferred(loadResign, <ScreenSkeleton />);

type Step =
  | { readonly at: 'locked' }
  /** `resigned`: the identity that the person has just resigned from. */
  | ({ readonly at: 'list'; readonly key: OpenedKey; readonly resigned: GuardedIdentity | null } & List)
  | ({ readonly at: 'resign'; readonly key: OpenedKey; readonly chosen: GuardedIdentity } & List);

interface List {
  /** Null until it is read, and after a failure. */
  readonly guarded: readonly GuardedIdentity[] | null;
  /** The code of the last refusal. */
  readonly refused: string | null;
}

const UNREAD: List = { guarded: null, refused: null };
const LOCKED: Step = { at: 'locked' };

/** Opens a guardian's key and lists the identities that it guards. `picture`: beside the question for the key. The key stays in memory until the person is idle for a while. */
export function Guarded({ picture }: { picture: ReactNode }) {
  const t = useTranslations('guarded');
  const [step, setStep] = useState<Step>(LOCKED);
  const key = step.at === 'locked' ? null : step.key;

  const lock = useCallback(() => setStep(LOCKED), []);
  useLoadAhead(loadBoth);
  useWiped(key);
  useIdle(lock, key !== null);

  const read = async (key: OpenedKey, resigned: GuardedIdentity | null) => {
    setStep({ at: 'list', key, resigned, ...UNREAD });
    const answer = await readFrom((client) => client.listGuarded({ key: signerOfOpen(key) }));
    const list = answer.ok
      ? { guarded: guardedIn(answer.body), refused: null }
      : { guarded: null, refused: answer.failure.code };
    setStep((now) => (now.at !== 'locked' && now.key === key ? { ...now, ...list } : now));
  };

  const attest = async (key: OpenedKey, { guardianId, challenge }: GuardedIdentity): Promise<string | null> => {
    const answer = await readFrom((client) =>
      client.attestGuardian({ guardianId, challenge }, { key: signerOfOpen(key) }),
    );
    if (!answer.ok) return answer.failure.code;
    const { attested_on: attestedOn } = answer.body;
    setStep((now) => {
      if (now.at !== 'list' || now.key !== key || !now.guarded) return now;
      const guarded = now.guarded.map((other) => (other.guardianId === guardianId ? { ...other, attestedOn } : other));
      return { ...now, guarded };
    });
    return null;
  };

  switch (step.at) {
    case 'locked':
      return (
        <div className="max-w-form space-y-5 pt-3 pb-20">
          <h1>{t('title')}</h1>
          {picture}
          <p className="text-lg">{t('lead')}</p>
          <Scripted>
            <OpenKey
              beoId=""
              beoDomain=""
              purpose="guardian"
              expectedKey={null}
              lead={t('which')}
              codes
              onOpened={(opened) => void read(opened, null)}
            />
          </Scripted>
          <details>
            <summary className="min-h-11 cursor-pointer py-2 font-semibold">{t('lost.title')}</summary>
            <div className="space-y-3">
              <p>{t('lost.body')}</p>
              <SentenceToCopy>{t('lost.sentence')}</SentenceToCopy>
            </div>
          </details>
        </div>
      );
    case 'resign':
      return (
        <Resign
          signer={step.key}
          guarded={step.chosen}
          onBack={() => setStep({ ...step, at: 'list', resigned: null })}
          onResigned={() => void read(step.key, step.chosen)}
        />
      );
    case 'list':
      return (
        <GuardedList
          guarded={step.guarded}
          refused={step.refused}
          publicKey={step.key.publicKey}
          resigned={step.resigned}
          onResign={(chosen) => setStep({ ...step, at: 'resign', chosen })}
          onAttest={(chosen) => attest(step.key, chosen)}
          onRetry={() => void read(step.key, step.resigned)}
          onLock={lock}
        />
      );
  }
}
