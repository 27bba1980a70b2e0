'use client';

import { FileKey2, NotebookPen } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Choice } from '../../../_keys/choice.tsx';
import { useWiped } from '../../../_keys/use-wiped.ts';
import { type Owner, useLookup } from '../../../_session/look-up.ts';
import type { Failure } from '../../../_trpc/failure.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { Button } from '../../../_ui/button.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { Field } from '../../../_ui/field.tsx';
import { normalizeReference } from '../../../_ui/reference.ts';
import { Screen } from '../../../_ui/screen.tsx';
import { ScreenSkeleton } from '../../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../../_ui/use-load-ahead.ts';
import type { OpenKeyStep } from './open-key-steps.tsx';

/** Loaded once the person begins to use the page. */
const loadOpenKeySteps = async () => (await import('./open-key-steps.tsx')).OpenKeySteps;
const OpenKeySteps = deferred(loadOpenKeySteps, <ScreenSkeleton />);

/** Brings a key into this browser: its identity, the key itself, and how this browser protects it. */
export function BringKey({ suffix }: { suffix: string }) {
  const [step, setStep] = useState<OpenKeyStep | { at: 'identity' }>({ at: 'identity' });
  const [moved, setMoved] = useState(false);

  useLoadAhead(loadOpenKeySteps);
  useWiped(step.at === 'keep' ? step.key : null);

  const to = (next: typeof step) => {
    setMoved(true);
    setStep(next);
  };

  if (step.at !== 'identity') return <OpenKeySteps step={step} onStep={to} />;
  return (
    <FindIdentity
      suffix={suffix}
      focus={moved}
      onFound={(owner) => to({ at: 'open', owner })}
      onFile={() => to({ at: 'pick' })}
      onWords={() => to({ at: 'words' })}
    />
  );
}

type Search =
  | { readonly at: 'idle' | 'searching' }
  | { readonly at: 'empty' | 'unknown' | 'destroyed'; readonly domain: string }
  | { readonly at: 'failed'; readonly failure: Failure };

type FindIdentityProps = {
  suffix: string;
  focus: boolean;
  onFound: (owner: Owner) => void;
  onFile: () => void;
  onWords: () => void;
};

function FindIdentity({ suffix, focus, onFound, onFile, onWords }: FindIdentityProps) {
  const t = useTranslations('signIn.bring');
  const lookUp = useLookup();
  const parameters = useSearchParams();
  const given = parameters.get('domain') ?? '';
  const lang = parameters.get('lang');
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(given);
  const [search, setSearch] = useState<Search>({ at: 'idle' });
  const wasSearched = useRef(false);

  const find = async (name: string) => {
    const domain = normalizeReference(name, suffix);
    if (domain === '') {
      setSearch({ at: 'empty', domain });
      return input.current?.focus();
    }
    setSearch({ at: 'searching' });
    const found = await lookUp(domain);
    if ('owner' in found) return onFound(found.owner);
    if (found.problem === 'failed') return setSearch({ at: 'failed', failure: found.failure });
    setSearch({ at: found.problem, domain });
    input.current?.focus();
  };

  useEffect(() => {
    if (given === '' || wasSearched.current || focus) return;
    wasSearched.current = true;
    // A person may have corrected the field before the scripts ran.
    if (input.current?.value === given) void find(given);
  });

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (search.at !== 'searching') void find(typed);
  };

  return (
    <Screen key="identity" title={t('title')} heading="h1" focus={focus} className="space-y-5">
      <p className="text-lg">{t('lead')}</p>
      <form onSubmit={send} noValidate className="space-y-5">
        {lang && <input type="hidden" name="lang" value={lang} />}
        <Field
          ref={input}
          name="domain"
          label={t('domain')}
          hint={t('domainHint', { suffix })}
          error={'domain' in search ? t(search.at, { domain: search.domain }) : undefined}
          value={typed}
          onType={setTyped}
          maxLength={80}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          action={
            <Button type="submit" size="large" busy={search.at === 'searching'}>
              {t('find')}
            </Button>
          }
        />
        <Refused failure={search.at === 'failed' ? search.failure : null} />
      </form>
      <section aria-labelledby="forgotten" className="space-y-3">
        <h2 id="forgotten" className="text-lg">
          {t('forgotten.title')}
        </h2>
        <p>{t('forgotten.lead')}</p>
        <Choice icon={FileKey2} name={t('file')} what={t('fileWhat')} onChoose={onFile} />
        <Choice icon={NotebookPen} name={t('words.name')} what={t('words.what')} onChoose={onWords} />
        <p className="text-muted">{t('forgotten.else')}</p>
      </section>
    </Screen>
  );
}
