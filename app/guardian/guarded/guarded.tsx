'use client';

import { useCallback, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { OpenKey } from '../../_keys/open-key.tsx';
import type { OpenedKey } from '../../_keys/secret.ts';
import { useWiped } from '../../_keys/use-wiped.ts';
import { signAndPost } from '../../_session/post.ts';
import { useIdle } from '../../_session/use-idle.ts';
import { Scripted } from '../../_ui/question.tsx';
import { GuardedList } from './guarded-list.tsx';
import { type GuardedIdentity, guardedIn } from './guarded-view.ts';
import { Resign } from './resign.tsx';

interface Read {
  /** Null while they are read, and where that failed. */
  readonly guarded: readonly GuardedIdentity[] | null;
  /** Code of the last refusal. */
  readonly refused: string | null;
}

const NOTHING: Read = { guarded: null, refused: null };

/** Opens a guardian's key and shows whom it guards. The key stays in this page's memory, until the person is away for a while. */
export function Guarded() {
  const t = useTranslations('guarded');
  const [key, setKey] = useState<OpenedKey | null>(null);
  const [read, setRead] = useState(NOTHING);
  const [resigning, setResigning] = useState<GuardedIdentity | null>(null);
  const [resigned, setResigned] = useState<GuardedIdentity | null>(null);

  const lock = useCallback(() => {
    setKey(null);
    setRead(NOTHING);
    setResigning(null);
    setResigned(null);
  }, []);
  useWiped(key);
  useIdle(lock, key !== null);

  const list = async ({ seed, publicKey }: OpenedKey) => {
    setRead(NOTHING);
    const answer = await signAndPost('/api/guardian/guarded', seed, 'listGuarded', { publicKey });
    setRead(answer.ok ? { guarded: guardedIn(answer.body), refused: null } : { guarded: null, refused: answer.code });
  };

  if (!key) {
    return (
      <div className="max-w-[38rem] space-y-5 pt-3 pb-20">
        <h1 className="text-2xl">{t('title')}</h1>
        <p className="text-lg">{t('lead')}</p>
        <Scripted>
          <OpenKey
            beoId=""
            beoDomain=""
            purpose="guardian"
            expectedKey={null}
            lead={t('which')}
            codes
            onOpened={(opened) => {
              setKey(opened);
              void list(opened);
            }}
          />
        </Scripted>
      </div>
    );
  }
  if (resigning) {
    return (
      <Resign
        signer={key}
        guarded={resigning}
        onBack={() => setResigning(null)}
        onResigned={() => {
          setResigned(resigning);
          setResigning(null);
          void list(key);
        }}
      />
    );
  }
  return (
    <GuardedList
      {...read}
      publicKey={key.publicKey}
      resigned={resigned}
      onResign={(one) => {
        setResigned(null);
        setResigning(one);
      }}
      onRetry={() => void list(key)}
      onLock={lock}
    />
  );
}
