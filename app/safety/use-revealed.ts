'use client';

import { useCallback, useState } from 'react';
import type { OpenedKey } from '../keys/secret.ts';
import { useWiped } from '../keys/use-wiped.ts';
import { useSession } from '../session/session.tsx';
import { useIdle } from '../session/use-idle.ts';

/** The key of the current identity itself, while something is done with it: until that is over, or nobody is there. */
export function useRevealed() {
  const { reveal } = useSession();
  const [key, setKey] = useState<OpenedKey | null>(null);

  const hide = useCallback(() => setKey(null), []);

  useWiped(key);
  useIdle(hide, key !== null);

  const show = async () => setKey(await reveal());
  return { key, show, hide };
}
