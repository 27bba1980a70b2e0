import { useCallback, useEffect, useState } from 'react';
import { PerpetuaError } from '../../../client/errors.ts';
import type { Key } from '../../../client/keys.ts';
import { type Entered, type Prepared, prepare } from './request.ts';
import type { TryTarget } from './target.ts';

interface State {
  readonly prepared: Prepared | null;
  /** Why nothing can be sent, as a sentence. */
  readonly problem: string | null;
}

/** The request that was entered, signed anew with every change. */
export function usePrepared(target: TryTarget, { body, parameters }: Entered, key: Key, ledgerId: string) {
  const [state, setState] = useState<State>({ prepared: null, problem: null });
  const make = useCallback(
    () => stateOf(prepare(target, { body, parameters }, { key, ledgerId, now: Date.now() })),
    [target, body, parameters, key, ledgerId],
  );

  useEffect(() => {
    let isCurrent = true;
    void make().then((made) => isCurrent && setState(made));
    return () => {
      isCurrent = false;
    };
  }, [make]);

  /** Signs again, with a new nonce and the current time. */
  const prepareAgain = async (): Promise<Prepared | null> => {
    const made = await make();
    setState(made);
    return made.prepared;
  };

  return { ...state, prepareAgain };
}

const stateOf = (making: Promise<Prepared>): Promise<State> =>
  making.then(
    (prepared) => ({ prepared, problem: null }),
    (error) => {
      if (error instanceof PerpetuaError) return { prepared: null, problem: error.message };
      throw error;
    },
  );
