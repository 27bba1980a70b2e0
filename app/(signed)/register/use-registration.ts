'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Protection } from '../../_keys/identities.ts';
import type { OpenedKey } from '../../_keys/secret.ts';
import { signerOf } from '../../_session/signer.ts';
import { useWrite } from '../../_session/write.tsx';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';
import { outcomeOf } from '../../_wizard/outcome-of.ts';
import { useDraftKey } from '../../_wizard/use-draft-key.ts';
import { useFlow } from '../../_wizard/use-flow.ts';
import { useKeeping } from '../../_wizard/use-keeping.ts';
import { useSubmission } from '../../_wizard/use-submission.ts';
import {
  type KeptRegistration,
  readAnswers,
  readRegistration,
  writeAnswers,
  writeRegistration,
  writeTyped,
} from './kept-registration.ts';
import { REGISTER, type Registration, signedFields } from './register-flow.ts';

/** The state and the actions of registering an institution. */
export function useRegistration() {
  const t = useTranslations('register');
  const write = useWrite();
  const client = useTRPCClient();
  const [registration, setRegistration] = useState<Registration | null>(null);
  const [registered, setRegistered] = useState<KeptRegistration | null>(null);
  const domain = registered?.domain ?? registration?.domain ?? '';
  const draftKey = useDraftKey(`institution:${domain}`);
  const { make, made } = draftKey;
  const [isKeptElsewhere, setIsKeptElsewhere] = useState(false);
  const [filePassphrase, setFilePassphrase] = useState<string>();
  const { sending, failure, submit, clear } = useSubmission();
  const [isDone, setDone] = useState(false);
  const keeping = useKeeping(() => setDone(true));

  const sealed = made?.protection ?? null;
  const isSealed = sealed !== null || isKeptElsewhere;
  const walk = useFlow(
    REGISTER,
    {
      registration,
      hasCopy: made?.hasCopy === true,
      isSealed,
      isRegistered: registered !== null,
      isDone,
    },
    { title: t('title'), nameOf: (step) => t(`steps.${step}`) },
  );

  useEffect(() => {
    const kept = readRegistration();
    if (kept) setRegistered(kept);
    else setRegistration(readAnswers());
  }, []);

  // After a reload, the key of the registered institution is read again.
  const lacksKey = registered !== null && !made;
  useEffect(() => {
    if (!lacksKey) return;
    const over = new AbortController();
    void make(over.signal);
    return () => over.abort();
  }, [lacksKey, make]);

  /** The id of the institution with this domain, if its key is ours. */
  const registeredId = async (publicKey: string): Promise<string | null> => {
    const found = await client.institution.query({ reference: domain }).catch(() => null);
    return found?.public_key === publicKey ? found.ieo_id : null;
  };

  /** @returns false where this browser cannot keep the key */
  const store = ({ domain, ieoId }: KeptRegistration, key: OpenedKey, sealed: Protection): Promise<boolean> => {
    const { publicKey } = key;
    const { file, passkey } = sealed;
    const kept = { id: ieoId, kind: 'institution' as const, domain, publicKey, file, passkey, backedUp: true };
    return keeping.store(kept, key, async () => {
      writeRegistration(null);
      await draftKey.drop();
    });
  };

  const register = async (fields: Registration, key: OpenedKey, sealed: Protection | null) => {
    const { publicKey, seed } = key;
    const signer = await signerOf({ ...key, seed: seed.slice() });
    const written = await write('createIEO', signedFields(fields, publicKey), { as: signer });
    const sent = await outcomeOf(
      written,
      ({ ieo_id }) => ieo_id,
      () => registeredId(publicKey),
    );
    if (!sent.ok) return sent;
    const done = { domain, ieoId: sent.outcome };
    writeAnswers(null);
    writeRegistration(done);
    if (sealed === null || !(await store(done, key, sealed))) setRegistered(done);
    return sent;
  };

  return {
    walk,
    registration,
    domain,
    draftKey,
    keeping,
    sending,
    failure,
    filePassphrase,
    registered,
    isSealed,
    choose(chosen: Registration) {
      writeAnswers(chosen);
      writeTyped(null);
      setRegistration(chosen);
      const isKeyReady = chosen.domain === domain && made?.hasCopy === true && isSealed;
      if (isKeyReady) walk.go('send');
      else walk.next();
    },
    copied(passphrase?: string) {
      setFilePassphrase(passphrase);
      draftKey.copied();
      walk.next();
    },
    async sealed(sealed: Protection) {
      if (!made) return;
      if (registered) {
        await store(registered, made.key, sealed);
        return;
      }
      setIsKeptElsewhere(false);
      draftKey.protect({ ...sealed, domain });
      walk.next();
    },
    /** The key shall not be stored in this browser. */
    notHere() {
      setIsKeptElsewhere(true);
      draftKey.protect(null);
      walk.next();
    },
    async send() {
      if (registration && made) await submit(() => register(registration, made.key, sealed));
    },
    change() {
      clear();
      walk.go('about');
    },
  };
}
