'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Protection } from '../../_keys/identities.ts';
import type { OpenedKey } from '../../_keys/secret.ts';
import { signerOf } from '../../_session/signer.ts';
import { useWrite } from '../../_session/write.tsx';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';
import { useGo } from '../../_ui/local-link.tsx';
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
} from './kept-registration.ts';
import {
  type Answers,
  NO_ANSWERS,
  REGISTER,
  type Registration,
  registrationIn,
  signedFields,
} from './register-flow.ts';

/** The state and the actions of registering an institution. */
export function useRegistration() {
  const t = useTranslations('register');
  const go = useGo();
  const write = useWrite();
  const client = useTRPCClient();
  const [answers, setAnswers] = useState(NO_ANSWERS);
  const [registered, setRegistered] = useState<KeptRegistration | null>(null);
  const draftKey = useDraftKey(`institution:${registered?.domain ?? answers.domain ?? ''}`);
  const { make, made } = draftKey;
  const [sealedFor, setSealedFor] = useState<(Protection & { readonly domain: string }) | null>(null);
  const [isKeptElsewhere, setIsKeptElsewhere] = useState(false);
  const [filePassphrase, setFilePassphrase] = useState<string>();
  const { sending, failure, submit, clear } = useSubmission();
  const keeping = useKeeping(() => go('/institution'));

  const sealed = sealedFor?.domain === answers.domain ? sealedFor : null;
  const walk = useFlow(
    REGISTER,
    {
      answers,
      hasCopy: made?.hasCopy === true,
      isSealed: sealed !== null || isKeptElsewhere,
      isRegistered: registered !== null,
    },
    { title: t('title'), nameOf: (step) => t(`steps.${step}`) },
  );

  useEffect(() => {
    const registration = readRegistration();
    if (registration) return setRegistered(registration);
    const found = readAnswers();
    if (found) setAnswers({ ...NO_ANSWERS, ...found });
  }, []);

  useEffect(() => {
    if (answers.domain !== null) writeAnswers(answers);
  }, [answers]);

  // After a reload, the key of the registered institution is read again.
  const lacksKey = registered !== null && !made;
  useEffect(() => {
    if (!lacksKey) return;
    const over = new AbortController();
    void make(over.signal);
    return () => over.abort();
  }, [lacksKey, make]);

  /** The id of the institution with this domain, if its key is ours. */
  const registeredId = async (domain: string, publicKey: string): Promise<string | null> => {
    const found = await client.institution.query({ reference: domain }).catch(() => null);
    return found?.public_key === publicKey ? found.ieo_id : null;
  };

  /** @returns false where this browser cannot keep the key */
  const store = ({ domain, ieoId }: KeptRegistration, key: OpenedKey, sealed: Protection): Promise<boolean> => {
    const { publicKey } = key;
    const kept = { id: ieoId, kind: 'institution' as const, domain, publicKey, ...sealed, backedUp: true };
    return keeping.store(kept, key, async () => {
      writeRegistration(null);
      await draftKey.drop();
    });
  };

  const register = async (registration: Registration, key: OpenedKey, sealed: Protection | null) => {
    const { publicKey, seed } = key;
    const { domain } = registration;
    const signer = await signerOf({ ...key, seed: seed.slice() });
    const written = await write('createIEO', signedFields(registration, publicKey), { as: signer });
    const sent = await outcomeOf(
      written,
      ({ ieo_id }) => ieo_id,
      () => registeredId(domain, publicKey),
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
    answers,
    draftKey,
    keeping,
    sending,
    failure,
    filePassphrase,
    registered,
    answer(given: Partial<Answers>) {
      setAnswers((before) => ({ ...before, ...given }));
      walk.next();
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
      setSealedFor({ domain: answers.domain ?? '', ...sealed });
      walk.next();
    },
    /** The key shall not be stored in this browser. */
    notHere() {
      setIsKeptElsewhere(true);
      setSealedFor(null);
      walk.next();
    },
    async send() {
      const registration = registrationIn(answers);
      if (registration && made) await submit(() => register(registration, made.key, sealed));
    },
    anotherDomain() {
      clear();
      walk.go('domain');
    },
  };
}
