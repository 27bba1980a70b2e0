'use client';

import { useCallback, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { draftFor, dropDraft } from '../../_keys/browser-copy.ts';
import { KeepKey } from '../../_keys/keep-key.tsx';
import { SealForm } from '../../_keys/seal-form.tsx';
import { type OpenedKey, openedKey } from '../../_keys/secret.ts';
import { useWiped } from '../../_keys/use-wiped.ts';
import type { KeptIdentity, SealedByPasskey } from '../../_session/identities.ts';
import { useLookup } from '../../_session/look-up.ts';
import { PasskeyOffer, usePasskeys } from '../../_session/passkey-offer.tsx';
import { useSession } from '../../_session/session.tsx';
import { signerOf } from '../../_session/signer.ts';
import { useWrite } from '../../_session/write.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { useGo } from '../../_ui/local-link.tsx';
import { Actions, Frame, Question, StepLink } from '../../_ui/question.tsx';
import { Skeleton } from '../../_ui/skeleton.tsx';
import { useScreenChange, useSteps } from '../../_ui/use-step.ts';
import { type Begun, DRAFT, forgetBegun, NOTHING, readBegun, writeBegun } from './begun.ts';
import { NameScreen } from './name-screen.tsx';
import { hasCopy, STEPS, type Step, stepFor } from './progress.ts';
import { DoneScreen, PublicScreen, SendScreen } from './screens.tsx';

const BEFORE: Partial<Record<Step, Step>> = { public: 'name', key: 'public', here: 'key', send: 'name' };
const TAKEN = new Set(['DOMAIN_TAKEN', 'DOMAIN_INVALID', 'DOMAIN_RESERVED']);

/** Takes a person from nothing to an identity, one thing per screen. What they have made survives a reload. */
export function Create({ suffix }: { suffix: string }) {
  const t = useTranslations('create');
  const shared = useTranslations('guardian');
  const here = useTranslations('session.here');
  const passkeys = useTranslations('session.passkey');
  const steps = useSteps();
  const go = useGo();
  const { keep } = useSession();
  const write = useWrite();
  const lookUp = useLookup();
  const canPasskey = usePasskeys();
  const [begun, setBegun] = useState<Begun | null>(null);
  const [key, setKey] = useState<OpenedKey | null>(null);
  const [forgetful, setForgetful] = useState(false);
  const [keyless, setKeyless] = useState(false);
  const [again, setAgain] = useState(false);
  const [file, setFile] = useState<string | null>(null);
  const [createdAt] = useState(() => new Date());
  /** The id, once it is created: what is left is to keep it here. */
  const [created, setCreated] = useState<string | null>(null);
  const [kept, setKept] = useState<KeptIdentity | null>(null);
  const [over, setOver] = useState(false);
  const [keepsNothing, setKeepsNothing] = useState(false);
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [lost, setLost] = useState<string | null>(null);
  /** Whether the ledger has the signature that only confirmed guardians count. */
  const [required, setRequired] = useState(true);

  useWiped(key);

  const note = useCallback((next: Begun) => {
    setBegun(next);
    writeBegun(next);
  }, []);

  const domain = begun?.domain ?? null;
  const step = begun && stepFor(steps.asked, { begun, sealed: file !== null });
  const screen = over ? 'done' : kept ? 'passkey' : created ? 'here' : (step ?? 'loading');
  const number = screen === 'loading' || over || kept ? 0 : STEPS.indexOf(screen as Step) + 1;
  const moved = useScreenChange(
    screen,
    `${number ? shared('titleOfStep', { title: t('title'), step: number, steps: STEPS.length }) : t('title')} – Perpetua`,
  );

  useEffect(() => {
    let gone = false;
    takeUp(lookUp).then((found) => {
      if (gone) return;
      setBegun(found.begun);
      setKey(found.key);
      setCreated(found.created);
    });
    return () => {
      gone = true;
    };
  }, [lookUp]);

  const needsKey = begun !== null && (screen === 'key' || screen === 'here') && !key && !keyless;
  useEffect(() => {
    if (!needsKey || !begun) return;
    let gone = false;
    makeKey().then(
      (made) => {
        if (gone) return;
        setKey(made.key);
        setForgetful(!made.kept);
        note({ ...begun, publicKey: made.key.publicKey });
      },
      () => gone || setKeyless(true),
    );
    return () => {
      gone = true;
    };
  }, [needsKey, begun, note]);

  const isPast = begun !== null && begun.domain === null && steps.asked === 'done' && !over;
  useEffect(() => {
    if (isPast) go('/me');
  });

  if (!begun || !step || isPast)
    return (
      <>
        <h1 className="sr-only">{t('title')}</h1>
        <Skeleton className="mt-4 h-72 w-full unscripted:hidden" />
      </>
    );

  const end = () => {
    setKey(null);
    setOver(true);
    steps.replace('done');
  };

  const finish = async (id: string, sealed: string) => {
    if (!key || !domain) return;
    const { publicKey } = key;
    setRequired(await requireConfirmed(id, key));
    const usedAt = new Date().toISOString();
    const identity: KeptIdentity = {
      id,
      kind: 'holder',
      domain,
      publicKey,
      file: sealed,
      passkey: null,
      backedUp: true,
      usedAt,
    };
    const isKept = await keep(identity, key).then(
      () => true,
      () => false,
    );
    setKeepsNothing(!isKept);
    if (!isKept) return;
    forgetBegun();
    await dropDraft(DRAFT);
    if (canPasskey) setKept(identity);
    else end();
  };

  /** What fails here is offered again on the holder's own pages. */
  const requireConfirmed = async (beoId: string, { seed, ...rest }: OpenedKey): Promise<boolean> => {
    const signer = await signerOf({ ...rest, seed: seed.slice() });
    const written = await write('requireConfirmedGuardians', { beoId }, signer);
    return written.ok || written.failure?.code === 'ALREADY_CONFIRMED';
  };

  const withPasskey = async (passkey: SealedByPasskey | null) => {
    if (passkey && kept) await keep({ ...kept, passkey });
    end();
  };

  const send = async () => {
    if (!key || !domain || !file || sending) return;
    setSending(true);
    setFailure(null);
    note({ ...begun, sent: true });
    const signer = await signerOf({ ...key, seed: key.seed.slice() });
    const written = await write('createBEO', { domain, publicKey: key.publicKey, recovery: null }, signer);
    const id = written.ok ? written.answer.beo_id : await mine(lookUp, domain, key.publicKey);
    if (id) {
      setCreated(id);
      await finish(id, file);
    } else if (!written.ok) {
      const isLost = TAKEN.has(written.failure?.code ?? '');
      setFailure(isLost ? null : written.failure);
      if (isLost) {
        setLost(domain);
        setFile(null);
        note({ ...begun, domain: null, sent: false });
        steps.go('name');
      }
    }
    setSending(false);
  };

  const back = created || over || kept ? undefined : BEFORE[step];
  return (
    <Frame steps={steps} back={back} number={number || undefined} count={STEPS.length}>
      {forgetful && (screen === 'key' || screen === 'here' || screen === 'send') && (
        <Alert tone="caution" title={t('forgetful.title')} className="mb-5 print:hidden">
          <p>{t('forgetful.body')}</p>
        </Alert>
      )}
      {screen === 'name' && (
        <NameScreen
          key="name"
          suffix={suffix}
          focus={moved}
          chosen={domain}
          lost={lost}
          onName={(name) => {
            if (name !== domain) setFile(null);
            setLost(null);
            note({ ...begun, domain: name });
            steps.go('public');
          }}
        />
      )}
      {screen === 'public' && domain && <PublicScreen key="public" steps={steps} focus={moved} domain={domain} />}
      {(screen === 'key' || screen === 'here') && !key && (
        <Question key="making" title={keyless ? t('key.failed') : t('key.making')} focus={moved}>
          <p>{keyless ? t('key.failedBody') : t('key.makingBody')}</p>
        </Question>
      )}
      {screen === 'key' && key && domain && hasCopy(begun) && !again && (
        <Question key="kept" title={t('key.kept')} focus={moved}>
          <p>{t('key.keptBody')}</p>
          <Actions>
            <StepLink steps={steps} to="here">
              {shared('continue')}
            </StepLink>
            <Button look="secondary" size="large" onClick={() => setAgain(true)}>
              {t('key.again')}
            </Button>
          </Actions>
        </Question>
      )}
      {screen === 'key' && key && domain && (!hasCopy(begun) || again) && (
        <>
          {begun.copy && !hasCopy(begun) && (
            <Alert className="mb-5">
              <p>{t('key.otherName', { domain, before: begun.copy.domain })}</p>
            </Alert>
          )}
          <KeepKey
            secret={key.secret}
            purpose="holder"
            beoDomain={domain}
            heading="h1"
            onKept={(as) => {
              setAgain(false);
              note({ ...begun, publicKey: key.publicKey, copy: { as, domain } });
              steps.go('here');
            }}
          />
        </>
      )}
      {screen === 'here' && key && domain && (
        <Question key="here" title={here('title')} focus={moved}>
          {created && (
            <Alert>
              <p>{t('here.created', { domain })}</p>
            </Alert>
          )}
          <div role="alert">
            {keepsNothing && (
              <Alert tone="danger" title={here('keepsNothingTitle')}>
                <p>{here('keepsNothing')}</p>
              </Alert>
            )}
          </div>
          <p>{here('lead')}</p>
          <SealForm
            content={{ secret: key.secret, purpose: 'holder', beoDomain: domain, createdAt }}
            submit={here('submit')}
            making={here('saving')}
            failed={{ title: here('failedTitle'), what: here('failed') }}
            onSealed={async (sealed) => {
              if (created) return finish(created, sealed);
              setFile(sealed);
              steps.go('send');
            }}
          />
        </Question>
      )}
      {screen === 'send' && domain && (
        <SendScreen key="send" focus={moved} domain={domain} sending={sending} failure={failure} onSend={send} />
      )}
      {screen === 'passkey' && key && domain && (
        <Question key="passkey" title={passkeys('title')} focus>
          <PasskeyOffer
            opened={key}
            domain={domain}
            onSealed={(sealed) => void withPasskey(sealed)}
            onSkip={() => void withPasskey(null)}
          />
        </Question>
      )}
      {screen === 'done' && domain && <DoneScreen key="done" domain={domain} required={required} />}
    </Frame>
  );
}

type LookUp = ReturnType<typeof useLookup>;

/** The id of an identity of this name, if the key is its own: it may be there although the answer was lost. */
async function mine(lookUp: LookUp, domain: string, publicKey: string): Promise<string | null> {
  const found = await lookUp(domain);
  return 'owner' in found && found.owner.publicKey === publicKey ? found.owner.id : null;
}

async function makeKey(): Promise<{ key: OpenedKey; kept: boolean }> {
  const draft = await draftFor(DRAFT);
  return { key: await openedKey(draft.entropy), kept: draft.kept };
}

/** What was begun here before: the name, the key if the browser still has it, and whether the identity is there already. */
async function takeUp(lookUp: LookUp): Promise<{ begun: Begun; key: OpenedKey | null; created: string | null }> {
  const begun = readBegun();
  if (begun.publicKey === null) return { begun, key: null, created: null };
  const made = await makeKey().catch(() => null);
  if (made?.key.publicKey !== begun.publicKey) {
    return { begun: { ...NOTHING, domain: begun.domain }, key: made?.key ?? null, created: null };
  }
  const created = begun.sent && begun.domain ? await mine(lookUp, begun.domain, begun.publicKey) : null;
  return { begun, key: made.key, created };
}
