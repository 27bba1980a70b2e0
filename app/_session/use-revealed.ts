'use client';

import { useCallback, useState } from 'react';
import type { OpenedKey } from '../_keys/secret.ts';
import { useWiped } from '../_keys/use-wiped.ts';
import { useSession, type WhyRevealed } from './session.tsx';
import { useIdle } from './use-idle.ts';

/** The key of the current identity itself, until `hide` is called or the person is idle. */
export function useRevealed(why: WhyRevealed = 'reveal') {
  const { reveal } = useSession();
  const [key, setKey] = useState<OpenedKey | null>(null);

  const hide = useCallback(() => setKey(null), []);

  useWiped(key);
  useIdle(hide, key !== null);

  const show = async () => setKey(await reveal(why));
  return { key, show, hide };
}
